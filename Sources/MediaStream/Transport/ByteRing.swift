/// A first-in, first-out buffer of bytes that reuses its memory.
struct ByteRing {
  private var storage: [UInt8]
  private var start = 0
  private(set) var count = 0

  init(capacity: Int) { storage = [UInt8](repeating: 0, count: capacity) }

  var capacity: Int { storage.count }

  /// Appends bytes. Grows if there is no room.
  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    if count + bytes.count > capacity { grow(to: max(capacity * 2, count + bytes.count)) }
    let end = (start + count) % capacity
    let first = min(bytes.count, capacity - end)
    storage.withUnsafeMutableBytes { target in
      target[end..<end + first].copyBytes(from: bytes.prefix(first))
      target[0..<bytes.count - first].copyBytes(from: bytes.dropFirst(first))
    }
    count += bytes.count
  }

  /// Removes the first bytes.
  /// - Parameter target: not larger than `count`.
  mutating func read(into target: UnsafeMutableRawBufferPointer) {
    let first = min(target.count, capacity - start)
    storage.withUnsafeBytes { bytes in
      target[0..<first].copyBytes(from: bytes[start..<start + first])
      target[first...].copyBytes(from: bytes[0..<target.count - first])
    }
    start = (start + target.count) % capacity
    count -= target.count
  }

  mutating func removeAll() { (start, count) = (0, 0) }

  private mutating func grow(to capacity: Int) {
    var larger = ByteRing(capacity: capacity)
    storage.withUnsafeBytes { bytes in
      let first = min(count, self.capacity - start)
      larger.write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + first]))
      larger.write(UnsafeRawBufferPointer(rebasing: bytes[0..<count - first]))
    }
    self = larger
  }
}

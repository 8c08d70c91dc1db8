import Synchronization

/// Limits the bytes of all pictures: those that are being fetched, those in the cache, and those that clients have not read
/// yet. Slow servers and clients would otherwise hold many megabytes.
final class PictureMemory: Sendable {
  /// The bytes of one picture. Releasing it frees them.
  final class Share: Sendable {
    private let memory: PictureMemory
    private let bytes = Atomic(0)
    private let refused = Atomic(false)

    fileprivate init(_ memory: PictureMemory) { self.memory = memory }

    deinit { memory.used.subtract(bytes.load(ordering: .relaxed), ordering: .relaxed) }

    /// Whether the picture did not fit.
    var isRefused: Bool { refused.load(ordering: .relaxed) }

    /// Takes as many bytes as the picture now has. Not called concurrently.
    /// - Returns: false if the limit would be exceeded.
    func grow(to size: Int) -> Bool {
      let more = size - bytes.load(ordering: .relaxed)
      guard more > 0 else { return true }
      guard memory.used.add(more, ordering: .relaxed).newValue <= memory.limit else {
        memory.used.subtract(more, ordering: .relaxed)
        refused.store(true, ordering: .relaxed)
        return false
      }
      bytes.store(size, ordering: .relaxed)
      return true
    }
  }

  private let limit: Int
  private let used = Atomic(0)

  init(limit: Int) { self.limit = limit }

  /// An empty share for a picture that will be fetched.
  func share() -> Share { Share(self) }
}

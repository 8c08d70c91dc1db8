import CLinux
import Glibc

/// Why an input device cannot be used.
enum InputError: Error, Equatable {
  /// This user may not read it.
  case forbidden
  /// Another program has grabbed it.
  case busy
  /// The device has vanished, or another device has its path now.
  case gone
  case failed(errno: Int32)
}

/// An open input device. Tests make one from a socket.
struct InputNode: Sendable {
  let descriptor: Int32
  /// The clock of the timestamps.
  let clock: clockid_t
  /// Reads the keys that are down now; nil if the device does not report them.
  let downKeys: @Sendable () -> Set<UInt16>?

  /// The present time of `clock`.
  var now: Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  func close() { _ = Glibc.close(descriptor) }
}

extension InputNode {
  /// Opens a device.
  /// - Parameters:
  ///   - identity: the expected device. The kernel reuses the path of a removed device.
  ///   - grabs: whether to grab the device, so that no other program gets its events.
  init(path: String, identity: InputIdentity, grabs: Bool) throws(InputError) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputError(errno) }
    do throws(InputError) {
      if let real = InputIdentity(descriptor: descriptor), real.name != identity.name { throw .gone }
      // Fails if another program has grabbed the device. Closing the descriptor ends the grab.
      guard swiftlet_input_grab(descriptor, 1) == 0 else { throw InputError(errno) }
      if !grabs { _ = swiftlet_input_grab(descriptor, 0) }
    } catch {
      _ = Glibc.close(descriptor)
      throw error
    }
    // CLOCK_BOOTTIME includes sleep, so that events from before it are stale. The kernel's default is CLOCK_REALTIME.
    let clock = [CLOCK_BOOTTIME, CLOCK_MONOTONIC].first { swiftlet_input_set_clock(descriptor, $0) == 0 }
    self.init(
      descriptor: descriptor, clock: clock ?? CLOCK_REALTIME,
      downKeys: {
        Self.bits(count: Int(ButtonKey.lastKey) + 1) { swiftlet_input_keys(descriptor, $0, $1) }
      })
  }

  /// - Parameter read: fills a buffer of the given size in bytes.
  fileprivate static func bits(
    count: Int, _ read: (UnsafeMutablePointer<UInt8>, UInt32) -> Int32
  ) -> Set<UInt16>? {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    guard read(&bytes, UInt32(bytes.count)) >= 0 else { return nil }
    let set = (0..<count).filter { index in
      let bit = UInt8(1) << (index % 8)
      return bytes[index / 8] & bit != 0
    }
    return Set(set.map { UInt16($0) })
  }
}

extension InputError {
  init(_ error: Int32) {
    self =
      switch error {
      case EACCES, EPERM: .forbidden
      case EBUSY: .busy
      case ENOENT, ENODEV, ENXIO: .gone
      default: .failed(errno: error)
      }
  }
}

extension InputIdentity {
  /// Reads the identity of an open device; nil if the device does not report it.
  init?(descriptor: Int32) {
    guard let name = Self.text({ swiftlet_input_name(descriptor, $0, $1) }) else { return nil }
    self.init(
      name: name, address: Self.text { swiftlet_input_unique(descriptor, $0, $1) } ?? "",
      place: Self.text { swiftlet_input_place(descriptor, $0, $1) } ?? "")
  }

  private static func text(_ read: (UnsafeMutablePointer<CChar>, UInt32) -> Int32) -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard read(&buffer, UInt32(buffer.count - 1)) >= 0 else { return nil }
    return buffer.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

import CLinux
import Glibc

@testable import Companion

/// Builds `input_event` records as the kernel writes them.
enum InputRecords {
  /// - Parameter time: the timestamp of the record, by the clock that the reader has selected.
  static func bytes(_ time: Duration, _ type: Int32, _ code: Int32, _ value: Int32) -> [UInt8] {
    var record = input_event()
    record.time.tv_sec = Int(time.components.seconds)
    record.time.tv_usec = Int(time.components.attoseconds / 1_000_000_000_000)
    (record.type, record.code, record.value) = (UInt16(type), UInt16(code), value)
    return withUnsafeBytes(of: record) { Array($0) }
  }

  static func key(_ code: Int32, _ value: Int32, _ time: Duration) -> [UInt8] {
    bytes(time, EV_KEY, code, value) + bytes(time, EV_SYN, SYN_REPORT, 0)
  }

  /// The current time of the clock.
  static func now(_ clock: clockid_t = CLOCK_MONOTONIC) -> Duration {
    var time = timespec()
    clock_gettime(clock, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
}

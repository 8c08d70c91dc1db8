import Glibc
import Synchronization

/// The built-in tone of alarms: an audio file in memory, so that it also plays from a full or broken disk.
final class AlarmTone: Sendable {
  private static let rate = 44_100
  /// Seconds. The player repeats it.
  private static let length = 2
  /// The beginnings of the beeps in seconds, and their length.
  private static let beeps = [0.0, 0.2, 0.4]
  private static let beep = 0.12
  /// Hertz.
  private static let pitch = 880.0

  /// A `file:` address, for this process only; nil if there is no memory.
  let address: String?
  private let memory: Mutex<MemoryFile?>

  init() {
    let memory = MemoryFile()
    address = memory?.address
    self.memory = Mutex(memory)
  }

  /// Writes the file, which takes memory only once it is needed.
  /// - Returns: the address; nil if there is no memory.
  func prepare() -> String? {
    memory.withLock { memory in
      guard let memory, memory.count > 0 || memory.append(Self.file) else { return nil }
      return memory.address
    }
  }

  /// A WAV file with 16-bit samples in one channel.
  static var file: [UInt8] {
    let samples = (0..<rate * length).map { Int16(sample(at: Double($0) / Double(rate)) * 0.7 * Double(Int16.max)) }
    let bytes = UInt32(samples.count * 2)
    return Array("RIFF".utf8) + little(36 + bytes) + Array("WAVEfmt ".utf8) + little(UInt32(16)) + little(UInt16(1))
      + little(UInt16(1)) + little(UInt32(rate)) + little(UInt32(rate * 2)) + little(UInt16(2)) + little(UInt16(16))
      + Array("data".utf8) + little(bytes) + samples.flatMap(little)
  }

  private static func little(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }

  /// -1…1. The beeps swell and fade, so that they do not click.
  private static func sample(at time: Double) -> Double {
    guard let start = beeps.last(where: { $0 <= time }), time - start < beep else { return 0 }
    let (angle, envelope) = (2 * Double.pi * pitch * time, sin(Double.pi * (time - start) / beep))
    return envelope * (0.8 * sin(angle) + 0.2 * sin(2 * angle))
  }
}

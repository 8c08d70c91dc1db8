/// A program of the configuration that is a source of the speaker.
public struct ProgramDescription: Sendable, Equatable {
  public enum Kind: String, Sendable, CaseIterable {
    /// shairport-sync.
    case airplay
    /// librespot.
    case spotify
    case bluetooth
    /// A line input: it sounds all the time, so it runs only while it plays.
    case line
    case program
  }

  public var name: ProgramName
  public var kind: Kind
  /// The program and its arguments; empty if it is started elsewhere and writes to `fifo`.
  public var command: [String]
  /// The named pipe that has the samples; nil for the program's standard output.
  public var fifo: String?
  public var format: ProgramFormat
  /// From the arrival of sound to its being heard.
  public var latency: Duration
  /// The command that is run with `play`, `pause`, `next`, `previous` or `volume STEP`; empty for none.
  public var control: [String]

  public static let latency = Duration.milliseconds(120)

  public init(
    name: ProgramName, kind: Kind = .program, command: [String], fifo: String? = nil,
    format: ProgramFormat = ProgramFormat(), latency: Duration = Self.latency, control: [String] = []
  ) {
    self.name = name
    self.kind = kind
    self.command = command
    self.fifo = fifo
    self.format = format
    self.latency = latency
    self.control = control
  }

  /// Whether it runs only while the source plays.
  package var isOnDemand: Bool { kind == .line }
}

/// The format of raw samples, which are signed integers in little endian: `RATE:BITS:CHANNELS`, as Snapcast writes it.
public struct ProgramFormat: Sendable, Equatable, CustomStringConvertible {
  public static let rates = 8000...192_000

  public let rate: Int
  /// 16, 24 in three bytes, or 32.
  public let bits: Int
  public let channels: Int

  public init() { (rate, bits, channels) = (44_100, 16, 2) }

  /// Nil for another format.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 3, let rate = parts[0], let bits = parts[1], let channels = parts[2], Self.rates ~= rate,
      [16, 24, 32].contains(bits), 1...2 ~= channels
    else { return nil }
    (self.rate, self.bits, self.channels) = (rate, bits, channels)
  }

  public var description: String { "\(rate):\(bits):\(channels)" }

  package var bytesPerFrame: Int { bits / 8 * channels }

  /// Nanoseconds.
  package func time(frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    return seconds * 1_000_000_000 + rest * 1_000_000_000 / Int64(rate)
  }

  /// The samples at full scale of 32 bits.
  /// - Parameter bytes: whole frames.
  func samples(of bytes: some Collection<UInt8>) -> [Int32] {
    let size = bits / 8
    return Array(bytes).withUnsafeBufferPointer { bytes in
      (0..<bytes.count / size).map { index in
        let value = (0..<size).reduce(UInt32(0)) { $0 | UInt32(bytes[index * size + $1]) << UInt32(8 * $1) }
        return Int32(bitPattern: value << UInt32(32 - bits))
      }
    }
  }
}

/// What the program behind a source can be told.
public enum ProgramControl: Sendable, Hashable {
  case play, pause, next, previous
  /// The speaker's volume, of 0…100; 0 is silence.
  case volume(Int)
}

/// What a program says about itself and its track.
package enum ProgramEvent: Sendable, Equatable {
  case track(title: String?, artist: String?, album: String?, artURL: String?)
  /// A picture of the track; empty for none.
  case art([UInt8])
  case progress(Duration, of: Duration?)
  /// The volume that the user has set on the sending device, of 0…100.
  case volume(Int)
  /// The sender plays or pauses.
  case playing(Bool)
}

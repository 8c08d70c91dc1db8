import Glibc
import MediaOrigin

/// The audio files of `Tests/fixtures/make.py`: noise in which any few consecutive samples are unique.
///
/// Created in `.build/fixtures` on first use and again when the script has changed.
public enum Fixtures {
  public enum Failure: Error, Equatable {
    /// The script could not be started or failed. Its output is on standard error.
    case script(status: Int32)
    /// There is no fixture with the name, or it has no samples.
    case missing(String)
  }

  /// The folder with all files.
  /// - Throws: ``Failure/script(status:)``.
  public static func folder() throws(Failure) -> String { try made.get().folder }

  /// All files.
  /// - Throws: ``Failure/script(status:)``.
  public static func all() throws(Failure) -> [Fixture] { try made.get().fixtures }

  /// The file with a name such as `noise1-44100-16-2-3s.flac` or `cbr.mp3`.
  /// - Throws: ``Failure``.
  public static func named(_ name: String) throws(Failure) -> Fixture {
    guard let fixture = try all().first(where: { $0.name == name }) else { throw .missing(name) }
    return fixture
  }

  private static let made: Result<(folder: String, fixtures: [Fixture]), Failure> = make()

  private static func make() -> Result<(folder: String, fixtures: [Fixture]), Failure> {
    // This file is Tests/TestFixtures/Fixtures.swift.
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let folder = "\(root)/.build/fixtures"
    let status = run(["python3", "\(root)/Tests/fixtures/make.py", folder])
    guard status == 0, let index = Resource.file("\(folder)/index.tsv").open() else {
      return .failure(.script(status: status))
    }
    let lines = String(decoding: index.read(0..<index.size), as: UTF8.self).split(separator: "\n")
    return .success((folder, lines.compactMap { Fixture(line: $0, folder: folder) }))
  }

  /// Runs a program.
  /// - Returns: its exit status; -1 if it could not be started or was killed.
  private static func run(_ arguments: [String]) -> Int32 {
    var pid = pid_t()
    let strings = arguments.map { strdup($0) } + [nil]
    defer { for string in strings { free(string) } }
    guard posix_spawnp(&pid, arguments[0], nil, nil, strings, environ) == 0 else { return -1 }
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0 {
      guard errno == EINTR else { return -1 }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }
}

/// An audio file and, if its codec is lossless, its samples.
public struct Fixture: Sendable, Equatable {
  /// The memory layout of samples. All are signed and little-endian.
  public enum SampleFormat: Sendable {
    /// 16 bits; the 16 most significant ones of 24-bit fixtures.
    case s16LE
    /// 24 bits in three bytes.
    case s24LE
    /// 24 bits in the lower three of four bytes, sign-extended.
    case s24In32LE
    /// 32 bits, left-justified.
    case s32LE
  }

  public let name: String
  /// The absolute path.
  public let path: String
  /// Hz.
  public let rate: Int
  /// Significant bits per sample.
  public let bits: Int
  public let channels: Int
  /// Number of frames, without the encoder's padding of a lossy codec.
  public let frames: Int

  /// The file with the samples: interleaved and packed to whole bytes. Nil for a lossy codec.
  public let samplesPath: String?

  /// Parses a line of `index.tsv`.
  init?(line: Substring, folder: String) {
    let fields = line.split(separator: "\t")
    guard fields.count == 6, let rate = Int(fields[1]), let bits = Int(fields[2]), let channels = Int(fields[3]),
      let frames = Int(fields[4])
    else { return nil }
    name = String(fields[0])
    path = "\(folder)/\(fields[0])"
    self.rate = rate
    self.bits = bits
    self.channels = channels
    self.frames = frames
    samplesPath = fields[5] == "-" ? nil : "\(folder)/\(fields[5])"
  }

  public var duration: Duration { .seconds(Double(frames) / Double(rate)) }

  /// The samples, interleaved and left-justified in 32 bits.
  /// - Throws: ``Fixtures/Failure/missing(_:)`` for a lossy codec.
  public func samples() throws(Fixtures.Failure) -> [Int32] {
    guard let samplesPath, let content = Resource.file(samplesPath).open() else { throw .missing(name) }
    let bytes = content.read(0..<content.size)
    let width = bits / 8
    return (0..<bytes.count / width).map { sample in
      (0..<width).reduce(Int32(0)) { value, byte in
        let shift = UInt32(8 * (4 - width + byte))
        return value | Int32(truncatingIfNeeded: UInt32(bytes[sample * width + byte]) << shift)
      }
    }
  }

  /// The samples in the given layout.
  /// - Throws: ``Fixtures/Failure/missing(_:)`` for a lossy codec.
  public func pcm(_ format: SampleFormat) throws(Fixtures.Failure) -> [UInt8] {
    let (width, shift): (Int, Int32) =
      switch format {
      case .s16LE: (2, 16)
      case .s24LE: (3, 8)
      case .s24In32LE: (4, 8)
      case .s32LE: (4, 0)
      }
    let samples = try samples()
    return [UInt8](unsafeUninitializedCapacity: samples.count * width) { buffer, count in
      for sample in samples {
        var rest = sample >> shift
        for _ in 0..<width {
          buffer[count] = UInt8(truncatingIfNeeded: rest)
          count += 1
          rest >>= 8
        }
      }
    }
  }
}

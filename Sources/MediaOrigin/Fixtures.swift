import Glibc

/// The audio files that `Tests/fixtures/make.py` makes: noise of which every few samples occur only once.
///
/// They are made on first use, into `.build/fixtures`, and made anew when the script changes.
public enum Fixtures {
  /// Why there are no fixtures.
  public enum Failure: Error, Equatable {
    /// The script could not be run or failed; its words are on the standard error.
    case script(status: Int32)
    /// There is no fixture of this name, or it has no samples.
    case missing(String)
  }

  /// The folder with all files, to be served as it is.
  ///
  /// - Throws: ``Failure/script(status:)``.
  public static func folder() throws(Failure) -> String { try made.get().folder }

  /// All files.
  ///
  /// - Throws: ``Failure/script(status:)``.
  public static func all() throws(Failure) -> [Fixture] { try made.get().fixtures }

  /// The file of this name, as `noise1-44100-16-2-3s.flac` or `cbr.mp3`.
  ///
  /// - Throws: ``Failure``.
  public static func named(_ name: String) throws(Failure) -> Fixture {
    guard let fixture = try all().first(where: { $0.name == name }) else { throw .missing(name) }
    return fixture
  }

  private static let made: Result<(folder: String, fixtures: [Fixture]), Failure> = make()

  private static func make() -> Result<(folder: String, fixtures: [Fixture]), Failure> {
    // This file is Sources/MediaOrigin/Fixtures.swift.
    let root = #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
    let folder = "\(root)/.build/fixtures"
    let status = run(["python3", "\(root)/Tests/fixtures/make.py", folder])
    guard status == 0, let index = Resource.file("\(folder)/index.tsv").open() else {
      return .failure(.script(status: status))
    }
    let lines = String(decoding: index.read(0..<index.size), as: UTF8.self).split(separator: "\n")
    return .success((folder, lines.compactMap { Fixture(line: $0, folder: folder) }))
  }

  /// Runs a program and returns its exit status; -1 if it could not be started or was killed.
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

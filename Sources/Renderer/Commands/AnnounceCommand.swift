import ArgumentParser
import FoundationEssentials
import Glibc
import PlaybackModel

/// `swiftlet announce`: sends a file to the running swiftlet, which plays it over what plays.
struct AnnounceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "announce", abstract: "Play a file over what the swiftlet that runs on this machine plays.",
    discussion: """
      Afterwards everything continues as before. The file has at most \(AnnouncementSound.largestFile >> 20) MiB. \
      Exit status 1 if it cannot be heard, 66 if there is no such file, 69 if no swiftlet answers.
      """)

  @Argument(help: "The file; - for standard input.", completion: .file()) var file: String
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("0 to 100; with + or - relative to the speaker's volume.", valueName: "volume"))
  var volume: String?
  @Option(help: "Whether the music goes on, softer, or pauses: duck or pause.") var mode: String?
  @Flag(help: "A chime precedes it.") var chime = false
  @Flag(help: "The rooms that receive the speaker's sound hear it too.") var group = false
  @Option(help: ArgumentHelp("Cut it off after this time, of 1 to 300.", valueName: "seconds")) var seconds: Int?
  @Flag(help: "End when it has been heard.") var untilHeard = false

  @OptionGroup var options: ConfigurationOptions

  private struct Head: Encodable {
    var uri: String
    var volume: Int?
    var change: Int?
    var mode: String?
    var chime: Bool
    var group: Bool
    var seconds: Int?
    var wait: Bool
  }

  func run() throws {
    let steps = try volume.map { text in
      guard let steps = Int(text) else { throw ValidationError("“\(text)” is not a volume.") }
      return steps
    }
    let isRelative = volume.map { $0.hasPrefix("+") || $0.hasPrefix("-") } ?? false
    let head = Head(
      uri: file == "-" ? "standard input" : "file:\(file)", volume: isRelative ? nil : steps,
      change: isRelative ? steps : nil, mode: mode, chime: chime, group: group, seconds: seconds, wait: untilHeard)
    let bytes = try read()
    guard bytes.count <= AnnouncementSound.largestFile else {
      throw UserMessage.failure(AnnouncementError.tooLarge.description)
    }
    let line = try JSONEncoder().encode(head) + [UInt8(ascii: "\n")]
    let limit = (seconds ?? 60) + 60
    let (places, problems) = StatusSocket.places(options)
    for place in places {
      let answer = StatusSocket.exchange(
        StatusSocket.announcing(beside: place), patience: untilHeard ? 10 * limit : limit
      ) { descriptor in
        _ = Self.write(Array(line), to: descriptor) && Self.write(bytes, to: descriptor)
      }
      guard let answer else { continue }
      let text = String(decoding: answer, as: UTF8.self).split(separator: "\n").first
      if let text { throw UserMessage.failure(String(text)) }
      return
    }
    _ = UserMessage.configurationProblems(problems)
    throw UserMessage.noAnswer(places)
  }

  /// Reads little more than the limit.
  private func read() throws -> [UInt8] {
    let descriptor = file == "-" ? STDIN_FILENO : open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw UserMessage.noInput("\(file) cannot be read: \(String(cString: strerror(errno)).lowercased()).")
    }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count <= AnnouncementSound.largestFile {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw UserMessage.noInput("\(file) cannot be read: \(String(cString: strerror(errno)).lowercased()).")
      }
      if count == 0 { break }
      bytes += chunk[..<count]
    }
    return bytes
  }

  /// - Returns: false if the service does not want more.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var written = 0
    while written < bytes.count {
      let count = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      written += count
    }
    return true
  }
}

import ArgumentParser
import Glibc
import PlaybackModel

/// `swiftlet sources`: programs as sources of the speaker.
struct SourcesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources", abstract: "Add receivers of AirPlay, Spotify and Bluetooth, or a line input.",
    subcommands: [Add.self, Event.self])

  /// `swiftlet sources add airplay`: writes the configuration and checks it.
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Add a source to the configuration file, and say what is missing.",
      discussion: "It works after a restart of the speaker. Exit status 78 if something is missing.")

    @Argument(help: "airplay, spotify, bluetooth or line.")
    var type: Kind

    @Option(help: "The name that controllers show.")
    var called: String?

    @Option(help: "The ALSA device of a line input or of Bluetooth.")
    var device: String?

    @OptionGroup var options: ConfigurationOptions

    enum Kind: String, ExpressibleByArgument, CaseIterable {
      case airplay, spotify, bluetooth, line
    }

    func run() throws {
      var sources = options.sources
      // The file may be a new one.
      if let path = sources.path, access(path, F_OK) != 0, errno == ENOENT { sources.isFileNew = true }
      let reading = sources.readOwner()
      guard reading.problems.isEmpty else { throw UserMessage.configurationProblems(reading.problems) }
      let template = SourceTemplate(type, called: called, device: device, speaker: reading.configuration.speakerName)
      let path = sources.path ?? ConfigurationFile.newPath(sources.environment)
      let former = sources.path.flatMap { try? ConfigurationFile(path: $0).text } ?? ""
      let text =
        former + (former.isEmpty || former.hasSuffix("\n") ? "" : "\n") + (former.isEmpty ? "" : "\n") + template.table
      let new = ConfigurationReading(
        file: ConfigurationFile(path: path, text: text), environment: [:], options: [])
      guard new.problems.isEmpty else { throw UserMessage.configurationProblems(new.problems) }
      do throws(ProgramFileError) {
        try Self.append(String(text.dropFirst(former.count)), to: path)
      } catch {
        throw UserMessage.unavailable("Cannot write \(path): \(String(cString: strerror(error.error)).lowercased())")
      }
      print("Added to \(path):\n\n\(template.table)\nIt works after a restart: sudo systemctl restart swiftlet")
      let problems = new.sourceProblems(environment: sources.environment)
      guard problems.isEmpty else { throw UserMessage.configurationProblems(problems) }
    }

    private static func append(_ text: String, to path: String) throws(ProgramFileError) {
      let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
      guard file >= 0 else { throw ProgramFileError(path: path, error: errno) }
      defer { close(file) }
      var text = text
      let written = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
      if written != text.utf8.count { throw ProgramFileError(path: path, error: errno) }
    }
  }

  /// `swiftlet sources event`: librespot runs it with each event.
  struct Event: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Tell the speaker what librespot plays: for its option --onevent.",
      discussion: "It reads the environment that librespot gives to the program.")

    func run() throws {
      let environment = ConfigurationSources.environment
      guard let path = environment[HookVariable.eventPipe] else {
        throw UserMessage.unavailable(
          "\(HookVariable.eventPipe) is missing: only programs that Swiftlet starts can use this.")
      }
      let lines = LibrespotEvent.lines(environment)
      guard !lines.isEmpty else { return }
      let pipe = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
      guard pipe >= 0 else { throw UserMessage.unavailable("No swiftlet reads \(path).") }
      defer { close(pipe) }
      // Up to PIPE_BUF bytes are written at once, so that events do not mix.
      var text = String(lines.map { "\($0)\n" }.joined().prefix(2000))
      _ = text.withUTF8 { Glibc.write(pipe, $0.baseAddress, $0.count) }
    }
  }
}

/// The environment that librespot 0.5 and later gives to the program of `--onevent`, as lines of `TextEvents`.
enum LibrespotEvent {
  static func lines(_ environment: [String: String]) -> [String] {
    func text(_ key: String) -> String? {
      environment[key].map { $0.split(whereSeparator: \.isNewline).joined(separator: ", ") }
    }
    func seconds(_ key: String) -> String? {
      environment[key].flatMap { Int($0) }.map { "\(Double($0) / 1000)" }
    }
    let position = seconds("POSITION_MS").map { ["position=\($0)"] } ?? []
    switch environment["PLAYER_EVENT"] {
    case "track_changed":
      let cover = environment["COVERS"]?.split(whereSeparator: \.isNewline).first.map(String.init)
      return [
        "title=\(text("NAME") ?? "")", "artist=\(text("ARTISTS") ?? text("SHOW_NAME") ?? "")",
        "album=\(text("ALBUM") ?? "")", "art=\(cover ?? "")", "duration=\(seconds("DURATION_MS") ?? "")", "position=0",
      ]
    case "playing": return position + ["state=playing"]
    case "paused": return position + ["state=paused"]
    case "stopped": return ["state=paused"]
    case "seeked", "position_correction": return position
    default: return []
    }
  }
}

/// What `swiftlet sources add` writes.
struct SourceTemplate {
  let table: String

  init(_ kind: SourcesCommand.Add.Kind, called name: String?, device: String?, speaker: String) {
    let capture = ["-t", "raw", "-f", "S16_LE", "-c", "2", "--buffer-time=100000", "--period-time=20000"]
    var lines: [String]
    switch kind {
    case .airplay: lines = Self.head("AirPlay", kind, name)
    case .spotify:
      // The app's volume is off: the volume is the speaker's.
      let command = [
        "librespot", "--name", speaker, "--backend", "pipe", "--format", "S16", "--bitrate", "320",
        "--disable-audio-cache", "--volume-ctrl", "fixed", "--initial-volume", "100", "--onevent",
        "swiftlet sources event",
      ]
      lines = Self.head("Spotify", kind, name) + ["command = \(Self.list(command))"]
    case .bluetooth:
      let words = ["arecord", "-q", "-D", device ?? "bluealsa", "-r", "44100"] + capture
      // arecord ends while no phone is connected.
      let loop = "while :; do \(words.joined(separator: " ")) 2>/dev/null; sleep 2; done"
      lines = Self.head("Bluetooth", kind, name) + ["command = \(Self.list(["sh", "-c", loop]))"]
    case .line:
      let words = ["arecord", "-q", "-D", device ?? "default", "-r", "48000"] + capture
      lines = Self.head("Line in", kind, name) + ["command = \(Self.list(words))", "format = \"48000:16:2\""]
    }
    lines.insert("[[source]]", at: 0)
    table = lines.map { "\($0)\n" }.joined()
  }

  private static func head(_ usual: String, _ kind: SourcesCommand.Add.Kind, _ name: String?) -> [String] {
    ["name = \((name ?? usual).tomlText)", "type = \(kind.rawValue.tomlText)"]
  }

  private static func list(_ words: [String]) -> String { "[" + words.map(\.tomlText).joined(separator: ", ") + "]" }
}

import Glibc
import PlaybackModel

/// The files that a program needs: the named pipe for its events, and the settings of shairport-sync.
struct ProgramFiles {
  /// The folder for them, in the state folder.
  private let folder: String
  private let speaker: String

  /// - Parameters:
  ///   - folder: the state folder.
  ///   - speaker: the speaker's name.
  init(stateFolder: String, speaker: String) {
    folder = stateFolder + "/sources"
    self.speaker = speaker
  }

  func eventPipe(_ name: ProgramName) -> String { "\(folder)/\(name.word).events" }

  /// Creates the files of a program.
  /// - Returns: the program with the command to run; or an errno with the path.
  func prepare(_ program: ProgramDescription) throws(ProgramFileError) -> ProgramDescription {
    if mkdir(folder, 0o700) != 0, errno != EEXIST { throw ProgramFileError(path: folder, error: errno) }
    let pipe = eventPipe(program.name)
    if mkfifo(pipe, 0o600) != 0, errno != EEXIST { throw ProgramFileError(path: pipe, error: errno) }
    guard program.kind == .airplay, program.command.isEmpty else { return program }
    let path = "\(folder)/\(program.name.word).conf"
    try write(shairportSettings(pipe: pipe, program), to: path)
    var program = program
    program.command = ["shairport-sync", "-u", "-c", path]
    return program
  }

  /// The environment of a program.
  func variables(_ name: ProgramName) -> [String: String] {
    [HookVariable.eventPipe: eventPipe(name), HookVariable.speaker.variable: speaker]
  }

  private func write(_ text: String, to path: String) throws(ProgramFileError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw ProgramFileError(path: path, error: errno) }
    defer { close(file) }
    var text = text
    let written = text.withUTF8 { Glibc.write(file, $0.baseAddress, $0.count) }
    if written != text.utf8.count { throw ProgramFileError(path: path, error: errno) }
  }

  /// Samples at full scale, since the volume is the speaker's. The offset makes sound as late as it is shown on the phone.
  private func shairportSettings(pipe: String, _ program: ProgramDescription) -> String {
    """
    // Written by Swiftlet at each start of shairport-sync. For other settings, give the source a command.
    general = {
      name = "\(Self.quoted(speaker))";
      output_backend = "stdout";
      ignore_volume_control = "yes";
      audio_backend_latency_offset_in_seconds = -\(Double(program.latency.nanoseconds / 1_000_000) / 1000);
      dbus_service_bus = "system";
    };
    metadata = {
      enabled = "yes";
      include_cover_art = "yes";
      pipe_name = "\(Self.quoted(pipe))";
    };

    """
  }

  private static func quoted(_ text: String) -> String {
    String(text.flatMap { "\"\\".contains($0) ? ["\\", $0] : $0.isNewline ? [" "] : [$0] })
  }
}

/// A file of a program cannot be created.
struct ProgramFileError: Error, CustomStringConvertible {
  let path: String
  let error: Int32

  var description: String { "cannot create \(path): \(String(cString: strerror(error)).lowercased())" }
}

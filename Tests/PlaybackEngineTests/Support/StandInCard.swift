import Glibc
import PlaybackTestKit

@testable import PlaybackModel

/// A sound card for ALSA that is none: the device `stand_in`, which takes only the forms that it is made with, one
/// program at a time, and can be pulled out. Tests/SoundCardStandIn is what plays on the other side.
final class StandInCard: Sendable {
  static let output = OutputDescription.alsa(device: "stand_in")

  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - formats: in ALSA's names, rates and channel counts likewise with blanks in between.
  ///   - mixer: a line for each control, see Tests/SoundCardStandIn/include/stand_in.h.
  init(
    formats: String = "S16_LE", rates: String = "44100 48000", channels: String = "2", mixer: [String] = []
  ) throws {
    folder = try TemporaryFolder()
    let library = try Self.library()
    try folder.write(
      "asoundrc",
      Array(
        """
        </usr/share/alsa/alsa.conf>
        pcm_type.swiftlet_stand_in { lib "\(library)" }
        ctl_type.swiftlet_stand_in { lib "\(library)" }
        pcm.stand_in {
          type swiftlet_stand_in folder "\(folder.path)" formats "\(formats)" rates "\(rates)" channels "\(channels)"
        }
        ctl.stand_in { type swiftlet_stand_in folder "\(folder.path)" }
        """.utf8))
    try setMixer(mixer)
    // Read when a device is opened; the suites that use it are serialised.
    setenv("ALSA_CONFIG_PATH", "\(folder.path)/asoundrc", 1)
  }

  /// Beside the tests that were built with it.
  private static func library() throws -> String {
    guard let program = realpath("/proc/self/exe", nil) else { throw SetupError("realpath: \(errno)") }
    defer { free(program) }
    let folder = String(cString: program).split(separator: "/").dropLast().map { "/\($0)" }.joined()
    return folder + "/libsound-card-stand-in.so"
  }

  /// The samples that it was given, without silence in between.
  var recording: [UInt8] { (try? folder.read("recording")) ?? [] }

  /// What was done to it: `open`, `format S16_LE 48000 2`, `xrun`, `close`, `mixer open`, `mixer close`.
  var log: [String] {
    String(decoding: (try? folder.read("log")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  var isOpen: Bool { log.last { $0 == "open" || $0 == "close" } == "open" }

  /// The values of the controls, as lines.
  var mixer: [String] {
    String(decoding: (try? folder.read("mixer")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Sets them, as another program would.
  func setMixer(_ lines: [String]) throws {
    try folder.write("mixer.other", Array((lines.joined(separator: "\n") + "\n").utf8))
    rename("\(folder.path)/mixer.other", "\(folder.path)/mixer")
  }

  /// Another program has it.
  func setBusy(_ isBusy: Bool) throws { try mark("busy", isBusy) }

  /// Only others may have it.
  func setForbidden(_ isForbidden: Bool) throws { try mark("forbidden", isForbidden) }

  /// It is pulled out, or put back.
  func setGone(_ isGone: Bool) throws { try mark("gone", isGone) }

  /// It is pulled out when it is opened for that rate.
  func setGone(whenOpenedAt rate: Int) throws { try mark("gone-at-\(rate)", true) }

  /// It runs out of samples once.
  func starve() throws { try mark("xrun", true) }

  private func mark(_ name: String, _ isThere: Bool) throws {
    if isThere { try folder.write(name, []) } else { unlink("\(folder.path)/\(name)") }
  }
}

import Glibc
import PlaybackTestKit

@testable import PlaybackModel

/// A virtual sound card for ALSA. The device `stand_in`, also named `hw:stand_in`, supports only the given formats,
/// admits one program at a time and can be unplugged. Tests/SoundCardStandIn implements it as an ALSA plugin.
final class StandInCard: Sendable {
  static let output = OutputDescription.alsa(device: "stand_in")

  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - formats: ALSA's names, separated by blanks, as are rates and channel counts.
  ///   - mixer: One line for each control, see Tests/SoundCardStandIn/include/stand_in.h.
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
        pcm.!hw {
          @args [ CARD ]
          @args.CARD { type string }
          type swiftlet_stand_in folder "\(folder.path)" formats "\(formats)" rates "\(rates)" channels "\(channels)"
        }
        ctl.stand_in { type swiftlet_stand_in folder "\(folder.path)" }
        """.utf8))
    try setMixer(mixer)
    // ALSA reads this when a device is opened; the suites that use it are serialised.
    setenv("ALSA_CONFIG_PATH", "\(folder.path)/asoundrc", 1)
  }

  /// The path of the plugin, which is built next to the tests.
  private static func library() throws -> String {
    guard let program = realpath("/proc/self/exe", nil) else { throw SetupError("realpath: \(errno)") }
    defer { free(program) }
    let folder = String(cString: program).split(separator: "/").dropLast().map { "/\($0)" }.joined()
    return folder + "/libsound-card-stand-in.so"
  }

  /// The samples that the card received, without silence.
  var recording: [UInt8] { (try? folder.read("recording")) ?? [] }

  /// The operations on the card: `busy`, `open`, `format S16_LE 48000 2`, `xrun`, `close`, `mixer open`, `mixer close`.
  var log: [String] {
    String(decoding: (try? folder.read("log")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  var isOpen: Bool { log.last { $0 == "open" || $0 == "close" } == "open" }

  /// The values of the controls, one per line.
  var mixer: [String] {
    String(decoding: (try? folder.read("mixer")) ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Sets the controls, as another program would.
  func setMixer(_ lines: [String]) throws {
    try folder.write("mixer.other", Array((lines.joined(separator: "\n") + "\n").utf8))
    rename("\(folder.path)/mixer.other", "\(folder.path)/mixer")
  }

  /// Simulates that another program uses the card.
  func setBusy(_ isBusy: Bool) throws { try mark("busy", isBusy) }

  /// Simulates that this user lacks the permission to open the card.
  func setForbidden(_ isForbidden: Bool) throws { try mark("forbidden", isForbidden) }

  /// Unplugs the card or plugs it back in.
  func setGone(_ isGone: Bool) throws { try mark("gone", isGone) }

  /// Unplugs the card when it is opened at that rate.
  func setGone(whenOpenedAt rate: Int) throws { try mark("gone-at-\(rate)", true) }

  /// Causes one underrun.
  func starve() throws { try mark("xrun", true) }

  private func mark(_ name: String, _ isThere: Bool) throws {
    if isThere { try folder.write(name, []) } else { unlink("\(folder.path)/\(name)") }
  }
}

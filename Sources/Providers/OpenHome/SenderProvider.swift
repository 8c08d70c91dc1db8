import DeviceStack
import Playback
import PlaybackModel
import UPnP

/// Sender:2: whether other rooms can play the sound of this speaker, and where they find it.
public final class SenderProvider: Sender2.Provider {
  /// What the sender does, in the words of Status2.
  package enum Status: String, Sendable, CaseIterable {
    /// Somebody listens.
    case sending = "Sending"
    case ready = "Ready"
    /// Another sender uses the channel.
    case blocked = "Blocked"
    /// There is no network.
    case inactive = "Inactive"
    /// Turned off in the configuration.
    case disabled = "Disabled"

    /// The same in the words of Status, which Sender:1 has too.
    fileprivate var status: Sender2.Status {
      switch self {
      case .sending, .ready, .inactive: .enabled
      case .blocked: .blocked
      case .disabled: .disabled
      }
    }
  }

  /// Audio becomes false this long after the sound has ended.
  private static let audioTime = Duration.seconds(1)

  private let player: Player
  private let alarm: Alarm
  private let presentationPath: String
  private var sender = (status: Status.disabled, metadata: "")
  private var hasAudio = false
  private let variables: Sender2.Variables

  /// Call it on the player's executor, like all members of this class.
  /// - Parameters:
  ///   - presentationPath: the absolute path of a page on our HTTP server.
  ///   - alarm: on the same event loop; used by this object only.
  package init(player: Player, presentationPath: String, alarm: Alarm) {
    self.player = player
    self.presentationPath = presentationPath
    self.alarm = alarm
    variables = Sender2.Variables(
      Self.values(presentationPath: presentationPath, metadata: "", hasAudio: false, status: .disabled))
    alarm.onElapsed = { [weak self] in self?.audioEnded() }
  }

  /// The service for a device to host.
  public var service: HostedService { Sender2.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: [.state, .source]) else { return }
    if isPlaying {
      alarm.cancel()
      hasAudio = true
      apply()
    } else if hasAudio {
      alarm.arm(in: Self.audioTime)
    }
  }

  /// - Parameter metadata: DIDL-Lite with the address from which receivers get the sound.
  package func set(status: Status, metadata: String) {
    sender = (status, metadata)
    apply()
  }

  private var isPlaying: Bool { player.immediately { $0.deck().state == .playing } }

  private func audioEnded() {
    guard !isPlaying else { return }
    hasAudio = false
    apply()
  }

  private func apply() { variables.apply(values) }

  private var values: Sender2.Values {
    Self.values(
      presentationPath: presentationPath, metadata: sender.metadata, hasAudio: hasAudio, status: sender.status)
  }

  private static func values(
    presentationPath: String, metadata: String, hasAudio: Bool, status: Status
  ) -> Sender2.Values {
    Sender2.Values(
      presentationUrl: presentationPath, metadata: metadata, audio: hasAudio, status: status.status,
      status2: Sender2.Status2(rawValue: status.rawValue) ?? .disabled, enabled: status != .disabled, attributes: "")
  }

  // MARK: Actions

  public func presentationUrl() -> Sender2.PresentationUrlOutput {
    Sender2.PresentationUrlOutput(value: presentationPath)
  }

  public func metadata() -> Sender2.MetadataOutput { Sender2.MetadataOutput(value: sender.metadata) }

  public func audio() -> Sender2.AudioOutput { Sender2.AudioOutput(value: hasAudio) }

  public func status() -> Sender2.StatusOutput { Sender2.StatusOutput(value: values.status) }

  public func status2() -> Sender2.Status2Output { Sender2.Status2Output(value: values.status2) }

  public func enabled() -> Sender2.EnabledOutput { Sender2.EnabledOutput(value: sender.status != .disabled) }

  public func attributes() -> Sender2.AttributesOutput { Sender2.AttributesOutput(value: "") }
}

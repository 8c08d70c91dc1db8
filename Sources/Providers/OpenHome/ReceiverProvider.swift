import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Receiver:1, on the player's source `receiver`.
public final class ReceiverProvider: Receiver1.Provider {
  private static let badSender = ActionFault(800, "Invalid sender URI")
  /// As OpenHome's own player has it, with its dots.
  private static let protocolInfoText = "ohz:*:*:*,ohm:*:*:*,ohu:*.*.*"

  private let player: Player
  private let commands: ControllerCommands
  private let receiver: ReceiverSource
  private let variables: Receiver1.Variables

  /// Call it on the player's executor, like all members of this class.
  package init(player: Player, control: SpeakerControl, receiver: ReceiverSource) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .openHome)
    self.receiver = receiver
    variables = Receiver1.Variables(Self.values(player))
  }

  /// The service for a device to host.
  public var service: HostedService { Receiver1.hosted(by: self, variables) }

  /// Updates the evented variables after a change of the source.
  public func update() { variables.apply(Self.values(player)) }

  private static func values(_ player: Player) -> Receiver1.Values {
    let deck = player.immediately { $0.deck(.receiver) }
    return Receiver1.Values(
      uri: deck.item?.uri ?? "", metadata: deck.item?.metadata ?? "", transportState: Receiver1.TransportState(deck),
      protocolInfo: protocolInfoText)
  }

  // MARK: Reads

  public func sender() -> Receiver1.SenderOutput {
    Receiver1.SenderOutput(uri: receiver.sender?.uri ?? "", metadata: receiver.sender?.metadata ?? "")
  }

  public func protocolInfo() -> Receiver1.ProtocolInfoOutput {
    Receiver1.ProtocolInfoOutput(value: Self.protocolInfoText)
  }

  public func transportState() -> Receiver1.TransportStateOutput {
    Receiver1.TransportStateOutput(value: Receiver1.TransportState(player.immediately { $0.deck(.receiver) }))
  }

  // MARK: Commands

  public func setSender(_ input: Receiver1.SetSenderInput) throws(ActionFault) {
    try commands.perform(.sender(uri: input.uri, metadata: input.metadata)) { _ in Self.badSender }
  }

  /// Does nothing without a sender: OpenHome defines no fault for that.
  public func play() throws(ActionFault) { try commands.perform(.transport(.play, of: .receiver)) }

  public func stop() throws(ActionFault) { try commands.perform(.transport(.stop, of: .receiver)) }
}

extension Receiver1.TransportState {
  fileprivate init(_ deck: Deck) {
    switch deck.state {
    case .noMedia, .stopped, .paused: self = .stopped
    case .transitioning: self = deck.isWaiting ? .waiting : .buffering
    case .playing: self = .playing
    }
  }
}

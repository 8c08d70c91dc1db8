import DeviceStack
import UPnP

/// Receiver:1 and Sender:2 of the stand-in speaker. They exchange no audio.
final class StandInReceiverService: Receiver1.Provider, Sender2.Provider {
  private static let badSender = ActionFault(800, "Invalid sender URI")
  private static let schemes = ["ohz://", "ohm://", "ohu://"]
  private static let protocols = "ohz:*:*:*,ohm:*:*:*,ohu:*.*.*"

  private let speaker: StandInSpeaker
  private lazy var receiverVariables = Receiver1.Variables(receiverValues)
  private let senderVariables = Sender2.Variables(StandInReceiverService.senderValues)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var services: [HostedService] {
    [Receiver1.hosted(by: self, receiverVariables), Sender2.hosted(by: self, senderVariables)]
  }

  private func update() { receiverVariables.apply(receiverValues) }

  // MARK: Receiver

  private var receiverValues: Receiver1.Values {
    .init(
      uri: speaker.sender.uri, metadata: speaker.sender.metadata,
      transportState: speaker.state(of: .receiver) == .stopped ? .stopped : .waiting, protocolInfo: Self.protocols)
  }

  func setSender(_ input: Receiver1.SetSenderInput) throws(ActionFault) {
    guard input.uri.isEmpty || Self.schemes.contains(where: { input.uri.hasPrefix($0) }) else { throw Self.badSender }
    speaker.change { speaker in
      if !input.uri.isEmpty { speaker.select(.receiver) }
      speaker.sender = (input.uri, input.metadata)
    }
  }

  func sender() -> Receiver1.SenderOutput { .init(uri: speaker.sender.uri, metadata: speaker.sender.metadata) }

  func protocolInfo() -> Receiver1.ProtocolInfoOutput { .init(value: Self.protocols) }

  func transportState() -> Receiver1.TransportStateOutput { .init(value: receiverValues.transportState) }

  func play() { speaker.change { $0.play(.receiver) } }

  func stop() { if speaker.source == .receiver { speaker.change { $0.stop() } } }

  // MARK: Sender

  private static let senderValues = Sender2.Values(
    presentationUrl: "",
    metadata: """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/">\
      <item id="0" parentID="-1" restricted="1"><dc:title>Stand-in</dc:title>\
      <res protocolInfo="ohz:*:*:u">ohz://239.255.255.250:51972/stand-in</res></item></DIDL-Lite>
      """, audio: false, status: .enabled, status2: .ready, enabled: true, attributes: "Info Time")

  func presentationUrl() -> Sender2.PresentationUrlOutput { .init(value: Self.senderValues.presentationUrl) }

  func metadata() -> Sender2.MetadataOutput { .init(value: Self.senderValues.metadata) }

  func audio() -> Sender2.AudioOutput { .init(value: Self.senderValues.audio) }

  func status() -> Sender2.StatusOutput { .init(value: Self.senderValues.status) }

  func status2() -> Sender2.Status2Output { .init(value: Self.senderValues.status2) }

  func enabled() -> Sender2.EnabledOutput { .init(value: Self.senderValues.enabled) }

  func attributes() -> Sender2.AttributesOutput { .init(value: Self.senderValues.attributes) }
}

import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Radio:2, on the player's source `radio`.
public final class RadioProvider: Radio2.Provider {
  private static let idNotFound = ActionFault(800, "Id not found")
  private static let invalidChannel = ActionFault(803, "Selected channel is invalid")
  private static let seekFailed = ActionFault(803, "Seek failed")

  private let player: Player
  private let commands: ControllerCommands
  private let radio: RadioSource
  private let protocolInfoText: String
  private let refresh: () -> Void
  private let variables: Radio2.Variables
  /// The token of the last IdArray event.
  private var lastToken: UInt32

  /// Call it on the player's executor, like all members of this class.
  /// - Parameters:
  ///   - protocolInfo: the supported formats, as in ConnectionManager.
  ///   - refresh: reloads the presets from the configuration.
  package init(
    player: Player, control: SpeakerControl, radio: RadioSource, protocolInfo: String, refresh: @escaping () -> Void
  ) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .openHome)
    self.radio = radio
    self.refresh = refresh
    protocolInfoText = protocolInfo
    lastToken = radio.presets.token
    variables = Radio2.Variables(
      Self.values(player, radio, protocolInfo), idArray: { radio.presets.idArray })
    radio.observe { [weak self] in self?.update() }
  }

  /// The service for a device to host.
  public var service: HostedService { Radio2.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the presets or in the radio's source.
  public func update() {
    variables.apply(Self.values(player, radio, protocolInfoText))
    if radio.presets.token != lastToken {
      lastToken = radio.presets.token
      variables.touchIdArray()
    }
  }

  private static func values(_ player: Player, _ radio: RadioSource, _ protocolInfo: String) -> Radio2.Values {
    Radio2.Values(
      uri: radio.channel?.uri ?? "", metadata: radio.channel?.metadata ?? "", transportState: state(player),
      id: radio.presetID, channelsMax: UInt32(RadioPresets.maximumCount), protocolInfo: protocolInfo)
  }

  private static func state(_ player: Player) -> Radio2.TransportState {
    Radio2.TransportState(player.immediately { $0.deck(.radio) }.state)
  }

  // MARK: Reads

  public func transportState() -> Radio2.TransportStateOutput {
    Radio2.TransportStateOutput(value: Self.state(player))
  }

  public func channel() -> Radio2.ChannelOutput {
    Radio2.ChannelOutput(uri: radio.channel?.uri ?? "", metadata: radio.channel?.metadata ?? "")
  }

  public func id() -> Radio2.IdOutput { Radio2.IdOutput(value: radio.presetID) }

  public func read(_ input: Radio2.ReadInput) throws(ActionFault) -> Radio2.ReadOutput {
    guard let metadata = radio.metadata(of: input.id) else { throw Self.idNotFound }
    return Radio2.ReadOutput(metadata: metadata)
  }

  public func readList(_ input: Radio2.ReadListInput) -> Radio2.ReadListOutput {
    Radio2.ReadListOutput(channelList: ChannelListXML.text(ids: input.idList, of: radio))
  }

  public func idArray() -> Radio2.IdArrayOutput {
    Radio2.IdArrayOutput(token: radio.presets.token, array: radio.presets.idArray)
  }

  public func idArrayChanged(_ input: Radio2.IdArrayChangedInput) -> Radio2.IdArrayChangedOutput {
    Radio2.IdArrayChangedOutput(value: input.token != radio.presets.token)
  }

  public func channelsMax() -> Radio2.ChannelsMaxOutput {
    Radio2.ChannelsMaxOutput(value: UInt32(RadioPresets.maximumCount))
  }

  public func protocolInfo() -> Radio2.ProtocolInfoOutput { Radio2.ProtocolInfoOutput(value: protocolInfoText) }

  // MARK: Channel

  public func setChannel(_ input: Radio2.SetChannelInput) throws(ActionFault) {
    let metadata = DIDLLite.wellFormed(input.metadata, uri: input.uri)
    try commands.perform(.radio(.setChannel(uri: input.uri, metadata: metadata)))
  }

  public func setId(_ input: Radio2.SetIdInput) throws(ActionFault) {
    try commands.perform(.radio(.select(input.value, uri: input.uri))) { _ in Self.invalidChannel }
  }

  public func refreshPresets() { refresh() }

  // MARK: Playback

  /// Does nothing without a channel: OpenHome defines no fault for that.
  public func play() throws(ActionFault) { try commands.perform(.transport(.play, of: .radio)) }

  public func pause() throws(ActionFault) { try commands.perform(.transport(.pause, of: .radio)) }

  public func stop() throws(ActionFault) { try commands.perform(.transport(.stop, of: .radio)) }

  public func seekSecondAbsolute(_ input: Radio2.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.value)))
  }

  public func seekSecondRelative(_ input: Radio2.SeekSecondRelativeInput) throws(ActionFault) {
    let position = player.immediately { $0.deck(.radio) }.position
    try seek(to: max(.zero, position + .seconds(Int64(input.value))))
  }

  private func seek(to position: Duration) throws(ActionFault) {
    try commands.perform(.transport(.seek(to: position), of: .radio)) { _ in Self.seekFailed }
  }
}

/// The ChannelList of Radio's ReadList.
enum ChannelListXML {
  /// - Parameter ids: separated by spaces. Unknown ids, such as the zeros of IdArray, are skipped.
  static func text(ids: String, of radio: RadioSource) -> String {
    var text = "<ChannelList>"
    var seen: Set<UInt32> = []
    for word in ids.split(separator: " ") {
      // Repeated ids are answered once, so that a short request cannot make a large answer.
      guard let id = UInt32(word), seen.insert(id).inserted, let metadata = radio.metadata(of: id) else { continue }
      text += "<Entry><Id>\(id)</Id><Metadata>\(XMLEscape.text(metadata))</Metadata></Entry>"
    }
    return text + "</ChannelList>"
  }
}

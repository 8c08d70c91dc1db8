import DeviceStack
import Playback

/// Radio:2 on the player's radio.
public final class RadioProvider: Radio2.Provider {
  private static let idNotFound = ActionFault(800, "Id not found")
  private static let invalidChannel = ActionFault(803, "Selected channel is invalid")
  private static let seekFailed = ActionFault(803, "Seek failed")

  private let player: Player
  private let radio: RadioSource
  private let protocolInfoText: String
  private let refresh: () -> Void
  private let variables: Radio2.Variables
  /// The token of the IdArray that was told last.
  private var toldToken: UInt32

  /// On the player's executor, like everything here.
  /// - Parameters:
  ///   - protocolInfo: what can be played, as ConnectionManager tells it.
  ///   - refresh: has the presets read again from where they come.
  public init(player: Player, radio: RadioSource, protocolInfo: String, refresh: @escaping () -> Void) {
    self.player = player
    self.radio = radio
    self.refresh = refresh
    protocolInfoText = protocolInfo
    toldToken = radio.presets.token
    variables = Radio2.Variables(
      uri: radio.channel?.uri ?? "", metadata: radio.channel?.metadata ?? "", transportState: Self.state(player),
      id: radio.presetID, idArray: { radio.presets.idArray }, channelsMax: UInt32(RadioPresets.maximumCount),
      protocolInfo: protocolInfo)
    radio.observe { [weak self] in self?.update() }
  }

  /// The service for a device to host.
  public var service: HostedService { Radio2.hosted(by: self, variables) }

  /// Takes over what changed in the presets or in the player's source for the radio.
  public func update() {
    let channel = radio.channel
    variables.setUri(channel?.uri ?? "")
    variables.setMetadata(channel?.metadata ?? "")
    variables.setId(radio.presetID)
    variables.setTransportState(Self.state(player))
    if radio.presets.token != toldToken {
      toldToken = radio.presets.token
      variables.touchIdArray()
    }
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

  // MARK: The channel

  public func setChannel(_ input: Radio2.SetChannelInput) {
    radio.setChannel(uri: input.uri, metadata: input.metadata)
  }

  public func setId(_ input: Radio2.SetIdInput) throws(ActionFault) {
    do throws(RadioError) {
      try radio.select(input.value, uri: input.uri)
    } catch {
      throw Self.invalidChannel
    }
  }

  public func refreshPresets() { refresh() }

  // MARK: What is heard

  /// Where there is nothing to play, nothing plays: that is no fault in OpenHome.
  public func play() { player.immediately { try? $0.play(.radio) } }

  public func pause() { player.immediately { try? $0.pauseOrStop(.radio) } }

  public func stop() { player.immediately { $0.stop(.radio) } }

  public func seekSecondAbsolute(_ input: Radio2.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.value)))
  }

  public func seekSecondRelative(_ input: Radio2.SeekSecondRelativeInput) throws(ActionFault) {
    let position = player.immediately { $0.deck(.radio) }.position
    try seek(to: max(.zero, position + .seconds(Int64(input.value))))
  }

  private func seek(to position: Duration) throws(ActionFault) {
    do throws(PlayerError) {
      try player.immediately { player throws(PlayerError) in try player.seek(to: position, of: .radio) }
    } catch {
      throw Self.seekFailed
    }
  }
}

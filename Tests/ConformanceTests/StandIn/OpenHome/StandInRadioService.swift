import DeviceStack
import UPnP

/// Radio:2 of the stand-in speaker.
final class StandInRadioService: Radio2.Provider {
  private static let idNotFound = ActionFault(800, "Id not found")
  private static let invalidChannel = ActionFault(803, "Selected channel is invalid")
  private static let seekFailed = ActionFault(803, "Seek failed")

  private let speaker: StandInSpeaker
  private lazy var variables = Radio2.Variables(values, idArray: { StandInChannels.idArray })

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Radio2.hosted(by: self, variables) }

  private func update() { variables.apply(values) }

  private var values: Radio2.Values {
    .init(
      uri: speaker.channels.uri, metadata: speaker.channels.metadata, transportState: .init(speaker.state(of: .radio)),
      id: speaker.channels.id, channelsMax: UInt32(StandInChannels.maximum), protocolInfo: StandInDevice.protocolInfo)
  }

  // MARK: Reads

  func transportState() -> Radio2.TransportStateOutput { .init(value: values.transportState) }

  func channel() -> Radio2.ChannelOutput { .init(uri: values.uri, metadata: values.metadata) }

  func id() -> Radio2.IdOutput { .init(value: values.id) }

  func channelsMax() -> Radio2.ChannelsMaxOutput { .init(value: values.channelsMax) }

  func protocolInfo() -> Radio2.ProtocolInfoOutput { .init(value: values.protocolInfo) }

  func read(_ input: Radio2.ReadInput) throws(ActionFault) -> Radio2.ReadOutput {
    guard let preset = StandInChannels.presets[input.id] else { throw Self.idNotFound }
    return .init(metadata: preset.metadata)
  }

  func readList(_ input: Radio2.ReadListInput) -> Radio2.ReadListOutput {
    let entries = input.idList.split(separator: " ").compactMap { word in
      UInt32(word).flatMap { id in
        StandInChannels.presets[id].map {
          "<Entry><Id>\(id)</Id><Metadata>\(XMLEscape.text($0.metadata))</Metadata></Entry>"
        }
      }
    }
    return .init(channelList: "<ChannelList>\(entries.joined())</ChannelList>")
  }

  func idArray() -> Radio2.IdArrayOutput { .init(token: 1, array: StandInChannels.idArray) }

  func idArrayChanged(_ input: Radio2.IdArrayChangedInput) -> Radio2.IdArrayChangedOutput {
    .init(value: input.token != 1)
  }

  // MARK: Channel

  func setChannel(_ input: Radio2.SetChannelInput) {
    speaker.change { $0.setChannel(0, input.uri, input.metadata) }
  }

  func setId(_ input: Radio2.SetIdInput) throws(ActionFault) {
    guard let preset = StandInChannels.presets[input.value] else { throw Self.invalidChannel }
    speaker.change { $0.setChannel(input.value, preset.uri, preset.metadata) }
  }

  func refreshPresets() {}

  // MARK: Playback

  func play() { speaker.change { $0.play(.radio) } }

  func pause() { if speaker.source == .radio { speaker.change { $0.pause() } } }

  func stop() { if speaker.source == .radio { speaker.change { $0.stop() } } }

  func seekSecondAbsolute(_ input: Radio2.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.value)))
  }

  func seekSecondRelative(_ input: Radio2.SeekSecondRelativeInput) throws(ActionFault) {
    try seek(to: speaker.deck.position + .seconds(Int64(input.value)))
  }

  private func seek(to position: Duration) throws(ActionFault) {
    guard speaker.state(of: .radio) != .stopped else { throw Self.seekFailed }
    speaker.change { $0.seek(to: position) }
  }
}

/// The channel of the stand-in's radio, and its presets.
struct StandInChannels {
  static let maximum = 10
  static let presets: [UInt32: (uri: String, metadata: String)] = [
    1: preset("One", "http://192.0.2.1/one"), 2: preset("Two", "http://192.0.2.1/two"),
  ]

  var uri = ""
  var metadata = ""
  /// The id of the preset; 0 for any other channel.
  var id: UInt32 = 0

  /// The presets' ids, padded with 0.
  static let idArray: [UInt8] = (1...UInt8(maximum)).flatMap { [0, 0, 0, $0 <= presets.count ? $0 : 0] }

  private static func preset(_ title: String, _ uri: String) -> (uri: String, metadata: String) {
    let metadata = """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
      xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="" parentID="" restricted="1">\
      <dc:title>\(title)</dc:title><upnp:class>object.item.audioItem.audioBroadcast</upnp:class>\
      <res protocolInfo="http-get:*:audio/mpeg:*">\(uri)</res></item></DIDL-Lite>
      """
    return (uri, metadata)
  }
}

extension StandInSpeaker {
  /// Selects a channel, and plays it if the radio is playing.
  func setChannel(_ id: UInt32, _ uri: String, _ metadata: String) {
    channels = StandInChannels(uri: uri, metadata: metadata, id: id)
    if state(of: .radio) == .playing { play(uri, metadata, of: .radio) }
  }
}

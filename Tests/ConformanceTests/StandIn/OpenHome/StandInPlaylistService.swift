import DeviceStack
import UPnP

/// Playlist:1 of the stand-in speaker.
final class StandInPlaylistService: Playlist1.Provider {
  private static let idNotFound = ActionFault(800, "Id not found")
  private static let full = ActionFault(801, "Playlist full")
  private static let indexNotFound = ActionFault(802, "Index not found")
  private static let seekFailed = ActionFault(803, "Seek failed")
  private static let tracksMax: UInt32 = 50

  private let speaker: StandInSpeaker
  private lazy var variables = Playlist1.Variables(values, idArray: { [speaker] in speaker.tracks.idArray })
  private var lastToken: UInt32 = 0

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Playlist1.hosted(by: self, variables) }

  private func update() {
    variables.apply(values)
    guard speaker.tracks.token != lastToken else { return }
    lastToken = speaker.tracks.token
    variables.touchIdArray()
  }

  private var values: Playlist1.Values {
    .init(
      transportState: .init(speaker.state(of: .playlist)), repeat: speaker.tracks.repeats,
      shuffle: speaker.tracks.shuffles, id: speaker.tracks.currentID, tracksMax: Self.tracksMax,
      protocolInfo: StandInDevice.protocolInfo)
  }

  // MARK: Reads

  func transportState() -> Playlist1.TransportStateOutput { .init(value: values.transportState) }

  func id() -> Playlist1.IdOutput { .init(value: values.id) }

  func `repeat`() -> Playlist1.RepeatOutput { .init(value: values.repeat) }

  func shuffle() -> Playlist1.ShuffleOutput { .init(value: values.shuffle) }

  func tracksMax() -> Playlist1.TracksMaxOutput { .init(value: Self.tracksMax) }

  func protocolInfo() -> Playlist1.ProtocolInfoOutput { .init(value: values.protocolInfo) }

  func read(_ input: Playlist1.ReadInput) throws(ActionFault) -> Playlist1.ReadOutput {
    guard let track = speaker.tracks[input.id] else { throw Self.idNotFound }
    return .init(uri: track.uri, metadata: track.metadata)
  }

  func readList(_ input: Playlist1.ReadListInput) -> Playlist1.ReadListOutput {
    let tracks = input.idList.split(separator: " ").compactMap { UInt32($0).flatMap { speaker.tracks[$0] } }
    return .init(
      trackList: NestedXML { xml in
        xml.markup("<TrackList>")
        for track in tracks {
          xml.markup("<Entry><Id>\(track.id)</Id><Uri>")
          xml.text(track.uri)
          xml.markup("</Uri><Metadata>")
          xml.text(track.metadata)
          xml.markup("</Metadata></Entry>")
        }
        xml.markup("</TrackList>")
      })
  }

  func idArray() -> Playlist1.IdArrayOutput { .init(token: speaker.tracks.token, array: speaker.tracks.idArray) }

  func idArrayChanged(_ input: Playlist1.IdArrayChangedInput) -> Playlist1.IdArrayChangedOutput {
    .init(value: input.token != speaker.tracks.token)
  }

  // MARK: List

  func insert(_ input: Playlist1.InsertInput) throws(ActionFault) -> Playlist1.InsertOutput {
    guard input.afterId == 0 || speaker.tracks[input.afterId] != nil else { throw Self.idNotFound }
    guard speaker.tracks.list.count < Self.tracksMax else { throw Self.full }
    return .init(newId: speaker.change { $0.insert(input.uri, input.metadata, after: input.afterId) })
  }

  func deleteId(_ input: Playlist1.DeleteIdInput) throws(ActionFault) {
    guard speaker.tracks[input.value] != nil else { throw Self.idNotFound }
    speaker.change { speaker in
      let isCurrent = input.value == speaker.tracks.currentID
      let next = speaker.tracks.delete(input.value)
      guard isCurrent, speaker.source == .playlist else { return }
      if speaker.deck.state != .stopped, let next {
        speaker.play(next.uri, next.metadata, of: .playlist)
      } else {
        speaker.stop()
      }
    }
  }

  func deleteAll() {
    speaker.change { speaker in
      speaker.tracks.deleteAll()
      if speaker.source == .playlist { speaker.stop() }
    }
  }

  func setRepeat(_ input: Playlist1.SetRepeatInput) { speaker.change { $0.tracks.repeats = input.value } }

  func setShuffle(_ input: Playlist1.SetShuffleInput) { speaker.change { $0.tracks.shuffles = input.value } }

  // MARK: Playback

  func play() { speaker.change { $0.play(.playlist) } }

  func pause() { if speaker.source == .playlist { speaker.change { $0.pause() } } }

  func stop() { if speaker.source == .playlist { speaker.change { $0.stop() } } }

  func next() { speaker.change { $0.skip(by: 1) } }

  func previous() { speaker.change { $0.skip(by: -1) } }

  func seekId(_ input: Playlist1.SeekIdInput) throws(ActionFault) {
    guard let track = speaker.tracks[input.value] else { throw Self.idNotFound }
    play(track)
  }

  func seekIndex(_ input: Playlist1.SeekIndexInput) throws(ActionFault) {
    guard input.value < speaker.tracks.list.count else { throw Self.indexNotFound }
    play(speaker.tracks.list[Int(input.value)])
  }

  private func play(_ track: StandInTracks.Track) {
    speaker.change { speaker in
      speaker.tracks.currentID = track.id
      speaker.play(track.uri, track.metadata, of: .playlist)
    }
  }

  func seekSecondAbsolute(_ input: Playlist1.SeekSecondAbsoluteInput) throws(ActionFault) {
    try seek(to: .seconds(Int64(input.value)))
  }

  func seekSecondRelative(_ input: Playlist1.SeekSecondRelativeInput) throws(ActionFault) {
    try seek(to: speaker.deck.position + .seconds(Int64(input.value)))
  }

  private func seek(to position: Duration) throws(ActionFault) {
    guard speaker.state(of: .playlist) != .stopped else { throw Self.seekFailed }
    speaker.change { $0.seek(to: position) }
  }
}

/// The tracks of the stand-in's playlist.
struct StandInTracks {
  struct Track {
    var id: UInt32
    var uri: String
    var metadata: String
  }

  private(set) var list: [Track] = []
  private(set) var token: UInt32 = 0
  private var lastID: UInt32 = 0
  /// The id of the current track; 0 for an empty list.
  var currentID: UInt32 = 0
  var repeats = false
  var shuffles = false

  subscript(id: UInt32) -> Track? { list.first { $0.id == id } }

  var current: Track? { self[currentID] }

  /// The ids of all tracks, each as four bytes, big-endian.
  var idArray: [UInt8] {
    list.flatMap { track in (0..<4).map { UInt8(truncatingIfNeeded: track.id >> (24 - 8 * $0)) } }
  }

  /// The track before or after the current one.
  func neighbour(_ steps: Int) -> Track? {
    guard let index = list.firstIndex(where: { $0.id == currentID }) else { return nil }
    let other = repeats ? (index + steps + list.count) % list.count : index + steps
    return list.indices.contains(other) ? list[other] : nil
  }

  mutating func insert(_ uri: String, _ metadata: String, after id: UInt32) -> UInt32 {
    lastID += 1
    token += 1
    let index = list.firstIndex { $0.id == id }.map { $0 + 1 } ?? 0
    list.insert(Track(id: lastID, uri: uri, metadata: metadata), at: index)
    if currentID == 0 { currentID = lastID }
    return lastID
  }

  /// - Returns: the current track afterwards.
  mutating func delete(_ id: UInt32) -> Track? {
    guard let index = list.firstIndex(where: { $0.id == id }) else { return current }
    token += 1
    list.remove(at: index)
    if id == currentID { currentID = (index < list.count ? list[index] : list.first)?.id ?? 0 }
    return current
  }

  mutating func deleteAll() {
    token += 1
    list = []
    currentID = 0
  }
}

import UPnP

/// A preset of an OpenHome radio.
public struct SpeakerPreset: Sendable, Hashable {
  /// From 1.
  public var number: Int
  public var id: UInt32
  public var item: SpeakerItem
}

extension RemoteSpeaker {
  /// The presets of the radio that are not empty, by number.
  /// - Throws: `.notOffered` if the speaker has no OpenHome radio.
  public func presets() async throws(ControlPointError) -> [SpeakerPreset] {
    guard let radio = services.radio else { throw .notOffered("presets: it has no OpenHome Radio service") }
    let bytes = try await radio.idArray().array
    // An empty preset has the id 0 and keeps its number.
    let ids = stride(from: 0, to: min(bytes.count, OpenHomeQueue.maximumEntries * 4) / 4 * 4, by: 4)
      .map { start in bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
    let used = ids.filter { $0 != 0 }
    guard !used.isEmpty else { return [] }
    let list = try await radio.readList(idList: used.map { "\($0)" }.joined(separator: " "))
    let items = try OpenHomeQueue.items(trackList: list)
    return ids.enumerated().compactMap { index, id in
      items[id].map { item in
        let uri = MediaObjects(didlLite: item.metadata).objects.first?.resources.first?.uri ?? item.uri
        return SpeakerPreset(number: index + 1, id: id, item: SpeakerItem(uri: uri, metadata: item.metadata))
      }
    }
  }

  /// Plays a preset now. Leaves standby and changes to the radio.
  public func play(_ preset: SpeakerPreset) async throws(ControlPointError) {
    guard let radio = services.radio else { throw .notOffered("presets: it has no OpenHome Radio service") }
    try await wake()
    try await selectSource(ofType: "Radio")
    try await radio.setId(value: preset.id, uri: preset.item.uri)
    try await radio.play()
  }

  /// Moves an entry of the queue by inserting it again and deleting the old one.
  /// - Parameters:
  ///   - id: not the current track, which would stop.
  ///   - predecessor: the id of the entry after which it belongs; 0 for the front.
  public func move(_ entry: SpeakerQueue.Entry, after predecessor: UInt32) async throws(ControlPointError) {
    guard try capabilities.require(.remove) == .playlist, let id = entry.id else {
      throw .notOffered(SpeakerCapabilities.Verb.remove.phrase)
    }
    let queue = OpenHomeQueue(playlist: try services.playlist.required)
    try await queue.insert([entry.item], after: predecessor)
    try await queue.delete([id])
  }
}

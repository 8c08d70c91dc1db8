import UPnP

/// Where new items go in a speaker's queue.
public enum QueuePlacement: Sendable, Hashable {
  /// The items come after the current track; the queue stays.
  case afterCurrent
  /// The items replace the queue.
  case replacingQueue
}

extension RemoteSpeaker {
  /// Plays the items now: on an OpenHome player through its playlist, otherwise one item through AVTransport.
  ///
  /// Leaves standby and changes to the source that plays the items.
  /// - Throws: `.notOffered` for several items on a speaker without a queue; `feed` plays those.
  /// - Returns: the ids of the new entries of the queue; none without a queue.
  @discardableResult
  public func play(
    _ items: [SpeakerItem], placing placement: QueuePlacement = .afterCurrent
  ) async throws(ControlPointError) -> [UInt32] {
    guard let first = items.first else { return [] }
    switch try capabilities.require(.play) {
    case .playlist:
      let playlist = try services.playlist.required
      let queue = OpenHomeQueue(playlist: playlist)
      try await wake()
      if placement == .replacingQueue { try await playlist.deleteAll() }
      let after = placement == .replacingQueue ? 0 : try await queue.currentOrLast()
      // Inserting a large folder takes long, so the first item plays meanwhile.
      let ids = try await queue.insert([first], after: after)
      try await selectSource(ofType: "Playlist")
      try await playlist.seekId(value: ids.last ?? 0)
      return ids + (try await queue.insert(items.dropFirst(), after: ids.last ?? 0))
    default:
      guard items.count == 1 else { throw .notOffered(SpeakerCapabilities.Verb.enqueue.phrase) }
      try await wake()
      try await AVPlayback(transport: try services.avTransport.required).start(first)
      return []
    }
  }

  /// Plays an entry of the queue now.
  public func play(id: UInt32) async throws(ControlPointError) {
    guard try capabilities.require(.play) == .playlist else {
      throw .notOffered(SpeakerCapabilities.Verb.enqueue.phrase)
    }
    try await wake()
    try await selectSource(ofType: "Playlist")
    try await services.playlist?.seekId(value: id)
  }

  /// Appends items to the queue. A speaker without a queue accepts one next item if it offers SetNextAVTransportURI.
  /// - Throws: `queueFull` (801) if an OpenHome player has no more room. The items inserted before that stay in the
  ///   queue.
  /// - Parameter isNext: insert them after the current track instead.
  /// - Returns: the ids of the new entries of the queue; none without a queue.
  @discardableResult
  public func enqueue(
    _ items: [SpeakerItem], next isNext: Bool = false
  ) async throws(ControlPointError) -> [UInt32] {
    guard let first = items.first else { return [] }
    if capabilities.mechanism(for: .enqueue) != nil {
      let queue = OpenHomeQueue(playlist: try services.playlist.required)
      let predecessor = isNext ? try await queue.currentOrLast() : try await queue.ids().last ?? 0
      return try await queue.insert(items[...], after: predecessor)
    }
    _ = try capabilities.require(.announceNext)
    let transport = try services.avTransport.required
    let next = try await tolerating { () throws(ControlPointError) in try await transport.getMediaInfo().nextURI }
    guard items.count == 1, next?.isAbsentValue ?? true else {
      throw .notOffered("a queue of its own: it accepts only one next track")
    }
    try await transport.setNextAVTransportURI(nextURI: first.uri, nextURIMetaData: first.metadata)
    return []
  }

  /// The queue; without OpenHome only the current item and the next one.
  public func queue() async throws(ControlPointError) -> SpeakerQueue {
    switch try capabilities.require(.queue) {
    case .playlist: try await OpenHomeQueue(playlist: try services.playlist.required).queue()
    default: try await AVPlayback(transport: try services.avTransport.required).queue()
    }
  }

  /// Removes entries from the queue. Ignores entries that no longer exist.
  public func remove(ids: [UInt32]) async throws(ControlPointError) {
    _ = try capabilities.require(.remove)
    try await OpenHomeQueue(playlist: try services.playlist.required).delete(ids)
  }

  /// Removes entries by their index, from 0. Indices beyond the end are ignored.
  public func remove(at indices: [Int]) async throws(ControlPointError) {
    _ = try capabilities.require(.remove)
    let ids = try await OpenHomeQueue(playlist: try services.playlist.required).ids()
    try await remove(ids: Set(indices).sorted().filter(ids.indices.contains).map { ids[$0] })
  }

  /// Empties the queue, which stops it.
  public func clear() async throws(ControlPointError) {
    _ = try capabilities.require(.clear)
    try await services.playlist?.deleteAll()
  }

  /// The formats that the speaker accepts, for `ResourceChoice`; empty if it does not say.
  public func acceptedFormats() async throws(ControlPointError) -> [ProtocolInfo] {
    var text = ""
    if capabilities.mechanism(for: .play) == .playlist, let playlist = services.playlist {
      text = try await tolerating { () throws(ControlPointError) in try await playlist.protocolInfo() } ?? ""
    }
    if text.isAbsentValue, let manager = services.connectionManager {
      text = try await tolerating { () throws(ControlPointError) in try await manager.getProtocolInfo().sink } ?? ""
    }
    return text.isAbsentValue ? [] : ProtocolInfo.list(text)
  }
}

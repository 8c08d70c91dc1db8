import UPnP

/// The playlist of an OpenHome player.
struct OpenHomeQueue: Sendable {
  /// Entries per ReadList, so that an answer has a reasonable size.
  private static let chunk = 100
  /// Number of ids; further ones are ignored. No known player holds more.
  static let maximumEntries = 20_000

  let playlist: Playlist1Client
  /// Limit for all URIs and metadata, in bytes. A full queue of Swiftlet has some megabytes.
  var maximumSize = 64 << 20

  func ids() async throws(ControlPointError) -> [UInt32] { try Self.ids(try await playlist.idArray().array) }

  func queue() async throws(ControlPointError) -> SpeakerQueue {
    let ids = try await ids()
    let current = try await playlist.id()
    var items: [UInt32: SpeakerItem] = [:]
    var size = 0
    for start in stride(from: 0, to: ids.count, by: Self.chunk) {
      let chunk = ids[start..<min(start + Self.chunk, ids.count)]
      let list = try await playlist.readList(idList: chunk.map { "\($0)" }.joined(separator: " "))
      let wanted = Set(chunk)
      // A player may answer with more than it was asked for.
      for (id, item) in try Self.items(trackList: list) where wanted.contains(id) && items[id] == nil {
        items[id] = item
        size += item.uri.utf8.count + item.metadata.utf8.count
      }
      guard size <= maximumSize else { throw .tooLarge }
    }
    // ReadList leaves out tracks that were deleted meanwhile.
    let entries = ids.compactMap { id in items[id].map { SpeakerQueue.Entry(id: id, item: $0) } }
    return SpeakerQueue(entries: entries, currentIndex: entries.firstIndex { $0.id == current })
  }

  /// The id after which new items belong; 0 for the front.
  func currentOrLast() async throws(ControlPointError) -> UInt32 {
    let ids = try await ids()
    let current = try await playlist.id()
    return ids.contains(current) ? current : ids.last ?? 0
  }

  /// Inserts the items in order after an entry; 0 inserts them at the front.
  /// - Returns: their ids.
  @discardableResult
  func insert(_ items: ArraySlice<SpeakerItem>, after id: UInt32) async throws(ControlPointError) -> [UInt32] {
    var ids: [UInt32] = []
    for item in items {
      ids.append(try await playlist.insert(afterId: ids.last ?? id, uri: item.uri, metadata: item.metadata))
    }
    return ids
  }

  /// Deletes entries. Ignores entries that no longer exist.
  func delete(_ ids: [UInt32]) async throws(ControlPointError) {
    for id in ids {
      do throws(ControlPointError) {
        try await playlist.deleteId(value: id)
      } catch .fault(code: 800, _) {}
    }
  }

  // MARK: Formats

  /// Big-endian numbers of 32 bits. Zeros, which some players use as padding, are left out.
  static func ids(_ array: [UInt8]) throws(ControlPointError) -> [UInt32] {
    guard array.count.isMultiple(of: 4) else {
      throw .malformed("The playlist's IdArray has \(array.count) bytes, which is no multiple of 4.")
    }
    return stride(from: 0, to: min(array.count, maximumEntries * 4), by: 4)
      .map { start in array[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) } }
      .filter { $0 != 0 }
  }

  /// Reads `<TrackList><Entry><Id/><Uri/><Metadata/></Entry>…</TrackList>`. Entries without a valid id are left out.
  static func items(trackList: String) throws(ControlPointError) -> [UInt32: SpeakerItem] {
    let root: XMLElement
    do throws(XMLReadingError) {
      root = try XMLDocument.read(Array(trackList.utf8)).root
    } catch {
      throw .malformed("The playlist's TrackList is \(error).")
    }
    let entries = root.all("Entry").compactMap { entry -> (UInt32, SpeakerItem)? in
      guard let id = entry.text("Id").flatMap({ UInt32($0) }) else { return nil }
      return (id, SpeakerItem(uri: entry.text("Uri") ?? "", metadata: entry["Metadata"]?.content ?? ""))
    }
    return Dictionary(entries) { first, _ in first }
  }
}

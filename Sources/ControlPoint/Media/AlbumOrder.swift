/// The order of an album's tracks: by disc, then by track number. Everything else keeps the server's order: playlists,
/// folders, and lists of all tracks.
///
/// - Discs come from the server's numbers (`MediaObject.originalDiscNumber`). MiniDLNA and gerbera send none, but can list the
///   tracks by disc: then each disc begins where the track numbers begin again.
/// - A container with several albums, such as "All albums" of an artist, is sorted album by album.
/// - Tracks without a number follow the others, in the server's order.
public enum AlbumOrder {
  private static let albumClass = "object.container.album"

  /// Whether the tracks of a container are sorted.
  public static func applies(to container: MediaObject) -> Bool {
    container.isContainer && container.isDerived(from: albumClass)
  }

  /// The children of an album, in their order. Containers come first.
  /// - Parameter children: in the server's order. Discs that were found by their order are set.
  public static func sorted(_ children: [MediaObject]) -> [MediaObject] {
    var albums: [String?] = []
    var tracks: [String?: [MediaObject]] = [:]
    for child in children where !child.isContainer {
      if tracks[child.album] == nil { albums.append(child.album) }
      tracks[child.album, default: []].append(child)
    }
    return children.filter(\.isContainer) + albums.flatMap { sortedTracks(tracks[$0] ?? []) }
  }

  /// - Parameter tracks: of one album.
  private static func sortedTracks(_ tracks: [MediaObject]) -> [MediaObject] {
    let numbers = tracks.map { Number(disc: $0.originalDiscNumber, track: $0.originalTrackNumber) }
    let discs = discs(of: numbers)
    return order(numbers).map { index in
      var track = tracks[index]
      track.originalDiscNumber = discs[index]
      return track
    }
  }

  /// The numbers of a track, nil if unknown.
  struct Number: Hashable {
    var disc: Int?
    var track: Int?
  }

  /// The indices of an album's tracks in the order to play them.
  static func order(_ numbers: [Number]) -> [Int] {
    let discs = discs(of: numbers)
    func key(_ index: Int) -> (Int, Int, Int) { (discs[index] ?? 1, numbers[index].track ?? .max, index) }
    return numbers.indices.sorted { key($0) < key($1) }
  }

  /// The disc of each track: from the server, otherwise by the order of the track numbers; nil if unknown.
  static func discs(of numbers: [Number]) -> [Int?] {
    let known = numbers.map(\.disc)
    guard known.allSatisfy({ $0 == nil }) else { return known }
    var counts: [Int: Int] = [:]
    var runs = 0
    var longest = 0
    var length = 0
    var last: Int?
    var result: [Int?] = []
    for number in numbers {
      guard let track = number.track else { return known }
      counts[track, default: 0] += 1
      if let former = last, track > former {
        length += 1
      } else {
        runs += 1
        length = 1
      }
      longest = max(longest, length)
      last = track
      result.append(runs)
    }
    // The server lists disc after disc if each number occurs again only on another disc. Otherwise the list is unsorted, or
    // sorted by track only.
    return runs > 1 && longest > 1 && runs == counts.values.max() ? result : known
  }
}

extension MediaServer {
  /// Most tracks of an album that are sorted. Longer lists keep the server's order.
  private static let maximumAlbum = 500
  private static let invalidSortCriteria = 709

  /// The sort criteria for an album; empty if the server cannot sort by track. MiniDLNA sorts by disc, too, if it is asked for the
  /// track.
  public static func albumSort(_ capabilities: MediaCapabilities) -> String {
    guard capabilities.contains("upnp:originalTrackNumber") else { return "" }
    let disc = capabilities.contains("upnp:originalDiscNumber") ? "+upnp:originalDiscNumber," : ""
    return disc + "+upnp:originalTrackNumber"
  }

  /// All children of an album in the order of `AlbumOrder`; nil if there are too many.
  /// - Parameter sort: `albumSort`.
  public func album(_ id: String, sort: String) async throws(ControlPointError) -> MediaSlice? {
    var album: MediaSlice
    do throws(ControlPointError) {
      album = try await children(of: id, from: 0, count: Self.maximumAlbum, sort: sort)
    } catch {
      guard !sort.isEmpty, case .fault(Self.invalidSortCriteria, _) = error else { throw error }
      return try await self.album(id, sort: "")
    }
    guard album.total ?? 0 <= Self.maximumAlbum else { return nil }
    // Some servers return fewer objects than requested.
    while let total = album.total, album.objects.count < total {
      let part = try await children(of: id, from: album.objects.count, count: total, sort: sort)
      guard let first = part.objects.first, first.id != album.objects.first?.id else { break }
      album.objects += part.objects
    }
    guard album.objects.count < Self.maximumAlbum || album.total != nil else { return nil }
    album.objects = AlbumOrder.sorted(album.objects)
    album.total = album.objects.count
    return album
  }
}

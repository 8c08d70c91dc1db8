import UPnP

/// A media server's directory (ContentDirectory:1 to 3).
///
/// ```swift
/// let server = try await MediaServer(device, controlPoint)
/// for try await object in server.browse().objects { print(object.title) }
/// ```
public struct MediaServer: Sendable {
  /// The id of the container that holds everything (ContentDirectory:1 §2.7.4.3).
  public static let root = "0"
  /// Objects in one request. A hundred have some 100 KB.
  private static let pageSize: UInt32 = 100
  /// Limit for the results of a search that are filtered for all words.
  private static let maximumResults = 1000

  public let service: RemoteService

  /// Reads the SCPD of the device's ContentDirectory.
  /// - Throws: `.notOffered` if neither the device nor an embedded one has the service.
  public init(_ device: DeviceDescription.Device, _ controlPoint: UPnPControlPoint) async throws(ControlPointError) {
    self.init(try await controlPoint.client(ContentDirectory1Client.self, of: device).service)
  }

  public init(_ service: RemoteService) { self.service = service }

  // MARK: Browse

  /// The children of a container.
  /// - Parameter sort: such as `+dc:title`; must be in `sortCapabilities`. Empty for the server's own order.
  public func browse(_ containerID: String = root, sort: String = "") -> MediaPages {
    MediaPages(pageSize: Self.pageSize) { [self] start, count throws(ControlPointError) in
      try await browse(containerID, "BrowseDirectChildren", start, count, sort)
    }
  }

  public func object(_ id: String) async throws(ControlPointError) -> MediaObject {
    let outputs = try await browse(id, "BrowseMetadata", 0, 0, "")
    guard let object = MediaObjects(didlLite: outputs["Result"] ?? "").objects.first else {
      throw .malformed("The server describes no object \(id.prefix(100)).")
    }
    return object
  }

  /// The outputs stay text: a page is usable even if its counts are missing.
  private func browse(
    _ id: String, _ flag: String, _ start: UInt32, _ count: UInt32, _ sort: String
  ) async throws(ControlPointError) -> ActionOutputs {
    try await service.call(
      "Browse",
      [
        ("ObjectID", id), ("BrowseFlag", flag), ("Filter", "*"), ("StartingIndex", "\(start)"),
        ("RequestedCount", "\(count)"), ("SortCriteria", sort),
      ])
  }

  /// A part of a container's children, in one request, for a reader that pages by itself.
  /// - Parameters:
  ///   - start: the index of the first child, from 0.
  ///   - sort: such as `+dc:title`; empty for the server's own order.
  public func children(
    of containerID: String, from start: Int, count: Int, sort: String = ""
  ) async throws(ControlPointError) -> MediaSlice {
    let range = MediaSlice.Range(start: start, count: count)
    return try MediaSlice(
      try await browse(containerID, "BrowseDirectChildren", range.start, range.count, sort), range)
  }

  // MARK: Search

  /// The properties that the server can search by; empty if it cannot search.
  public var searchCapabilities: MediaCapabilities {
    get async throws(ControlPointError) {
      guard service.offers("Search"), service.offers("GetSearchCapabilities") else { return MediaCapabilities("") }
      return MediaCapabilities(try await service.call("GetSearchCapabilities")["SearchCaps"] ?? "")
    }
  }

  /// The properties that the server can sort by; empty if it cannot sort.
  public var sortCapabilities: MediaCapabilities {
    get async throws(ControlPointError) {
      guard service.offers("GetSortCapabilities") else { return MediaCapabilities("") }
      return MediaCapabilities(try await service.call("GetSortCapabilities")["SortCaps"] ?? "")
    }
  }

  /// The objects below a container that match.
  /// - Parameter criteria: as in ContentDirectory:1 §2.5.5.
  public func search(_ containerID: String = root, criteria: String, sort: String = "") -> MediaPages {
    MediaPages(pageSize: Self.pageSize) { [self] start, count throws(ControlPointError) in
      try await search(containerID, criteria, start, count, sort)
    }
  }

  /// A part of the objects below a container that match, in one request.
  /// - Parameters:
  ///   - criteria: as in ContentDirectory:1 §2.5.5.
  ///   - start: the index of the first object, from 0.
  public func results(
    _ containerID: String = root, criteria: String, from start: Int, count: Int
  ) async throws(ControlPointError) -> MediaSlice {
    let range = MediaSlice.Range(start: start, count: count)
    return try MediaSlice(try await search(containerID, criteria, range.start, range.count), range)
  }

  private func search(
    _ containerID: String, _ criteria: String, _ start: UInt32, _ count: UInt32, _ sort: String = ""
  ) async throws(ControlPointError) -> ActionOutputs {
    try await service.call(
      "Search",
      [
        ("ContainerID", containerID), ("SearchCriteria", criteria), ("Filter", "*"), ("StartingIndex", "\(start)"),
        ("RequestedCount", "\(count)"), ("SortCriteria", sort),
      ])
  }

  /// The tracks with all words among the first thousand that a search for the longest word finds. For servers that refuse to search
  /// for several words.
  public func results(
    _ search: MediaSearch, byLongestWord criteria: String, from start: Int, count: Int
  ) async throws(ControlPointError) -> MediaSlice {
    let range = MediaSlice.Range(start: 0, count: Self.maximumResults)
    var slice = try MediaSlice(try await self.search(Self.root, criteria, range.start, range.count), range)
    let matching = slice.objects.filter { search.matches($0) }
    let wanted = MediaSlice.Range(start: start, count: count)
    slice.objects = Array(matching.dropFirst(Int(wanted.start)).prefix(Int(wanted.count)))
    slice.total = matching.count
    return slice
  }

  /// Finds tracks whose title, artist or album contain all words, on every server.
  ///
  /// A server that refuses several words is searched for the longest one. A server that cannot search is read container by
  /// container, up to 10 000 containers, 200 000 objects and 16 levels. That may take minutes.
  /// - Parameters:
  ///   - byAlbum: let the server sort by disc and track if it can, for `AlbumOrder`.
  ///   - body: called once for each track.
  /// - Returns: whether the server was searched completely.
  @discardableResult
  public func search(
    text: String, byAlbum: Bool = false, _ body: (MediaObject) throws -> Void
  ) async throws -> Bool {
    let search = MediaSearch(text)
    let capabilities = try await searchCapabilities
    let all = [MediaSearch.Breadth.spellings, .typed].compactMap { search.criteria(capabilities, $0) }
    let sort = byAlbum ? Self.albumSort(try await sortCapabilities) : ""
    // Some servers refuse to sort the results of a search.
    for sort in sort.isEmpty ? [""] : [sort, ""] {
      for criteria in all where try await find(criteria, sort, { $0.kind == .item }, body) { return true }
      if let criteria = search.longestWord?.criteria(capabilities),
        try await find(criteria, sort, search.matches, body)
      {
        return true
      }
    }
    return try await walk(search, body)
  }

  /// - Returns: false if the server refuses a search that its capabilities allow.
  private func find(
    _ criteria: String, _ sort: String, _ isWanted: (MediaObject) -> Bool, _ body: (MediaObject) throws -> Void
  ) async throws -> Bool {
    var found = false
    do {
      for try await object in self.search(criteria: criteria, sort: sort).objects where isWanted(object) {
        found = true
        try body(object)
      }
    } catch ControlPointError.fault where !found {
      return false
    }
    return true
  }

  /// The items in a container and in all containers below it: albums in the order of `AlbumOrder`, everything else in the
  /// server's. Containers below it that the server refuses are left out.
  /// - Parameters:
  ///   - container: nil for the root.
  ///   - limit: further items are left out.
  public func items(below container: MediaObject? = nil, limit: Int) async throws(ControlPointError) -> [MediaObject] {
    let root = container?.id ?? Self.root
    var walk = MediaWalk(root: root)
    var albums: Set<String> = []
    if let container, AlbumOrder.applies(to: container) { albums.insert(root) }
    var sort: String?
    var items: [MediaObject] = []
    /// - Returns: false at a limit.
    func add(_ object: MediaObject) -> Bool {
      guard walk.add(object), items.count < limit else { return false }
      if AlbumOrder.applies(to: object) { albums.insert(object.id) }
      if object.kind == .item { items.append(object) }
      return true
    }
    while let id = walk.next() {
      do throws(ControlPointError) {
        if albums.contains(id) {
          let order = if let sort { sort } else { Self.albumSort(try await sortCapabilities) }
          sort = order
          if let album = try await album(id, sort: order) {
            guard album.objects.allSatisfy(add) else { return items }
            continue
          }
        }
        for try await object in browse(id).objects {
          guard add(object) else { return items }
        }
      } catch {
        guard case .fault = error, id != root else { throw error }
      }
    }
    return items
  }

  private func walk(_ search: MediaSearch, _ body: (MediaObject) throws -> Void) async throws -> Bool {
    var walk = MediaWalk(root: Self.root)
    while let container = walk.next() {
      do {
        for try await object in browse(container).objects {
          guard walk.add(object) else { break }
          if search.matches(object), walk.isNew(object) { try body(object.withPlainTitle) }
        }
      } catch ControlPointError.fault {
        walk.skipped()
      }
    }
    return walk.isComplete
  }
}

import ControlPoint
import Logging
import NIOCore
import UPnP

/// The media servers in the house: a live list of them, and their contents.
///
/// An actor on the event loop.
actor MusicLibrary {
  private static let contentDirectory = ContentDirectory1Client.serviceType
  private static let maximumServers = 64
  /// Maximum containers that are read at the same time. An answer may have two megabytes.
  private static let parallelReads = 4
  private static let maximumWaiting = 32
  /// Maximum number of containers in `albums`.
  private static let maximumRemembered = 4000

  private let house: House
  private let own: Set<String>
  private let links: ArtLinks
  private let executor: any SerialExecutor
  private let logger: Logger
  private let limiter = TaskLimiter(limit: parallelReads, waitingLimit: maximumWaiting)
  private var known: [String: Known] = [:]
  /// Whether containers that were listed or read are albums, so that an album can be read sorted at once.
  private var albums = LRUCache<ContainerID, Bool>(limit: maximumRemembered)
  private var observers: [@Sendable () -> Void] = []
  private(set) var list = ServerList()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  private struct ContainerID: Hashable {
    var server: String
    var container: String
  }

  /// A server that has been found.
  private struct Known {
    var device: DeviceDescription.Device
    /// Nil until its SCPD and search capabilities are read.
    var server: MediaServer?
    /// What the server can search by; nil until it is known.
    var capabilities: MediaCapabilities?
    /// The sort criteria for albums.
    var albumSort = ""
    var reading: Task<Void, Never>?
  }

  /// - Parameter own: the UDNs of the speaker's own devices.
  init(house: House, own: Set<String>, links: ArtLinks, eventLoop: any EventLoop, logger: Logger) {
    self.house = house
    self.own = own
    self.links = links
    executor = eventLoop.executor
    self.logger = logger
  }

  /// Begins to follow the house. Call once.
  func attach() {
    // Swift 6.2 crashes if this closure is within the other one.
    let update = { @Sendable [weak self] () -> Void in self?.assumeIsolated { $0.update() } }
    house.assumeIsolated { $0.observe(update) }
  }

  /// Calls the body on the event loop when the list of servers has changed.
  func observe(_ body: @escaping @Sendable () -> Void) { observers.append(body) }

  // MARK: Servers

  /// The servers, after waiting for a search that has just begun.
  func servers() async -> ServerList {
    await house.requested(.servers)
    await house.settle()
    return list
  }

  /// Compares the servers with the devices in the house.
  private func update() {
    let (isNeeded, descriptions, controlPoint) = house.assumeIsolated {
      ($0.isNeeded(.servers), $0.descriptions, $0.controlPoint)
    }
    var devices: [String: DeviceDescription.Device] = [:]
    if isNeeded {
      for device in descriptions.flatMap(\.root.all) where device.service(Self.contentDirectory) != nil {
        if devices.count < Self.maximumServers { devices[device.udn] = device }
      }
    }
    for (id, server) in known where devices[id] != server.device {
      server.reading?.cancel()
      known[id] = nil
    }
    for (id, device) in devices where known[id] == nil {
      known[id] = Known(device: device)
      if let controlPoint { known[id]?.reading = Task { await read(device, controlPoint) } }
    }
    report()
  }

  private func read(_ device: DeviceDescription.Device, _ controlPoint: UPnPControlPoint) async {
    do throws(ControlPointError) {
      let server = try await MediaServer(device, controlPoint)
      guard known[device.udn]?.device == device else { return }
      known[device.udn]?.server = server
      let capabilities = try await server.searchCapabilities
      guard known[device.udn]?.device == device else { return }
      known[device.udn]?.capabilities = capabilities
      report()
      let sort = MediaServer.albumSort(try await server.sortCapabilities)
      if known[device.udn]?.device == device { known[device.udn]?.albumSort = sort }
    } catch {
      logger.debug("The media server \(device.friendlyName): \(error)")
      guard known[device.udn]?.device == device, known[device.udn]?.capabilities == nil else { return }
      known[device.udn]?.capabilities = MediaCapabilities("")
      report()
    }
  }

  private func report() {
    let entries = known.map { id, server in
      ServerList.Entry(
        id: id, name: String(server.device.friendlyName.prefix(200)), own: own.contains(id) ? true : nil,
        icon: links.path(for: ArtChoice.url(server.device.icons)),
        searchable: server.capabilities.map { Self.isSearchable($0) })
    }
    let new = ServerList(entries)
    guard new != list else { return }
    list = new
    for observer in observers { observer() }
  }

  /// A server, once it has been found and its SCPD read.
  func server(_ id: String) async throws(LibraryError) -> (server: MediaServer, name: String) {
    await house.requested(.servers)
    while true {
      if let known = known[id] {
        await known.reading?.value
        guard let server = self.known[id]?.server else { throw .server("It does not describe its directory.") }
        return (server, known.device.friendlyName)
      }
      guard await house.isSearching, !Task.isCancelled else { throw .unknownServer }
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  // MARK: Contents

  /// A part of a container: an album in the order of `AlbumOrder`, everything else in the server's.
  func browse(
    _ id: String, container: String, offset: Int, count: Int
  ) async throws(LibraryError) -> LibraryPage {
    let (server, name) = try await server(id)
    guard await limiter.enter() else { throw .busy }
    defer { limiter.leave() }
    let isRoot = container == MediaServer.root
    async let facts = isRoot ? nil : Self.facts(of: container, server)
    do throws(ControlPointError) {
      if !isRoot, albums.value(ContainerID(server: id, container: container)) == nil, let object = await facts {
        remember(container, object, of: id)
      }
      let slice: MediaSlice
      if !isRoot, var album = try await album(container, of: id) {
        album.objects = Array(album.objects.dropFirst(offset).prefix(count))
        slice = album
      } else {
        slice = try await server.children(of: container, from: offset, count: count)
      }
      let object = await facts
      let parent = object?.parentID ?? ""
      return page(
        slice, server: id, container: container, title: object?.title ?? (isRoot ? name : ""),
        parent: isRoot || parent.isEmpty || parent == "-1" ? nil : parent, offset: offset)
    } catch {
      throw LibraryError(error)
    }
  }

  /// All tracks of an album, sorted; nil for other containers, and for albums that are too long to be sorted.
  func album(_ container: String, of id: String) async throws(ControlPointError) -> MediaSlice? {
    guard let server = known[id]?.server else { return nil }
    let key = ContainerID(server: id, container: container)
    if albums.value(key) == nil { await Self.facts(of: container, server).map { remember(container, $0, of: id) } }
    guard albums.value(key) == true else { return nil }
    let album = try await server.album(container, sort: known[id]?.albumSort ?? "")
    if let album { remember(album.objects, of: id) } else { albums.insert(false, for: key, cost: 1) }
    return album
  }

  /// Remembers which of these objects are albums.
  func remember(_ objects: [MediaObject], of id: String) {
    for object in objects where object.isContainer && !object.id.isEmpty { remember(object.id, object, of: id) }
  }

  private func remember(_ container: String, _ object: MediaObject, of id: String) {
    let key = ContainerID(server: id, container: container)
    let isAlbum = AlbumOrder.applies(to: object)
    // An album that is too long stays a container like any other.
    if !isAlbum || albums.value(key) == nil { albums.insert(isAlbum, for: key, cost: 1) }
  }

  /// The container itself; nil if the server describes only its children.
  private static func facts(of container: String, _ server: MediaServer) async -> MediaObject? {
    try? await server.object(container)
  }

  /// The tracks, albums or artists that contain all words.
  func search(
    _ id: String, _ search: MediaSearch, words: String, offset: Int, count: Int
  ) async throws(LibraryError) -> LibraryPage {
    _ = try await server(id)
    guard await limiter.enter() else { throw .busy }
    defer { limiter.leave() }
    let slice = try await found(search, on: id, from: offset, count: count)
    return page(slice, server: id, container: MediaServer.root, title: words, parent: nil, offset: offset)
  }

  /// A part of what a search on a server finds.
  func found(_ search: MediaSearch, on id: String, from offset: Int, count: Int) async throws(LibraryError)
    -> MediaSlice
  {
    let (server, _) = try await server(id)
    let capabilities = known[id]?.capabilities ?? MediaCapabilities("")
    guard Self.isSearchable(capabilities) else { throw .notSearchable }
    do throws(ControlPointError) {
      // A server that can search for tracks only finds no albums.
      return try await server.found(search, capabilities, from: offset, count: count) ?? MediaSlice.empty
    } catch {
      throw LibraryError(error)
    }
  }

  private static func isSearchable(_ capabilities: MediaCapabilities) -> Bool {
    MediaSearch("word").criteria(capabilities) != nil
  }

  private func page(
    _ slice: MediaSlice, server: String, container: String, title: String, parent: String?, offset: Int
  ) -> LibraryPage {
    remember(slice.objects, of: server)
    return LibraryPage(
      server: server, container: container, title: title, parent: parent, total: slice.total, offset: offset,
      revision: slice.updateID.map { "\($0)" } ?? "",
      items: slice.objects.filter { !$0.id.isEmpty }.map { object in
        .init(object, art: links.path(for: ArtChoice.url(object.artworks, for: .list)))
      },
      cover: slice.objects.first.flatMap { $0.isContainer ? nil : links.path(of: $0) })
  }
}

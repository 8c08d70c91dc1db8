import ArgumentParser
import ControlPoint
import Glibc
import UPnP

/// Resolves the user's item references to items that a speaker can play.
struct ItemResolver {
  /// Limit for the tracks of one container and all containers in it.
  private static let maximumTracks = 2000
  /// Time limit for the search on all servers. A server that cannot search is read completely.
  private static let searchTime = Duration.seconds(30)
  private static let serverType = URN(domain: "schemas-upnp-org", kind: .device, name: "MediaServer", version: 1)

  private let session: Session
  private let choice: ResourceChoice
  /// The media servers; nil until they have been searched for.
  private var servers: [FoundDevice]?

  init(_ session: Session, for speaker: RemoteSpeaker) async throws(ControlPointError) {
    self.session = session
    choice = ResourceChoice(sink: try await speaker.acceptedFormats())
  }

  /// - Throws: `ExitCode`, after a message, when there is nothing to play.
  mutating func resolve(_ reference: ItemReference) async throws -> [SpeakerItem] {
    switch reference {
    case .url(let url): return [item(url: url)]
    case .server(let name, let path): return try playable(try await tracks(at: MediaPath(path), on: name))
    case .search(let text): return try playable(try await tracks(matching: text))
    // `PlayableItems` serves local files, and reports stations to the directory.
    case .path, .station: return []
    }
  }

  private func item(url: String) -> SpeakerItem {
    let resource = MediaResource(uri: url)
    let object = MediaObject(title: DIDLLite.title(ofURI: url), resources: [resource])
    return SpeakerItem(object, resource: resource)
  }

  // MARK: Media servers

  private func tracks(at path: MediaPath, on name: String) async throws -> [MediaObject] {
    let server = try await session.server(name)
    do {
      let object = try await server.resolve(path)
      if let object, !object.isContainer { return [object] }
      return try await server.items(below: object, limit: Self.maximumTracks)
    } catch let failure as MediaPath.Failure {
      Terminal.complain(failure.description)
      if case .several = failure { throw ExitCode(EX_USAGE) }
      throw ExitCode(EX_NOHOST)
    }
  }

  private mutating func tracks(matching text: String) async throws -> [MediaObject] {
    let servers = await foundServers()
    guard !servers.isEmpty else {
      Terminal.complain(
        "There is no media server to search for \"\(text)\". A file or folder begins with ./ or /.")
      throw ExitCode(EX_NOHOST)
    }
    var selection = SearchSelection(text)
    let searches = servers.map { server -> ServerSearch.Search in
      { [controlPoint = session.controlPoint] found in
        try await MediaServer(server.root, controlPoint).search(text: text, byAlbum: true, found)
      }
    }
    for (server, result) in zip(servers, await ServerSearch.run(searches, text: text, limit: Self.searchTime)) {
      selection.add(await withDiscs(result.selection, of: server))
      if result.isCutShort {
        Terminal.complain("The search of \(server.root.friendlyName) took too long. Results may be missing.")
      } else if let error = result.error {
        Terminal.complain("\(server.root.friendlyName): \(error)")
      }
    }
    guard !selection.chosen.isEmpty else {
      let isFile = access(text, F_OK) == 0
      Terminal.complain(
        "No track matches \"\(text)\" on \(servers.map(\.root.friendlyName).joined(separator: ", "))."
          + (isFile ? " To play the file, write ./\(text)." : ""))
      throw ExitCode(EX_NOHOST)
    }
    tellOthers(selection)
    if let limit = selection.exceededLimit { Terminal.complain("Only the first \(limit) tracks are used.") }
    return selection.chosen
  }

  /// Asks a server for the titles of the folders that are discs.
  private func withDiscs(_ selection: SearchSelection, of device: FoundDevice) async -> SearchSelection {
    let containers = selection.discContainers
    guard !containers.isEmpty, let server = try? await MediaServer(device.root, session.controlPoint) else {
      return selection
    }
    var titles: [String: String] = [:]
    for id in containers { titles[id] = (try? await server.object(id))?.title }
    var selection = selection
    selection.setTitles(titles)
    return selection
  }

  private func tellOthers(_ selection: SearchSelection) {
    let others = selection.others
    guard let chosen = selection.chosen.first, !others.isEmpty else { return }
    let lines = ([chosen] + others).prefix(10).map { track in
      [track.title, track.artist, track.album].compactMap { $0 }.joined(separator: " — ")
    }
    let more = others.count >= lines.count ? "\n  and \(others.count + 1 - lines.count) more" : ""
    Terminal.complain(
      """
      \(others.count + 1) \(selection.chosen.count == 1 ? "tracks" : "albums") have this title. This is the first one; more \
      words, such as the artist's name, choose another:
        \(lines.joined(separator: "\n  "))\(more)
      """)
  }

  private mutating func foundServers() async -> [FoundDevice] {
    if let servers { return servers }
    let found = await session.find(.type(Self.serverType)).devices
    servers = found
    return found
  }

  /// The tracks in the form that suits the speaker. Reports those that it cannot play.
  func playable(_ tracks: [MediaObject]) throws -> [SpeakerItem] {
    var items: [SpeakerItem] = []
    var failures: [(MediaObject, ResourceChoice.Failure)] = []
    for track in tracks {
      do throws(ResourceChoice.Failure) {
        items.append(SpeakerItem(track, resource: try choice.best(of: track)))
      } catch {
        failures.append((track, error))
      }
    }
    for (track, failure) in failures.prefix(10) { Terminal.complain("\(track.title): \(failure)") }
    if failures.count > 10 { Terminal.complain("\(failures.count - 10) more tracks cannot be played.") }
    guard !items.isEmpty else {
      if failures.isEmpty { Terminal.complain("There is nothing to play.") }
      throw ExitCode(EX_NOHOST)
    }
    return items
  }
}

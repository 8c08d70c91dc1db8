import ArgumentParser
import ControlPoint
import Glibc

/// `swiftlet-control browse`
struct BrowseCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "List a container of a media server, or show an item.",
    discussion: """
      Example:
        swiftlet-control browse Library "/Music/Album/Kind of Blue"
      Titles match in any case and may contain slashes. Title[2] is the second object of that title, and [2] alone the \
      second object of the container.
      """)

  @Argument(help: .server, completion: .servers) var server: String
  @Argument(help: "A path of titles, such as /Music/Artist.", completion: .paths) var path = "/"
  @Flag(help: "Also report where the server deviates from the specification.") var deviations = false
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    try await Session.run(options, devices: [server]) { session in
      let server = try await session.server(server)
      let object = try await resolve(server)
      if let object, !object.isContainer {
        if options.json { try Terminal.json(MediaLine(object)) } else { MediaListing.details(object) }
      } else if let object, !deviations, AlbumOrder.applies(to: object),
        let album = try await server.album(object.id, sort: MediaServer.albumSort(server.sortCapabilities))
      {
        for object in album.objects { try MediaListing.show(object, asJSON: options.json) }
      } else {
        try await list(server.browse(object?.id ?? MediaServer.root))
      }
    }
  }

  private func resolve(_ server: MediaServer) async throws -> MediaObject? {
    do {
      return try await server.resolve(MediaPath(path))
    } catch let failure as MediaPath.Failure {
      Terminal.complain(failure.description)
      if case .several = failure { throw ExitCode(EX_USAGE) }
      throw ExitCode(EX_NOHOST)
    }
  }

  private func list(_ pages: MediaPages) async throws {
    var unreadable = 0
    var hasChanged = false
    for try await page in pages {
      for object in page.objects { try MediaListing.show(object, asJSON: options.json) }
      unreadable += page.unreadable
      hasChanged = page.hasChanged
      guard deviations else { continue }
      for deviation in page.deviations { Terminal.complain(deviation.description) }
    }
    if unreadable > 0 { Terminal.complain("Left out \(unreadable) malformed objects.") }
    if hasChanged {
      Terminal.complain("The server's content changed meanwhile. Objects may be missing or listed twice.")
    }
  }
}

/// `swiftlet-control search`
struct SearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Find tracks of a media server by title, artist and album.",
    discussion: """
      Lists the tracks in which all words occur, in any case. A server that cannot search is read completely, which may \
      take minutes.
      """)

  @Argument(help: .server, completion: .servers) var server: String
  @Argument(help: ArgumentHelp("Words to find.", valueName: "word")) var text: [String]
  @OptionGroup var options: NetworkOptions

  func run() async throws {
    try await Session.run(options, devices: [server]) { session in
      let server = try await session.server(server)
      var isFound = false
      let text = text.joined(separator: " ")
      let isComplete = try await server.search(text: text) { object in
        isFound = true
        try MediaListing.show(object, asJSON: options.json)
      }
      if !isComplete { Terminal.complain("The server cannot search, and some of it could not be read.") }
      guard isFound else {
        Terminal.complain("No track matches \"\(text)\".")
        throw ExitCode(EX_NOHOST)
      }
    }
  }
}

extension ArgumentHelp {
  fileprivate static let server = ArgumentHelp(
    "The media server's name, UDN, address or URL; each word of the name may be abbreviated.")
}

import ArgumentParser
import ControlPoint
import Glibc
import Stations

/// `swiftlet-control radio`
struct RadioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "radio", abstract: "Find stations in the directory of internet radio.",
    subcommands: [RadioSearchCommand.self])
}

/// `swiftlet-control radio search`
struct RadioSearchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "List stations, those with the most votes first.",
    discussion: """
      Words are part of the name. tag:, country: and language: narrow the search. Without words, the popular stations of the \
      country of this machine's locale are listed.
      Examples:
        swiftlet-control radio search radio paradise
        swiftlet-control radio search tag:jazz country:fr
        swiftlet-control play Kitchen station:radio paradise
      """)

  @Argument(help: ArgumentHelp("Words, tag:GENRE, country:NAME or language:NAME.", valueName: "word"))
  var words: [String] = []
  @Option(help: ArgumentHelp("List at most this many stations.", valueName: "number")) var count = 30
  @OptionGroup var stations: DirectoryOptions
  @OptionGroup var options: NetworkOptions

  func validate() throws {
    guard count > 0 else { throw ValidationError("--count is at least 1.") }
  }

  func run() async throws {
    let text = words.joined(separator: " ")
    let found = try await stations.directory.stations(for: StationQuery(text))
    guard !found.isEmpty else {
      Terminal.complain("No station matches \"\(text)\".")
      throw ExitCode(EX_NOHOST)
    }
    for station in found.prefix(count) {
      if options.json { try Terminal.json(station) } else { Terminal.entry("\(station.title) — \(station.summary)") }
    }
    try Terminal.finish()
  }
}

/// The directory of internet radio.
struct DirectoryOptions: ParsableArguments {
  @Option(
    name: .customLong("directory"),
    help: ArgumentHelp("Find stations on this mirror of radio-browser.info.", valueName: "url"),
    transform: { text in
      guard let place = StationDirectory.Place(text), case .mirror = place else {
        throw ValidationError("\"\(text)\" is not an http or https address.")
      }
      return place
    })
  var place = StationDirectory.Place.service

  var directory: StationDirectory {
    StationDirectory(
      place, product: "swiftlet-control/\(Version.number) (command line)", home: HomeCountry.find(zone: nil))
  }
}

extension StationDirectory {
  /// Searches for stations.
  /// - Throws: `ExitCode`, after a message, if the directory fails.
  func stations(for query: StationQuery) async throws -> [Station] {
    do throws(DirectoryError) {
      return try await search(query)
    } catch {
      Terminal.complain(error.sentence)
      throw ExitCode(EX_UNAVAILABLE)
    }
  }

  /// The station that these words mean.
  /// - Throws: `ExitCode`, after a message, when there is none.
  func station(named words: String) async throws -> Station {
    let query = StationQuery(words)
    guard let station = try await stations(for: query).best(for: query) else {
      Terminal.complain("No station matches \"\(words)\". `swiftlet-control radio search WORDS` lists stations.")
      throw ExitCode(EX_NOHOST)
    }
    return station
  }
}

extension SpeakerItem {
  init(_ station: Station) {
    let resource = MediaResource(uri: station.uri)
    let object = MediaObject(
      title: station.title, objectClass: "object.item.audioItem.audioBroadcast",
      albumArtURIs: [station.artURI].compactMap(\.self), resources: [resource])
    self.init(object, resource: resource)
  }
}

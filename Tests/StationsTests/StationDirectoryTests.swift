import Synchronization
import Testing

@testable import Stations

@Suite struct StationDirectoryTests {
  /// Servers that answer or fail, and what they were asked.
  private final class Servers: Sendable {
    private struct State {
      var asked: [String] = []
      var lookups = 0
      var answers: [String: DirectoryNetwork.Fetched] = [:]
    }

    private let state: Mutex<State>
    private let names: [String]

    init(_ answers: [(base: String, answer: DirectoryNetwork.Fetched)]) {
      names = answers.map(\.base)
      state = Mutex(State(answers: Dictionary(uniqueKeysWithValues: answers.map { ($0.base, $0.answer) })))
    }

    var asked: [String] { state.withLock(\.asked) }
    var lookups: Int { state.withLock(\.lookups) }

    func set(_ base: String, _ answer: DirectoryNetwork.Fetched) { state.withLock { $0.answers[base] = answer } }

    var network: DirectoryNetwork {
      DirectoryNetwork(
        servers: {
          self.state.withLock { $0.lookups += 1 }
          // Each has a rank of its own, so that the order is known.
          return self.names.map { [$0] }
        },
        fetch: { address, _ in
          self.state.withLock { state in
            state.asked.append(address)
            return state.answers.first { address.hasPrefix($0.key) }?.value ?? .failure(.timeout)
          }
        })
    }
  }

  private static let list = DirectoryNetwork.Fetched.success(
    Array(#"[{"stationuuid":"1","name":"Jazz Radio","url":"http://192.0.2.1/"}]"#.utf8))
  private static let empty = DirectoryNetwork.Fetched.success(Array("[]".utf8))
  private static let garbage = DirectoryNetwork.Fetched.success(Array("<html>".utf8))

  @Test func asksTheNextServerAfterAFailure() async throws {
    let servers = Servers([("http://a", .failure(.timeout)), ("http://b", Self.garbage), ("http://c", Self.list)])
    let directory = StationDirectory(servers.network)
    #expect(try await directory.search(StationQuery("jazz")).map(\.id) == ["1"])
    #expect(servers.asked.map { $0.prefix(8) } == ["http://a", "http://b", "http://c"])
    // The one that works is asked from now on.
    _ = try await directory.search(StationQuery("radio"))
    #expect(servers.asked.last?.hasPrefix("http://c") == true && servers.asked.count == 4)
    #expect(servers.lookups == 1)
  }

  @Test func reportsTheLastFailure() async throws {
    let servers = Servers([("http://a", .failure(.timeout)), ("http://b", .failure(.failed("Reason.")))])
    let directory = StationDirectory(servers.network)
    await #expect(throws: DirectoryError.failed("Reason.")) { try await directory.search(StationQuery("jazz")) }
    // All have failed: look for servers again.
    servers.set("http://a", Self.list)
    #expect(try await directory.search(StationQuery("jazz")).count == 1)
    #expect(servers.lookups == 2)
  }

  @Test func namesThatAreUnknownAreAFailure() async {
    let directory = StationDirectory(Servers([]).network)
    await #expect(throws: DirectoryError.self) { try await directory.search(StationQuery("jazz")) }
  }

  @Test func anEmptyQueryAsksForTheHomeCountry() async throws {
    let servers = Servers([("http://a", Self.empty)])
    _ = try await StationDirectory(servers.network, home: CountryCode("at")).search(StationQuery(""))
    _ = try await StationDirectory(servers.network).search(StationQuery(""))
    _ = try await StationDirectory(servers.network, home: CountryCode("at")).search(StationQuery("tag:pop"))
    #expect(servers.asked.map { $0.contains("countrycode=AT") } == [true, false, false])
  }

  @Test func asksForOneWordIfNoNameHasThemAll() async throws {
    let servers = Servers([("http://a", Self.empty)])
    #expect(try await StationDirectory(servers.network).search(StationQuery("radio jazzier")) == [])
    #expect(servers.asked.map { $0.contains("name=jazzier&") } == [false, true])
  }

  @Test func reportsAStationOnce() async throws {
    let servers = Servers([("http://a", Self.list)])
    let directory = StationDirectory(servers.network)
    let station = try await directory.station("1")
    await directory.played(station.id)
    await directory.played(station.id)
    await directory.played("no/id")
    #expect(servers.asked == ["http://a/json/stations/byuuid/1", "http://a/json/url/1"])
  }

  @Test func refusesIdsThatAreNone() async {
    let directory = StationDirectory(Servers([("http://a", Self.empty)]).network)
    for id in ["", "../x", "1"] {
      await #expect(throws: DirectoryError.unknownStation) { try await directory.station(id) }
    }
  }

  @Test(
    arguments: [
      ("on", .service), ("off", .off), ("http://192.0.2.1:8080/", .mirror("http://192.0.2.1:8080")),
      ("https://a.example/radio", .mirror("https://a.example/radio")), ("On", nil), ("", nil), ("ftp://a", nil),
      ("http://a b", nil), ("http://a/?x", nil), ("http://", nil),
    ] as [(String, StationDirectory.Place?)])
  func readsItsPlace(_ text: String, _ place: StationDirectory.Place?) {
    #expect(StationDirectory.Place(text) == place)
    if let place, !text.hasSuffix("/") { #expect(place.description == text) }
  }
}

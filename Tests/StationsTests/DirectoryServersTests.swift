import Testing

@testable import Stations

@Suite struct DirectoryServersTests {
  private let start = ContinuousClock.now
  private var random = SystemRandomNumberGenerator()

  private mutating func servers(_ found: [[String]]) -> DirectoryServers {
    var servers = DirectoryServers()
    servers.found(found, at: start, using: &random)
    return servers
  }

  @Test mutating func theServersOfTheBestRankComeFirst() {
    var first: Set<String> = []
    for _ in 0..<200 {
      let servers = servers([["a", "b"], ["c"]])
      #expect(servers.bases.count == 3 && servers.bases.last == "c")
      first.insert(servers.bases[0])
    }
    #expect(first == ["a", "b"])
  }

  @Test mutating func aFailureMovesOnToTheNextServer() {
    var servers = servers([["a"], ["b"], ["c"], ["d"]])
    #expect(Array(servers.candidates) == ["a", "b", "c"])
    servers.failed("a")
    servers.failed("b")
    #expect(servers.bases == ["c", "d", "a", "b"])
    #expect(!servers.isStale(at: start))
    for base in ["c", "d"] { servers.failed(base) }
    #expect(servers.isStale(at: start))
    servers.answered("a")
    #expect(!servers.isStale(at: start))
    servers.failed("unknown")
    #expect(servers.bases.count == 4)
  }

  @Test mutating func theListIsReadAgainAfterAnHour() {
    var servers = servers([["a", "b", "c", "d", "e"]])
    let before = servers.bases[0]
    #expect(!servers.isStale(at: start + .seconds(3599)))
    #expect(servers.isStale(at: start + .seconds(3600)))
    // The server that works stays. An empty list changes nothing.
    servers.found([["e", "d", "c", "b", "a"]], at: start + .seconds(3600), using: &random)
    #expect(servers.bases[0] == before)
    servers.found([[], []], at: start + .seconds(9999), using: &random)
    #expect(servers.bases.count == 5 && servers.isStale(at: start + .seconds(9999)))
    #expect(DirectoryServers().isStale(at: start))
  }
}

@Suite struct StationMemoryTests {
  private let start = ContinuousClock.now
  private let station = Station(id: "1", title: "A", uri: "http://192.0.2.1/", languages: [], tags: [], votes: 0)

  @Test func answersAreKeptForAnHour() {
    var memory = StationMemory()
    memory.store([station], for: StationQuery("a"), at: start)
    #expect(memory.answer(to: StationQuery("a"), at: start + .seconds(3599)) == [station])
    #expect(memory.answer(to: StationQuery("a"), at: start + .seconds(3600)) == nil)
    #expect(memory.answer(to: StationQuery("b"), at: start) == nil)
    // It can still be played.
    #expect(memory.station("1") == station)
    #expect(memory.station("2") == nil)
  }

  @Test func theOldestAnswerMakesRoom() {
    var memory = StationMemory()
    for number in 0...StationMemory.maximumAnswers {
      memory.store([], for: StationQuery("\(number)"), at: start + .seconds(number))
    }
    let now = start + .seconds(100)
    #expect(memory.answer(to: StationQuery("0"), at: now) == nil)
    #expect(memory.answer(to: StationQuery("1"), at: now) == [])
  }

  @Test func aStationIsClickedOnceADay() {
    var memory = StationMemory()
    let visits = [("1", 0), ("1", 86_399), ("2", 86_399), ("1", 86_400)]
    #expect(visits.map { memory.clicked($0, at: start + .seconds($1)) } == [true, false, true, true])
    let others = (0...StationMemory.maximumClicks).map { memory.clicked("x\($0)", at: start + .seconds(86_400)) }
    #expect(others.first == true && others.last == false)
  }
}

@Suite struct ServiceRecordTests {
  private static func number(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }

  private static func name(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    for label in text.split(separator: ".") { bytes += [UInt8(label.utf8.count)] + Array(label.utf8) }
    return bytes + [0]
  }

  private struct Record {
    var type: UInt16 = ServiceRecord.type
    var data: [UInt8]

    static func server(_ priority: UInt16, _ port: UInt16, _ host: [UInt8]) -> Record {
      Record(data: number(priority) + number(1) + number(port) + host)
    }
  }

  /// An answer to a question for `_api._tcp.example`, whose last label is at 22.
  private static func message(_ records: [Record]) -> [UInt8] {
    var bytes: [UInt8] = [0, 1, 0x81, 0x80, 0, 1, 0, UInt8(records.count), 0, 0, 0, 0]
    bytes += name("_api._tcp.example") + number(33) + number(1)
    for record in records {
      bytes += [0xC0, 12] + number(record.type) + number(1)
      bytes += [0, 0, 0, 60] + number(UInt16(record.data.count)) + record.data
    }
    return bytes
  }

  private static let good = message([
    Record(type: 5, data: name("alias.example")), .server(10, 443, name("de1.example")),
    .server(20, 8080, [3, 0x6E, 0x6C, 0x31, 0xC0, 22]), .server(30, 443, [0]), .server(30, 0, name("no-port.example")),
  ])

  @Test func readsTheServersOfAnAnswer() {
    #expect(
      ServiceRecord.list(Self.good) == [
        ServiceRecord(priority: 10, port: 443, host: "de1.example"),
        ServiceRecord(priority: 20, port: 8080, host: "nl1.example"),
      ])
  }

  @Test func survivesDamagedAnswers() {
    for count in 0..<Self.good.count { #expect(ServiceRecord.list(Array(Self.good.prefix(count))).count <= 2) }
    for index in Self.good.indices {
      for value in [0, 1, 0x3F, 0x40, 0xC0, 0xFF] as [UInt8] {
        var damaged = Self.good
        damaged[index] = value
        _ = ServiceRecord.list(damaged)
      }
    }
    // A pointer to itself.
    #expect(ServiceRecord.list(Self.message([.server(1, 443, [0xC0, 53])])).isEmpty)
  }
}

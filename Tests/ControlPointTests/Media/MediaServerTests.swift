import Logging
import NIOCore
import Synchronization
import Testing

@testable import ControlPoint
@testable import UPnP

@Suite(.timeLimit(.minutes(1))) struct MediaServerTests {
  @Test func streamsALargeContainerPageByPage() async throws {
    let directory = StandInDirectory(count: 10_000)
    var count = 0
    for try await page in directory.server().browse("0") {
      #expect(page.objects.count <= 100 && page.total == 10_000 && !page.hasChanged && page.deviations.isEmpty)
      for object in page.objects {
        #expect(object.id == "\(count)")
        count += 1
      }
    }
    #expect(count == 10_000 && directory.requests.count == 100)
  }

  @Test func asksOnlyForThePagesThatAreRead() async throws {
    let directory = StandInDirectory(count: 10_000)
    var titles: [String] = []
    for try await object in directory.server().browse("0").objects {
      titles.append(object.title)
      if titles.count == 101 { break }
    }
    #expect(titles.last == "Track 100" && directory.requests.count == 2)
  }

  @Test func asksOnlyServersThatCanSearch() async throws {
    for (capabilities, isSearched) in [("dc:title,upnp:class", true), ("", false)] {
      let directory = StandInDirectory(count: 120, capabilities: capabilities)
      var found: [String] = []
      let isComplete = try await directory.server().search(text: "track 11") { found.append($0.title) }
      #expect(isComplete)
      #expect(found.first == "Track 11" && found.contains("Track 119") && found.count == 11)
      #expect(directory.requests.contains { $0.action == "Search" } == isSearched)
    }
  }

  @Test func asksAServerThatRefusesSeveralWordsForTheLongestOne() async throws {
    let directory = StandInDirectory(count: 120, capabilities: "dc:title", refuses: " and ")
    var found: [String] = []
    try await directory.server().search(text: "9 11") { found.append($0.title) }
    #expect(found == ["Track 119"])
    // With several spellings, as typed, and for the longest word.
    #expect(directory.requests.map(\.action) == ["Search", "Search", "Search"])
  }

  @Test(
    arguments: [(0, 2, ["11", "110"]), (9, 5, ["118", "119"]), (20, 1, []), (-1, -1, ["11"]), (10, .max, ["119"])]
      as [(Int, Int, [String])])
  func givesAPartOfTheResultsOfTheLongestWord(start: Int, count: Int, ids: [String]) async throws {
    let directory = StandInDirectory(count: 120, capabilities: "dc:title")
    let search = MediaSearch("1 11")
    let criteria = try #require(search.longestWord?.criteria(MediaCapabilities("dc:title")))
    let slice = try await directory.server().results(search, byLongestWord: criteria, from: start, count: count)
    #expect(slice.objects.map(\.id) == ids)
    #expect(slice.total == 11)
  }

  @Test func walksAServerThatRefusesToSearch() async throws {
    let directory = StandInDirectory(count: 10, capabilities: "dc:title", refuses: "")
    var found: [String] = []
    try await directory.server().search(text: "7") { found.append($0.title) }
    #expect(found == ["Track 7"])
  }

  @Test func readsAroundAContainerThatIsRefused() async throws {
    let directory = StandInDirectory(count: 5, unbrowsableContainer: 2)
    #expect(try await directory.server().items(limit: 10).map(\.id) == ["0", "1", "3", "4"])
    await #expect(throws: ControlPointError.fault(code: 701, description: "No such object")) {
      try await directory.server().items(below: MediaObject(.container, id: "2", title: ""), limit: 10)
    }
  }

  @Test func readsOneObject() async throws {
    #expect(try await StandInDirectory(count: 10).server().object("3").title == "Track 3")
    await #expect(throws: ControlPointError.fault(code: 701, description: "No such object")) {
      try await StandInDirectory(count: 10).server().object("10")
    }
  }

  @Test func anErrorEndsTheSequence() async {
    let directory = StandInDirectory(count: 0)
    await #expect(throws: ControlPointError.fault(code: 701, description: "No such object")) {
      for try await _ in directory.server().browse("missing") {}
    }
  }
}

/// A ContentDirectory with one container.
private final class StandInDirectory: HTTPSending {
  struct Request {
    var action: String
    var start: Int
  }

  private let count: Int
  private let capabilities: String
  /// Search criteria that contain this text are refused; all if it is empty.
  private let refusedCriteria: String?
  /// The object that is a container, which cannot be browsed.
  private let unbrowsableContainer: Int?
  private let log = Mutex<[Request]>([])

  init(
    count: Int, capabilities: String = "", refuses refusedCriteria: String? = nil, unbrowsableContainer: Int? = nil
  ) {
    self.count = count
    self.capabilities = capabilities
    self.refusedCriteria = refusedCriteria
    self.unbrowsableContainer = unbrowsableContainer
  }

  /// The Browse and Search requests so far.
  var requests: [Request] { log.withLock { $0 } }

  func server() -> MediaServer {
    let controlPoint = UPnPControlPoint(
      settings: .init(product: "Test/1", addresses: AddressPolicy(allowed: [CIDR("192.0.2.0/24")].compactMap { $0 })),
      http: self, logger: Logger(label: "test"))
    let service = DeviceDescription.Service(
      type: "urn:schemas-upnp-org:service:ContentDirectory:1", id: "", scpdURL: nil,
      controlURL: HTTPURL("http://192.0.2.1/control"), eventURL: nil)
    let names = ["ObjectID", "BrowseFlag", "ContainerID", "SearchCriteria", "StartingIndex", "RequestedCount"]
    let arguments = names.map { ServiceDescription.Argument(name: $0, isInput: true, variable: "") }
    let scpd = ServiceDescription(
      actions: ["Browse", "Search", "GetSearchCapabilities"].map { .init(name: $0, arguments: arguments) },
      variables: [], deviations: [])
    return MediaServer(RemoteService(service, scpd: scpd, controlPoint: controlPoint))
  }

  func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
    guard let body = request.body, let root = try? XMLDocument.read(Array(body.readableBytesView)).root,
      let call = root["Body"]?.children.first
    else { throw .malformed("No request.") }
    if call.name == "GetSearchCapabilities" {
      return Self.answer(call.name, "<SearchCaps>\(capabilities)</SearchCaps>")
    }
    let start = Int(call.text("StartingIndex") ?? "") ?? 0
    let wanted = Int(call.text("RequestedCount") ?? "") ?? 0
    log.withLock { $0.append(Request(action: call.name, start: start)) }
    if call.name == "Search" {
      let criteria = call.text("SearchCriteria") ?? ""
      if let refusedCriteria, refusedCriteria.isEmpty || criteria.contains(refusedCriteria) {
        throw .fault(code: 708, description: "Unsupported")
      }
      let found = (0..<count).filter { number in
        // One group for each word, with its spellings.
        let groups = criteria.split(separator: " and ").map { group in
          group.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        }
        return groups.allSatisfy { words in
          words == ["object.item.audioItem"] || words.contains { "track \(number)".contains($0) }
        }
      }
      return page(found, of: found.count)
    }
    if call.text("BrowseFlag") == "BrowseMetadata" {
      guard let id = call.text("ObjectID").flatMap({ Int($0) }), id < count else {
        throw .fault(code: 701, description: "No such object")
      }
      return page([id], of: 1)
    }
    guard call.text("ObjectID") == "0" else { throw .fault(code: 701, description: "No such object") }
    return page(Array(start..<min(count, start + wanted)), of: count)
  }

  private func page(_ ids: [Int], of total: Int) -> ClientResponse {
    let items = ids.map { id in
      let element = id == unbrowsableContainer ? "container" : "item"
      return """
        <\(element) id="\(id)" parentID="0" restricted="1"><dc:title>Track \(id)</dc:title>\
        <upnp:class>object.item.audioItem.musicTrack</upnp:class></\(element)>
        """
    }
    return Self.answer(
      "Browse",
      """
      <Result>\(XMLEscape.text(DIDLLite.document(items.joined())))</Result><NumberReturned>\(ids.count)</NumberReturned>\
      <TotalMatches>\(total)</TotalMatches><UpdateID>1</UpdateID>
      """)
  }

  private static func answer(_ action: String, _ content: String) -> ClientResponse {
    let text = """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body><u:\(action)Response xmlns:u="x">\
      \(content)</u:\(action)Response></s:Body></s:Envelope>
      """
    return ClientResponse(status: .ok, body: ByteBuffer(string: text))
  }
}

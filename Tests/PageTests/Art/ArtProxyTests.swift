import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import Testing

@testable import ControlPoint
@testable import Page
@testable import UPnP

@Suite(.timeLimit(.minutes(1))) struct ArtProxyTests {
  private static let jpeg = ByteBuffer(bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 7, count: 1000))

  @Test func fetchesAPictureOnce() async throws {
    let web = Web { _ in ClientResponse(status: .ok, body: Self.jpeg) }
    let proxy = Proxy(web)
    let key = try proxy.key("http://192.0.2.9/a.jpg")
    async let first = proxy.art.picture(key)
    async let second = proxy.art.picture(key)
    let pictures = try await [first, second, proxy.art.picture(key)]
    #expect(pictures.allSatisfy { $0.type == .jpeg && $0.data == Self.jpeg && $0.tag == pictures[0].tag })
    #expect(web.requests == ["http://192.0.2.9/a.jpg"])
    #expect(await proxy.art.cached(key) != nil)
  }

  @Test func knowsOnlyKeysThatWereHandedOut() async throws {
    let proxy = Proxy(Web { _ in nil })
    await #expect(throws: ArtError.unknown) { try await proxy.art.picture("0123") }
  }

  @Test(arguments: [
    ("http://192.0.2.9/html", ArtError.noPicture),
    ("http://192.0.2.9/gone", .failed("The server answered with HTTP status 404.")),
    ("http://192.0.2.9/slow", .timeout), ("http://192.0.2.9/large", .tooLarge), ("http://127.0.0.1/a", .notAllowed),
    ("http://10.0.0.1/a", .notAllowed), ("http://192.0.2.9/to-loopback", .notAllowed),
    ("http://192.0.2.9/to-house", .notAllowed), ("http://house.example/a", .notAllowed),
    ("http://both.example/a", .notAllowed),
    ("http://192.0.2.9/to-unknown", .failed("The address of its server is unknown.")),
    ("http://192.0.2.9/to-local-name", .failed("The server redirects to an address that is not http or https.")),
    ("http://192.0.2.9/to-file", .failed("The server redirects to an address that is not http or https.")),
    ("http://192.0.2.9/loop", .failed("The server redirects more than 3 times.")),
  ])
  func refuses(url: String, error: ArtError) async throws {
    let web = Web { request in
      func redirect(_ location: String) -> ClientResponse {
        ClientResponse(status: .found, headers: ["Location": location])
      }
      switch request.url.target {
      case "/html":
        return ClientResponse(status: .ok, headers: ["Content-Type": "image/png"], body: ByteBuffer(string: "<html>"))
      case "/gone": return ClientResponse(status: .notFound)
      case "/slow": throw ControlPointError.timeout
      case "/large": throw ControlPointError.tooLarge
      case "/to-loopback": return redirect("http://127.0.0.1/a")
      case "/to-house": return redirect("http://house.example/a")
      case "/to-unknown": return redirect("http://unknown.example/a")
      case "/to-local-name": return redirect("http://localhost/a")
      case "/to-file": return redirect("file:///etc/passwd")
      case "/loop": return redirect("/loop")
      default: return ClientResponse(status: .ok, body: Self.jpeg)
      }
    }
    let proxy = Proxy(web)
    let key = try proxy.key(url)
    await #expect(throws: error) { try await proxy.art.picture(key) }
    #expect(web.requests.allSatisfy { $0.hasPrefix("http://192.0.2.9/") })
    #expect(await proxy.art.cached(key) == nil)
  }

  @Test func followsRedirectsAndBoundsEachRequest() async throws {
    let web = Web { request in
      #expect(request.maximumBody == 8 << 20 && request.timeout <= .seconds(8) && request.timeout > .zero)
      guard let number = Int(request.url.target.dropFirst()), number < 3 else {
        return ClientResponse(status: .ok, body: Self.jpeg)
      }
      return ClientResponse(status: .movedPermanently, headers: ["Location": "/\(number + 1)"])
    }
    let proxy = Proxy(web)
    _ = try await proxy.art.picture(try proxy.key("http://192.0.2.9/0"))
    #expect(web.requests.count == 4)
  }

  @Test func connectsToTheAddressThatWasChecked() async throws {
    let web = Web { request in
      #expect(request.route == IPAddress("203.0.113.9").map(ClientRoute.address))
      #expect(request.authority == "art.example:8000")
      return request.url.target == "/a"
        ? ClientResponse(status: .found, headers: ["Location": "/b"]) : ClientResponse(status: .ok, body: Self.jpeg)
    }
    let names = Names()
    let proxy = Proxy(web, names)
    _ = try await proxy.art.picture(try proxy.key("http://art.example:8000/a"))
    #expect(web.requests == ["http://art.example:8000/a", "http://art.example:8000/b"])
    // The name is resolved and checked again for each request.
    #expect(names.questions == ["art.example", "art.example"])
  }

  @Test func aServerOnTheInternetDoesNotLeadIntoTheHouse() async throws {
    let web = Web { request in
      let location = request.url.target == "/1" ? "http://art.example/2" : "http://192.0.2.9/secret"
      return ClientResponse(status: .found, headers: ["Location": location])
    }
    let proxy = Proxy(web)
    for url in ["http://art.example/1", "http://203.0.113.9/1", "http://192.0.2.9/1"] {
      await #expect(throws: ArtError.notAllowed) { try await proxy.art.picture(try proxy.key(url)) }
    }
    #expect(!web.requests.contains("http://192.0.2.9/secret"))
  }

  @Test func onlyPortsWithMusicOfTheSpeakersMachineAreContacted() async throws {
    let web = Web { _ in ClientResponse(status: .ok, body: Self.jpeg) }
    let proxy = Proxy(web)
    _ = try await proxy.art.picture(try proxy.key("http://192.0.2.1:8200/a"))
    await #expect(throws: ArtError.notAllowed) {
      try await proxy.art.picture(try proxy.key("http://192.0.2.1:8080/a"))
    }
    #expect(web.requests == ["http://192.0.2.1:8200/a"])
  }

  @Test func allPicturesTogetherHaveALimit() async throws {
    // Each picture takes six megabytes, and clients hold them.
    let web = Web { request in
      guard request.admitsBody?(6 << 20) == true else { throw ControlPointError.tooLarge }
      return ClientResponse(status: .ok, body: Self.jpeg)
    }
    let proxy = Proxy(web)
    var held: [Picture] = []
    for number in 0..<2 { held.append(try await proxy.art.picture(try proxy.key("http://192.0.2.9/\(number)"))) }
    await #expect(throws: ArtError.busy) { try await proxy.art.picture(try proxy.key("http://192.0.2.9/3")) }
    #expect(held.count == 2)
  }

  @Test(arguments: [(206, 0, true), (206, 100_000, true), (206, 5 << 20, false), (200, 0, false), (404, 0, false)])
  func readsThePictureInATrack(status: Int, size: Int, isFound: Bool) async throws {
    let picture: [UInt8] = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 9, count: size)
    let type = Array("image/jpeg".utf8)
    let tags = Array("APIC".utf8) + big(picture.count + 14) + [0, 0, 0] + type + [0, 3, 0] + picture
    let file = Array("ID3".utf8) + [3, 0, 0] + synchsafe(tags.count) + tags + [UInt8](repeating: 0, count: 90_000)
    let web = Web { request in
      guard request.url.target == "/track" else { return ClientResponse(status: .ok, body: Self.jpeg) }
      let range = try #require(request.headers.first(name: "range")).dropFirst("bytes=".count).split(separator: "-")
      let bytes = try #require(Int(range[0]))...(try #require(Int(range[1])))
      #expect(bytes.upperBound < file.count && request.maximumBody == bytes.count)
      return ClientResponse(status: .init(statusCode: status), body: ByteBuffer(bytes: file[bytes]))
    }
    let proxy = Proxy(web)
    let metadata = """
      <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/" \
      xmlns:dc="http://purl.org/dc/elements/1.1/"><item id="1" parentID="0" restricted="1"><dc:title>A</dc:title>\
      <upnp:class>object.item.audioItem</upnp:class>\
      <upnp:albumArtURI profileID="JPEG_TN">http://192.0.2.9/t</upnp:albumArtURI>\
      <res protocolInfo="http-get:*:audio/mpeg:*" size="\(file.count)">http://192.0.2.9/track</res></item></DIDL-Lite>
      """
    let path = try #require(proxy.links.path(inMetadata: metadata))
    let found = try await proxy.art.picture(String(path.dropFirst("/api/art/".count)))
    #expect(found.data == (isFound ? ByteBuffer(bytes: picture) : Self.jpeg))
    #expect(web.requests.filter { $0.hasSuffix("track") }.count == (size == 100_000 ? 2 : 1))
  }

  private func big(_ number: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }
  private func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7F) } }

  @Test func fetchesAFewAtATime() async throws {
    let web = Web { _ in
      try? await Task.sleep(for: .milliseconds(5))
      return ClientResponse(status: .ok, body: Self.jpeg)
    }
    let proxy = Proxy(web)
    let results = await withTaskGroup(of: ArtError?.self) { group in
      for number in 0..<40 {
        group.addTask {
          do {
            _ = try await proxy.art.picture(try proxy.key("http://192.0.2.9/\(number)"))
            return nil
          } catch {
            return error as? ArtError
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.allSatisfy { $0 == nil } && web.most == 6)
  }

  /// A proxy on a NIO event loop.
  private struct Proxy {
    let art: ArtProxy
    let links = ArtLinks()

    init(_ web: Web, _ names: Names = Names()) {
      art = ArtProxy(
        eventLoop: MultiThreadedEventLoopGroup.singleton.next(), links: links, http: web, resolver: names,
        policy: ArtPolicy(networks: [CIDR("192.0.2.1/24")].compactMap(\.self)), servers: Servers())
    }

    func key(_ url: String) throws -> String {
      String(try #require(links.path(for: url)).dropFirst("/api/art/".count))
    }
  }

  /// The speaker's machine, with one media server.
  private struct Servers: LocalServing {
    func hasMusic(at address: IPAddress, port: UInt16) async -> Bool { port == 8200 }
  }

  /// A resolver that knows some names.
  private final class Names: NameResolving {
    private let asked = Mutex<[String]>([])

    var questions: [String] { asked.withLock { $0 } }

    func addresses(of name: String, timeout: TimeAmount) async throws(ArtError) -> [IPAddress] {
      asked.withLock { $0.append(name) }
      let addresses = [
        "art.example": ["203.0.113.9"], "house.example": ["192.168.1.1"], "both.example": ["203.0.113.9", "127.0.0.1"],
      ]
      return (addresses[name] ?? []).compactMap { IPAddress($0) }
    }
  }

  /// Web servers whose answers a test chooses.
  private final class Web: HTTPSending {
    private struct State {
      var requests: [String] = []
      var running = 0
      var most = 0
    }

    private let state = Mutex(State())
    private let answer: @Sendable (ClientRequest) async throws -> ClientResponse?

    init(answer: @escaping @Sendable (ClientRequest) async throws -> ClientResponse?) { self.answer = answer }

    var requests: [String] { state.withLock { $0.requests } }
    /// The highest number of simultaneous requests.
    var most: Int { state.withLock { $0.most } }

    func send(_ request: ClientRequest) async throws(ControlPointError) -> ClientResponse {
      state.withLock { state in
        state.requests.append(request.url.description)
        state.running += 1
        state.most = max(state.most, state.running)
      }
      defer { state.withLock { $0.running -= 1 } }
      do {
        guard let response = try await answer(request) else { throw ControlPointError.unreachable("no answer") }
        return response
      } catch {
        throw ControlPointError(transport: error)
      }
    }
  }
}

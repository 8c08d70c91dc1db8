import MediaOrigin
import UPnP

/// The media server of a run. It starts with the first file, and serves only the device under test.
actor Origin {
  private let local: IPAddress
  private let peer: IPAddress
  private let time: any TimeSource
  private var starting: Task<MediaServer, any Error>?
  /// Shared by all checks.
  private var tones: [Double: GeneratedMedia] = [:]

  /// - Parameters:
  ///   - local: the address to listen on.
  ///   - peer: the only address that is served.
  init(on local: IPAddress, for peer: IPAddress, time: any TimeSource) {
    self.time = time
    self.local = local
    self.peer = peer
  }

  func server() async throws(Finding) -> MediaServer {
    let task =
      starting
      ?? Task { [local, peer, time] in
        try await MediaServer.start(host: "\(local)", peer: "\(peer)", time: time)
      }
    starting = task
    do {
      return try await task.value
    } catch {
      throw .inconclusive("no port for media can be opened on \(local): \(error)")
    }
  }

  /// A WAV file.
  func tone(seconds: Double, mimeType: String) -> GeneratedMedia {
    var tone = tones[seconds] ?? .wav(seconds: seconds)
    tones[seconds] = tone
    tone.mimeType = mimeType
    return tone
  }

  func stop() async {
    guard let starting else { return }
    try? await starting.value.stop()
  }
}

/// A file at its own path, and a record of the device's requests for it.
struct ServedMedia: Sendable {
  let media: GeneratedMedia
  let path: String
  private let resource: Resource
  private let server: MediaServer

  /// - Parameter resource: other content than the bytes of the media.
  init(_ media: GeneratedMedia, _ path: String, _ server: MediaServer, resource: Resource? = nil) {
    self.media = media
    self.resource = resource ?? .bytes(media.bytes)
    self.path = path
    self.server = server
  }

  var url: String { server.url(path) }

  /// DIDL-Lite with the file as its only item.
  var metadata: String { media.metadata(url: url) }

  /// Changes how later requests are answered.
  func serve(_ manners: Manners) {
    var manners = manners
    if manners.type == .byName { manners.type = .given(media.mimeType) }
    server.put(path, resource, manners: manners)
  }

  /// Answers later requests with 404.
  func remove() { server.remove(path) }

  /// Answers later requests with 404, and closes the connections of earlier ones.
  func drop() {
    remove()
    server.closeConnections(for: path)
  }

  // MARK: Requests of the device

  /// The requests for this file and the ends of their connections, for reports.
  var messages: [WireLog.Noted] {
    let journal = server.journal
    let requests = journal.requests(for: path)
    let closed = Set(requests.map(\.connection)).compactMap { connection in
      journal.closed[connection].map { ($0, WireMessage(.closed, peer: "media connection \(connection)")) }
    }
    return (requests.map { ($0.time, $0.message) } + closed).sorted { $0.0 < $1.0 }
  }

  var requests: [RecordedRequest] { server.journal.requests(for: path) }

  /// Requests for content; some devices send HEAD first.
  var gets: [RecordedRequest] { requests.filter { $0.method == "GET" } }

  /// The number of requests for content from the first byte on.
  var getsFromStart: Int { gets.count { $0.firstByte == 0 } }

  /// Bytes handed to the network, which may still be in buffers of the kernel.
  var bytesSent: Int { server.journal.bytesSent[path] ?? 0 }

  /// Open connections whose last request was for this file.
  var openConnections: Int { server.journal.openConnections(for: path).count }

  /// - Returns: the last of them; nil if the time is over.
  @discardableResult
  func waitForGet(_ count: Int = 1, within limit: Duration) async -> RecordedRequest? {
    let path = path
    let isMet = await wait(within: limit) { journal in
      journal.requests(for: path).count { $0.method == "GET" } >= count
    }
    return isMet ? gets[count - 1] : nil
  }

  /// Waits for a first request of any method.
  func waitForRequest(within limit: Duration) async -> Bool {
    let path = path
    return await wait(within: limit) { !$0.requests(for: path).isEmpty }
  }

  /// Waits until the device has closed all connections to this file.
  func waitForRelease(within limit: Duration) async -> Bool {
    let path = path
    return await wait(within: limit) { $0.openConnections(for: path).isEmpty }
  }

  /// Waits until the journal of all files meets a condition.
  func wait(within limit: Duration, until condition: @escaping @Sendable (Journal) -> Bool) async -> Bool {
    let isMet = (try? await server.wait(timeout: limit, until: condition)) != nil
    Lateness.note(!isMet)
    return isMet
  }
}

extension RecordedRequest {
  fileprivate var message: WireMessage {
    let lines = headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    let head = "\(method) \(target) HTTP/1.1\r\n\(lines)\r\n"
    return WireMessage(.received, peer: "media connection \(connection)", bytes: Array(head.utf8))
  }

  /// The first byte that a range asks for; 0 for the whole file.
  var firstByte: Int {
    guard let range = self["Range"], range.hasPrefix("bytes=") else { return 0 }
    return Int(range.dropFirst(6).prefix { $0 != "-" }) ?? 0
  }
}

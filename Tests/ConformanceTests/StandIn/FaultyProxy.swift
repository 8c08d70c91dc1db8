import ControlPoint
import NIOCore
import NIOPosix
import Synchronization
import UPnP

@testable import Conformance

/// Adds a fault to a renderer: an HTTP proxy for requests and events, which also answers searches for the renderer.
final class FaultyProxy: Sendable {
  let fault: Fault
  /// The renderer's port.
  private let backend: UInt16
  private let clock: CheckClock
  private let ownPort = Mutex<UInt16>(0)
  private let connections = Mutex(0)
  private let hasCrashed = Mutex(false)

  init(_ fault: Fault, backend: UInt16, clock: CheckClock) {
    self.clock = clock
    self.fault = fault
    self.backend = backend
  }

  var port: UInt16 { ownPort.withLock { $0 } }

  func location(of device: StandInDevice) -> HTTPURL {
    HTTPURL(host: "127.0.0.1", port: port, target: device.path)
  }

  /// Runs the proxy until the body returns.
  /// - Parameter body: called with the address for searches.
  func run(_ body: (SocketAddress) async throws -> Void) async throws {
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelOption(.allowRemoteHalfClosure, value: fault.allowsHalfClosure)
      // Wrapped in `serve`: an async channel that is dropped without being served traps.
      .bind(host: "127.0.0.1", port: 0) { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(EarlyInput())
          return channel
        }
      }
    ownPort.withLock { $0 = UInt16(server.channel.localAddress?.port ?? 0) }
    let search = try await searchChannel()
    try await withThrowingTaskGroup { group in
      group.addTask { [self] in
        try await server.executeThenClose { clients in
          try await withThrowingDiscardingTaskGroup { connections in
            for try await client in clients {
              connections.addTask {
                self.connections.withLock { $0 += 1 }
                try? await self.serve(client)
                self.connections.withLock { $0 -= 1 }
              }
            }
          }
        }
      }
      try await body(search.localAddress ?? SocketAddress(ipAddress: "127.0.0.1", port: 0))
      group.cancelAll()
    }
    try await search.close()
  }

  // MARK: HTTP

  private func serve(_ channel: any Channel) async throws {
    let client = try await channel.eventLoop.submit {
      guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
      let client = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
      try channel.pipeline.syncOperations.handler(type: EarlyInput.self).release()
      return client
    }.get()
    try await client.executeThenClose { inbound, outbound in
      var buffer: [UInt8] = []
      // The connection to the renderer for malformed requests.
      var relayed: (any Channel)?
      defer { relayed?.close(promise: nil) }
      // The connection to the renderer for ordinary requests, opened with the first one.
      var renderer: RawConnection?
      defer { renderer?.close() }
      var methods: [String] = []
      for try await part in inbound {
        buffer += part.readableBytesView
        if isDown(after: buffer) { return }
        if relayed == nil, MalformedRequest.begins(buffer) {
          relayed = try await relay(buffer, to: client.channel)
          buffer = []
        } else if let relayed {
          relayed.writeAndFlush(part, promise: nil)
          buffer = []
        }
        while let (request, length) = Self.request(in: buffer, isEarly: fault.isEarly) {
          buffer.removeFirst(length)
          if request.target.hasPrefix("/event/") {
            guard let status = try await forward(event: request) else { return }
            try await outbound.write(
              ByteBuffer(string: "HTTP/1.1 \(status) Status\r\nContent-Length: 0\r\n\r\n"))
            continue
          }
          var changed = request
          fault.onRequest(&changed)
          setCallback(&changed)
          let connection: RawConnection
          if let renderer {
            connection = renderer
          } else {
            connection = try await RawConnection.open(
              to: HTTPURL(host: "127.0.0.1", port: backend), clock: clock)
            renderer = connection
          }
          methods.append(changed.method)
          connection.send(changed.text)
          let answers = try await connection.answers(to: methods, within: .seconds(5))
          guard let answer = answers.last else { return }
          var response = ProxyResponse(status: answer.status, headers: answer.headers, body: answer.body)
          fault.onResponse(request, &response)
          if response.isMissing { return }
          await clock.sleep(real: fault.responseDelay(request))
          try await outbound.write(Self.bytes(response))
          let isLast =
            request.header("connection")?.lowercased() == "close"
            || answer.header("connection")?.lowercased() == "close"
          if response.closes ?? isLast { return }
        }
      }
    }
  }

  /// Whether the renderer has crashed, or does so at these bytes.
  private func isDown(after bytes: [UInt8]) -> Bool {
    let crashes = fault.isFatal(bytes) || connections.withLock { $0 } > fault.maximumConnections
    return hasCrashed.withLock { hasCrashed in
      hasCrashed = hasCrashed || crashes
      return hasCrashed
    }
  }

  /// Sends the first bytes on a new connection to the renderer, and relays its answers unchanged.
  private func relay(_ beginning: [UInt8], to client: any Channel) async throws -> any Channel {
    var beginning = beginning
    fault.onMalformed(&beginning)
    let renderer = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(Relay(to: client)) }
      }
      .connect(host: "127.0.0.1", port: Int(backend)).get()
    try await renderer.writeAndFlush(ByteBuffer(bytes: beginning))
    return renderer
  }

  private static func bytes(_ response: ProxyResponse) -> ByteBuffer {
    let headers = response.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
    return ByteBuffer(
      bytes: Array("HTTP/1.1 \(response.status) Status\r\n\(headers)\r\n".utf8) + response.body
        + Array(response.excess.utf8))
  }

  /// The first request in the bytes, with its length.
  private static func request(in bytes: [UInt8], isEarly: Bool) -> (ProxyRequest, Int)? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let start = lines[0].split(separator: " ").map(String.init)
    var request = ProxyRequest(
      method: start[0], target: start.count > 1 ? start[1] : "", version: start.count > 2 ? start[2] : "",
      headers: lines.dropFirst().compactMap { line in
        line.firstIndex(of: ":").map { (String(line[..<$0]), String(line[line.index(after: $0)...])) }
      }, body: "")
    let rest = bytes[end.upperBound...]
    var length = Int(request.header("content-length") ?? "0") ?? 0
    if request.header("transfer-encoding") != nil {
      guard let last = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
      length = last.upperBound - rest.startIndex
    }
    if rest.count < length {
      // Answer early: send the renderer a complete request in place of the unfinished one.
      guard isEarly else { return nil }
      request.method = "GET"
      request.headers = [("HOST", " 127.0.0.1")]
      return (request, bytes.count)
    }
    request.body = String(decoding: rest.prefix(length), as: UTF8.self)
    return (request, bytes.count - rest.count + length)
  }

  // MARK: Events

  /// Replaces the callback URL by one of the proxy.
  private func setCallback(_ request: inout ProxyRequest) {
    guard let callbacks = request.header("callback") else { return }
    let urls = callbacks.split(separator: ">").compactMap { HTTPURL($0.dropFirst()) }
    guard !urls.isEmpty, urls.allSatisfy({ $0.host == "127.0.0.1" }) else { return }
    request.set("callback", urls.map { "<http://127.0.0.1:\(port)/event/\($0.port)\($0.target)>" }.joined())
  }

  /// Applies the fault to an event and sends it to the subscriber.
  /// - Returns: the status of the subscriber's answer; nil if there is none.
  private func forward(event: ProxyRequest) async throws -> Int? {
    let parts = event.target.split(separator: "/", maxSplits: 2)
    guard parts.count == 3, let port = UInt16(parts[1]) else { return 412 }
    var changed = event
    changed.target = "/\(parts[2])"
    guard fault.onEvent(&changed) else { return 200 }
    let connection = try await RawConnection.open(to: HTTPURL(host: "127.0.0.1", port: port), clock: clock)
    defer { connection.close() }
    connection.send(String(repeating: changed.text, count: fault.eventCopies))
    let answers = try? await connection.answers(
      to: Array(repeating: "NOTIFY", count: fault.eventCopies), within: .seconds(5))
    return answers?.first?.status
  }

  // MARK: Searches

  private func searchChannel() async throws -> any Channel {
    try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { [self] channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = DatagramHandler { envelope in
            let text = String(buffer: envelope.data)
            guard !self.isDown(after: Array(envelope.data.readableBytesView)) else { return }
            let answers = self.fault.onSearch(text, self.answers(to: text))
            Task {
              await self.clock.sleep(real: self.fault.searchDelay(text))
              for answer in answers {
                let reply = AddressedEnvelope(remoteAddress: envelope.remoteAddress, data: ByteBuffer(string: answer))
                channel.writeAndFlush(reply, promise: nil)
              }
            }
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
  }

  private func answers(to text: String) -> [String] {
    let isMulticast = text.contains("HOST: 239.")
    guard let message = SSDPMessage(Array(text.utf8)),
      let search = SearchRequest(message, delivery: isMulticast ? .multicast : .unicast)
    else { return [] }
    let announcements = StandInDevice.allCases.flatMap { device -> [Announcement] in
      let announcements = device.advertisement.announcements
      switch search.target {
      case .all: return announcements
      case .rootDevice, .udn: return announcements.filter { $0.type == search.text }
      case .type(let type):
        return announcements.filter { URN($0.type)?.satisfies(type) ?? false }.map { announcement in
          var announcement = announcement
          announcement.type = search.text
          announcement.usn = "\(device.udn)::\(search.text)"
          return announcement
        }
      }
    }
    return announcements.map {
      writer.response($0, bootID: 1, address: "127.0.0.1", date: "Sun, 22 Nov 2026 00:00:00 GMT")
    }
  }

  private var writer: SSDPWriter {
    SSDPWriter(settings: SSDPSettings(product: "Linux/6.1 UPnP/1.1 Test/1.0", httpPort: Int(port), bootID: 1))
  }

  /// One announcement of all devices.
  var notices: Inbox<Notice> {
    let announcements = StandInDevice.allCases.flatMap(\.advertisement.announcements)
    let inbox = Inbox<Notice>(capacity: announcements.count, clock: clock)
    for announcement in announcements {
      let text = writer.notify(.alive(bootID: 1), announcement, address: "127.0.0.1")
      guard let message = fault.onNotice(text).flatMap({ SSDPMessage(Array($0.utf8)) }),
        let sender = IPAddress("127.0.0.1")
      else { continue }
      inbox.add(Notice(message: message, sender: sender, arrival: clock.now))
    }
    return inbox
  }
}

/// Forwards what it reads to another channel.
private final class Relay: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let target: any Channel

  init(to target: any Channel) { self.target = target }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    target.writeAndFlush(unwrapInboundIn(data), promise: nil)
  }

  func channelInactive(context: ChannelHandlerContext) { target.close(promise: nil) }
}

import Logging
import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import DeviceStack

/// The bytes of a connection, sent through guard, parser and assembler as on a socket.
enum HTTPTarget {
  /// A sixteenth of the real limits, so that small inputs reach them.
  private static let limits = {
    var limits = HTTPLimits()
    limits.head /= 16
    limits.uri /= 16
    limits.body /= 1024
    return limits
  }()

  private static let statuses: Set<UInt> = [100, 200, 400, 403, 404, 405, 408, 411, 413, 414, 431, 501, 505]

  static func test(_ input: UnsafeRawBufferPointer) {
    let whole = statuses(of: input, pieces: max(input.count, 1))
    check(whole.allSatisfy { Self.statuses.contains($0) }, "unexpected statuses \(whole)")
    // The split into packets must not change the result up to the first refusal; where an excessive length is detected
    // depends on the split.
    let size = 1 + Int(input.reduce(UInt8(0)) { $0 &+ $1 }) % 61
    let cut = statuses(of: input, pieces: size)
    let (understood, understoodCut) = (whole.prefix { $0 < 400 }, cut.prefix { $0 < 400 })
    check(understood == understoodCut, "\(whole) in one piece, \(cut) in pieces of \(size)")
  }

  private static func statuses(of input: UnsafeRawBufferPointer, pieces size: Int) -> [UInt] {
    let eventLoop = EmbeddedEventLoop()
    let server = HTTPServer(
      eventLoop: eventLoop, product: "Linux/6.1 UPnP/1.1 Fuzz/1.0", limits: limits, logger: Silence.logger
    ) { request in
      var response = HTTPResponse(
        request.path == "/" ? .ok : .notFound, body: ByteBuffer(string: "\(request.path)"))
      response.headers.add(name: "X-Method", value: request.method.rawValue)
      return HTTPReply(response)
    }
    let channel = EmbeddedChannel(loop: eventLoop)
    channel.localAddress = try? SocketAddress(ipAddress: "192.0.2.1", port: 49152)
    channel.remoteAddress = try? SocketAddress(ipAddress: "192.0.2.2", port: 40000)
    do {
      try server.initialize(channel)
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.2", port: 40000)).wait()
    } catch {
      fatalError("\(error)")
    }
    var start = 0
    while start < input.count, channel.isActive {
      let end = min(start + size, input.count)
      _ = try? channel.writeInbound(ByteBuffer(bytes: input[start..<end]))
      eventLoop.run()
      start = end
    }
    channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    // A client that stops in the middle of a request is closed after these timeouts.
    eventLoop.advanceTime(by: TimeAmount(limits.arrival + limits.linger + limits.idle))
    check(!channel.isActive, "the connection stays open")
    check(server.connectionCount == 0, "the server remembers a connection that is gone")
    var output = ByteBuffer()
    while let part = try? channel.readOutbound(as: ByteBuffer.self) { output.writeImmutableBuffer(part) }
    return read(output)
  }

  /// The statuses of the responses; each response has to be complete.
  private static func read(_ output: ByteBuffer) -> [UInt] {
    var text = String(buffer: output)[...]
    var statuses: [UInt] = []
    while !text.isEmpty {
      guard let end = text.utf8.firstRange(of: Array("\r\n\r\n".utf8)) else {
        check(false, "no whole head in \(text)")
        return statuses
      }
      let lines = text[..<end.lowerBound].split(separator: "\r\n")
      text = text[end.upperBound...]
      let words = (lines.first ?? "").split(separator: " ")
      check(words.count >= 2 && words[0] == "HTTP/1.1", "no status line: \(lines)")
      guard let status = UInt(words[1]) else { return statuses }
      statuses.append(status)
      if status == 100 { continue }
      let length = lines.compactMap { line in
        line.lowercased().hasPrefix("content-length: ") ? Int(line.dropFirst("content-length: ".count)) : nil
      }
      check(length.count == 1, "no length, or several, in \(lines)")
      if lines.contains("X-Method: HEAD") { continue }
      check(text.utf8.count >= length[0], "half a body")
      text = Substring(text.utf8.dropFirst(length[0]))
    }
    return statuses
  }
}

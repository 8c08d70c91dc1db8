import NIOCore
import NIOEmbedded
import NIOHTTP1

@testable import DeviceStack

/// Data received on a connection that sends events: responses or garbage.
enum NotifyTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var outcomes = 0
    var sent = 0
    let connection = NotifyConnection(onOutcome: { _ in outcomes += 1 }, onClosed: {})
    let channel = EmbeddedChannel()
    do {
      try channel.pipeline.syncOperations.addHandlers([
        HTTPRequestEncoder(), ByteToMessageHandler(HTTPResponseDecoder()), connection,
      ])
      try channel.connect(to: SocketAddress(ipAddress: "192.0.2.2", port: 40000)).wait()
    } catch {
      fatalError("\(error)")
    }
    connection.connected()
    var input = Input(input)
    while channel.isActive, let line = input.line() {
      if sent == outcomes {
        connection.send(HTTPRequestHead(version: .http1_1, method: .NOTIFY, uri: "/"), body: ByteBuffer(string: "<e/>"))
        sent += 1
      }
      _ = try? channel.writeInbound(ByteBuffer(string: line + "\n"))
      channel.embeddedEventLoop.run()
      check(outcomes <= sent, "\(outcomes) outcomes of \(sent) messages")
    }
    if outcomes < sent { connection.abort() }
    if channel.isActive { channel.close(promise: nil) }
    channel.embeddedEventLoop.run()
    check(outcomes == sent, "\(outcomes) outcomes of \(sent) messages, at the end")
  }
}

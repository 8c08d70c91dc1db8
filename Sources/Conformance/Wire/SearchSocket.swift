import NIOCore
import NIOPosix
import UPnP

struct SearchAnswer: Sendable {
  var message: SSDPMessage
  var sender: IPAddress
  /// The time since the search was sent.
  var delay: Duration

  subscript(name: String) -> String { message[name] ?? "" }
}

public struct SearchAddresses: Sendable {
  var unicast: SocketAddress
  var multicast: SocketAddress

  init?(device: IPAddress) {
    guard let group = try? SocketAddress(ipAddress: SSDPWriter.group, port: SSDPWriter.port),
      let port = UInt16(exactly: SSDPWriter.port)
    else { return nil }
    unicast = device.socketAddress(port: port)
    multicast = group
  }

  init(unicast: SocketAddress, multicast: SocketAddress) {
    self.unicast = unicast
    self.multicast = multicast
  }
}

/// A UDP socket that searches once and collects the answers.
struct SearchSocket: Sendable {
  /// Other devices answer multicasts, too.
  private static let maximumAnswers = 2048

  private let channel: any Channel
  private let inbox: Inbox<SearchAnswer>

  /// - Parameters:
  ///   - local: our address on the device's network, which also selects the interface for multicasts.
  ///   - message: the complete datagram.
  ///   - copies: how often it is sent.
  ///   - belongs: whether an answer is kept. Other devices answer multicasts, too.
  static func send(
    _ message: String, to address: SocketAddress, from local: IPAddress, clock: CheckClock, copies: Int = 1,
    where belongs: @escaping @Sendable (SearchAnswer) -> Bool
  ) async throws(Finding) -> SearchSocket {
    let inbox = Inbox<SearchAnswer>(capacity: maximumAnswers, clock: clock)
    let log = WireLog.current
    let start = clock.now
    do {
      let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .channelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let handler = DatagramHandler { envelope in
              guard let message = SSDPMessage(envelope.data.readableBytesView),
                let sender = IPAddress(envelope.remoteAddress)
              else { return }
              let answer = SearchAnswer(message: message, sender: sender, delay: clock.now - start)
              guard belongs(answer) else { return }
              log?.stream("UDP \(sender)").received(envelope.data.readableBytesView)
              inbox.add(answer)
            }
            try channel.pipeline.syncOperations.addHandler(handler)
          }
        }
        .bind(to: local.socketAddress(port: 0)).get()
      log?.stream("UDP \(address.ipAddress ?? ""):\(address.port ?? 0)").sent(message.utf8)
      for _ in 0..<copies {
        try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(string: message)))
      }
      return SearchSocket(channel: channel, inbox: inbox)
    } catch {
      throw .inconclusive("the search could not be sent: \(error)")
    }
  }

  /// Sends datagrams without waiting for answers.
  static func flood(
    _ datagrams: [[UInt8]], to addresses: [SocketAddress], from local: IPAddress
  ) async throws(Finding) {
    do {
      let channel = try await DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .bind(to: local.socketAddress(port: 0)).get()
      for datagram in datagrams {
        for address in addresses {
          WireLog.current?.stream("UDP \(address.ipAddress ?? ""):\(address.port ?? 0)").sent(datagram)
          try await channel.writeAndFlush(AddressedEnvelope(remoteAddress: address, data: ByteBuffer(bytes: datagram)))
        }
      }
      try await channel.close()
    } catch {
      throw .inconclusive("the datagrams could not be sent: \(error)")
    }
  }

  /// Waits until the answers meet a condition or the time is over.
  func answers(
    within limit: Duration, until isEnough: @Sendable ([SearchAnswer]) -> Bool = { _ in false }
  ) async -> [SearchAnswer] {
    if let early = await inbox.wait(limit, until: { answers, _ in isEnough(answers) ? answers : nil }) { return early }
    return await inbox.wait(.zero) { answers, _ in answers } ?? []
  }

  func close() { channel.close(promise: nil) }
}

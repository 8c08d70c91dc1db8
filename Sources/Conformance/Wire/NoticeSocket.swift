import ControlPoint
import NIOCore
import NIOPosix
import UPnP

/// A NOTIFY that was sent to all control points.
struct Notice: Sendable {
  var message: SSDPMessage
  var sender: IPAddress
  var arrival: ContinuousClock.Instant

  subscript(name: String) -> String { message[name] ?? "" }
}

/// Receives the announcements that devices send by multicast.
struct NoticeSocket: Sendable {
  private static let maximumNotices = 10_000

  let inbox: Inbox<Notice>
  private let channel: (any Channel)?

  /// - Parameter local: our address on the device's network.
  /// - Returns: nil if port 1900 cannot be opened.
  static func open(on local: IPAddress, clock: CheckClock) async -> NoticeSocket? {
    let device = try? System.enumerateDevices().first { $0.address.flatMap { IPAddress($0) } == local }
    guard let device else { return nil }
    let interface = NetworkInterface(
      index: device.interfaceIndex, name: device.name, address: local.description, prefixLength: 32)
    guard let socket = try? MulticastSocket.openListener(interface, group: SSDPWriter.group, port: SSDPWriter.port)
    else { return nil }
    let inbox = Inbox<Notice>(capacity: maximumNotices, clock: clock)
    let bootstrap = DatagramBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let handler = DatagramHandler { envelope in
            guard let message = SSDPMessage(envelope.data.readableBytesView), message.startLine.hasPrefix("NOTIFY"),
              let sender = IPAddress(envelope.remoteAddress)
            else { return }
            inbox.add(Notice(message: message, sender: sender, arrival: clock.now))
          }
          try channel.pipeline.syncOperations.addHandler(handler)
        }
      }
    guard let channel = try? await bootstrap.withBoundSocket(socket).get() else { return nil }
    return NoticeSocket(inbox: inbox, channel: channel)
  }

  /// A socket with injected notices, for tests.
  init(_ inbox: Inbox<Notice>) { self.init(inbox: inbox, channel: nil) }

  private init(inbox: Inbox<Notice>, channel: (any Channel)?) {
    self.inbox = inbox
    self.channel = channel
  }

  func close() { channel?.close(promise: nil) }
}

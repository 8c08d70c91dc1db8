import Glibc

/// Drives a client's socket on the companions' loop.
@CompanionActor final class BrokerLink {
  let client: MosquittoClient
  private let socket: Int32
  private var watch: DescriptorWatch?
  private var events = POLLIN

  /// - Parameter work: called after every exchange with the broker.
  /// - Returns: nil if the connection has ended already.
  init?(_ client: MosquittoClient, _ work: @escaping @CompanionActor @Sendable () -> Void) {
    guard let socket = client.socket else { return nil }
    self.client = client
    self.socket = socket
    watch = DescriptorWatch(socket, events: events) { [weak self] ready in
      guard let self else { return }
      if ready & POLLOUT != 0 { self.client.write() }
      if ready & ~POLLOUT != 0, !self.isClosed { self.client.read() }
      if self.isClosed { self.watch = nil }
      work()
    }
    rearm()
  }

  var isClosed: Bool { client.socket == nil }

  /// Whether the machine still has the connection's own address and a route from there to the broker.
  var isUsable: Bool { !isClosed && SocketAddresses(of: socket).map(\.isRouted) ?? false }

  /// Waits for the events that the library needs now. Call it after every use of the client.
  func rearm() {
    guard !isClosed else {
      watch = nil
      return
    }
    let needed = client.wantsToWrite ? POLLIN | POLLOUT : POLLIN
    guard needed != events else { return }
    events = needed
    watch?.wait(for: events)
  }

  /// Disconnects so that the broker publishes the last will. Blocks for at most `limit`, because the program is about to exit.
  func sayGoodbye(within limit: Duration) {
    watch = nil
    client.disconnectWithWill()
    let deadline = ContinuousClock.now + limit
    while !isClosed, client.wantsToWrite, .now < deadline {
      var descriptor = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      poll(&descriptor, 1, 20)
      client.write()
    }
  }
}

/// The two addresses of a connected socket.
private struct SocketAddresses {
  private var own = sockaddr_storage()
  private var peer = sockaddr_storage()
  private var size = socklen_t(MemoryLayout<sockaddr_storage>.size)

  /// - Returns: nil for a socket that is not connected.
  init?(of socket: Int32) {
    var peerSize = size
    let isKnown = Self.use(&own) { getsockname(socket, $0, &size) } == 0
    guard isKnown, Self.use(&peer, { getpeername(socket, $0, &peerSize) }) == 0 else { return nil }
  }

  /// Whether the kernel has a route between the two addresses. Sends nothing.
  var isRouted: Bool {
    var (own, peer) = (own, peer)
    let probe = Glibc.socket(Int32(own.ss_family), Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard probe >= 0 else { return false }
    defer { close(probe) }
    // The port, which is at the same place for both families, may be in use.
    Self.use(&own) { address in
      address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { $0.pointee.sin_port = 0 }
    }
    return Self.use(&own) { bind(probe, $0, size) } == 0 && Self.use(&peer) { connect(probe, $0, size) } == 0
  }

  private static func use<Result>(
    _ address: inout sockaddr_storage, _ body: (UnsafeMutablePointer<sockaddr>) -> Result
  ) -> Result {
    withUnsafeMutablePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }
}

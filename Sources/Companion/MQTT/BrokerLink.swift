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

  /// Disconnects in such a way that the broker publishes the last will. Blocks for at most the limit, because the program
  /// is about to exit.
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

import CLinux
import Glibc
import UPnP

/// Reports changes of links, addresses and routes of all interfaces, because any of them may lead to the broker.
@CompanionActor final class NetworkWatch {
  /// A change of the network comes as several messages.
  private static let settlingTime = Duration.milliseconds(300)
  private static let groups =
    RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR | RTMGRP_IPV4_ROUTE | RTMGRP_IPV6_ROUTE

  private let socket: Int32
  private let onChange: @CompanionActor @Sendable () -> Void
  private var watch: DescriptorWatch?
  private var timer: CompanionTimer?

  /// - Returns: nil if the kernel cannot report changes.
  init?(_ onChange: @escaping @CompanionActor @Sendable () -> Void) {
    guard let socket = try? NetlinkSocket.open(groups: Self.groups) else { return nil }
    self.socket = socket
    self.onChange = onChange
    watch = DescriptorWatch(socket, events: POLLIN) { [weak self] _ in self?.read() }
  }

  func stop() {
    guard watch != nil else { return }
    (watch, timer) = (nil, nil)
    close(socket)
  }

  /// Discards the messages. The observer reads the present state instead.
  private func read() {
    var bytes = [UInt8](repeating: 0, count: 8192)
    // ENOBUFS: messages were lost. That is a change, too.
    while recv(socket, &bytes, bytes.count, Int32(MSG_DONTWAIT)) >= 0 || errno == ENOBUFS || errno == EINTR {}
    guard timer == nil else { return }
    timer = CompanionTimer(after: Self.settlingTime) { [weak self] in
      self?.timer = nil
      self?.onChange()
    }
  }
}

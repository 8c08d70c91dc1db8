import Glibc
import NIOCore
import NIOPosix
import PlaybackModel
import Synchronization

/// Resolves names with the system's resolver. It blocks, so each name gets its own thread: a name server that does not
/// answer delays no other name. NIO tries the addresses (RFC 8305).
final class AddressResolver: Resolver, Sendable {
  struct UnknownHost: Error {}
  /// Too many names are being resolved.
  struct Busy: Error {}

  /// Maximum concurrent queries. Timed-out ones count until the system's own, possibly longer, timeout.
  private static let maximumLookups = 16
  private static let running = Mutex(0)

  private let ipv4: EventLoopPromise<[SocketAddress]>
  private let ipv6: EventLoopPromise<[SocketAddress]>

  init(eventLoop: any EventLoop) {
    ipv4 = eventLoop.makePromise()
    ipv6 = eventLoop.makePromise()
  }

  // NIO requires that every promise is kept; later results are ignored.
  deinit { fail(UnknownHost()) }

  func initiateAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> {
    lookUp(host, port)
    return ipv4.futureResult
  }

  /// One query of the system finds the addresses of both families.
  func initiateAAAAQuery(host: String, port: Int) -> EventLoopFuture<[SocketAddress]> { ipv6.futureResult }

  func cancelQueries() { fail(UnknownHost()) }

  private func fail(_ error: any Error) {
    ipv4.fail(error)
    ipv6.fail(error)
  }

  private func lookUp(_ host: String, _ port: Int) {
    let isFree = Self.running.withLock { running in
      guard running < Self.maximumLookups else { return false }
      running += 1
      return true
    }
    guard isFree else { return fail(Busy()) }
    NamedThread.start("lookup") { [self] in
      let found = Self.addresses(of: host, port)
      Self.running.withLock { $0 -= 1 }
      guard let found else { return fail(UnknownHost()) }
      ipv4.succeed(found.filter { $0.protocol == .inet })
      ipv6.succeed(found.filter { $0.protocol == .inet6 })
    }
  }

  private static func addresses(of host: String, _ port: Int) -> [SocketAddress]? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_protocol = Int32(IPPROTO_TCP)
    hints.ai_flags = AI_ADDRCONFIG
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let address = entry.ai_addr else { continue }
      switch entry.ai_family {
      case AF_INET:
        address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { addresses.append(SocketAddress($0.pointee)) }
      case AF_INET6:
        address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { addresses.append(SocketAddress($0.pointee)) }
      default: break
      }
    }
    return addresses
  }
}

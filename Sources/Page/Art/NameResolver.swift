import Glibc
import NIOCore
import PlaybackModel
import Synchronization
import UPnP

/// Finds the addresses of a name.
protocol NameResolving: Sendable {
  /// The IPv4 addresses; empty if there are none.
  func addresses(of name: String, timeout: TimeAmount) async throws(ArtError) -> [IPAddress]
}

/// Queries the system's resolver, which blocks, on one thread per query.
final class NameResolver: NameResolving {
  /// Maximum concurrent queries. Timed-out ones count until the system's own, possibly longer, timeout.
  private static let maximumLookups = 8

  private let eventLoop: any EventLoop
  private let running = Mutex(0)

  init(eventLoop: any EventLoop) { self.eventLoop = eventLoop }

  func addresses(of name: String, timeout: TimeAmount) async throws(ArtError) -> [IPAddress] {
    let isFree = running.withLock { running in
      guard running < Self.maximumLookups else { return false }
      running += 1
      return true
    }
    guard isFree else { throw .busy }
    let promise = eventLoop.makePromise(of: [IPAddress]?.self)
    let timer = eventLoop.scheduleTask(in: timeout) { promise.succeed(nil) }
    NamedThread.start("lookup") {
      let found = Self.lookUp(name)
      self.running.withLock { $0 -= 1 }
      // Has no effect after the timeout.
      promise.succeed(found)
    }
    defer { timer.cancel() }
    guard let found = try? await promise.futureResult.get() else { throw .timeout }
    return found
  }

  private static func lookUp(_ name: String) -> [IPAddress] {
    var hints = addrinfo()
    hints.ai_family = AF_INET
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var addresses: [IPAddress] = []
    var next = list
    while let entry = next?.pointee {
      if entry.ai_family == AF_INET, let address = entry.ai_addr {
        let bits = address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          UInt32(bigEndian: $0.pointee.sin_addr.s_addr)
        }
        addresses.append(IPAddress(bits: bits))
      }
      next = entry.ai_next
    }
    return addresses
  }
}

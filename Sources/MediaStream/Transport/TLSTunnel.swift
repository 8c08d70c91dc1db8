import CGIO
import Glibc
import NIOCore
import PlaybackModel
import Synchronization

/// A TLS connection to a server as a socket with plain bytes, for one request without a body.
///
/// GIO performs TLS. Its calls block, so a thread moves the bytes between the connection and one end of a socket pair.
/// The other end is for the HTTP client.
package final class TLSTunnel: Sendable {
  package struct Server: Sendable {
    /// A name or an address.
    var host: String
    var port: UInt16
    /// The host that the certificate must name.
    var name: String
    /// The address of an HTTP proxy; nil for none.
    var proxy: String?

    package init(host: String, port: UInt16, name: String, proxy: String? = nil) {
      self.host = host
      self.port = port
      self.name = name
      self.proxy = proxy
    }
  }

  /// The HTTP client's end, which belongs to the caller.
  package let descriptor: CInt
  /// Whether the connection broke, in contrast to one that the server closed. Set before the socket ends.
  package var isBroken: Bool { broken.load(ordering: .acquiring) }
  private let broken = Atomic(false)
  private let cancellation: Cancellation

  private init(descriptor: CInt, _ cancellation: Cancellation) {
    self.descriptor = descriptor
    self.cancellation = cancellation
  }

  /// Ends the thread. Does not close the descriptor.
  package func cancel() { cancellation.cancel() }

  /// Connects, and checks the certificate unless `AcceptedHosts` has the server's name.
  /// - Returns: a future that fails with a `StreamFailure`.
  package static func open(
    to server: Server, timeout: TimeAmount, on eventLoop: any EventLoop
  ) -> EventLoopFuture<TLSTunnel> {
    let promise = eventLoop.makePromise(of: TLSTunnel.self)
    let cancellation = Cancellation()
    let timer = eventLoop.scheduleTask(in: timeout) { cancellation.cancel() }
    let seconds = UInt32(clamping: timeout.nanoseconds / 1_000_000_000 + 1)
    NamedThread.start("tls") {
      var reason = SWIFTLET_TLS_FAILED
      var problems: UInt32 = 0
      let stream = swiftlet_tls_open(
        server.host, server.port, server.name, server.proxy, AcceptedHosts.contains(server.name) ? 1 : 0, seconds,
        cancellation.pointer, &reason, &problems)
      guard let stream else {
        promise.fail(StreamFailure(reason, CertificateProblem(problems)))
        return
      }
      defer { g_object_unref(stream) }
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        promise.fail(StreamFailure.unreachable)
        return
      }
      defer { close(ends[1]) }
      let tunnel = TLSTunnel(descriptor: ends[0], cancellation)
      promise.succeed(tunnel)
      tunnel.move(stream, ends[1])
    }
    promise.futureResult.whenComplete { _ in timer.cancel() }
    return promise.futureResult
  }

  /// Moves the request, then the answer.
  private func move(_ stream: UnsafeMutablePointer<GIOStream>, _ end: CInt) {
    withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
      guard let base = buffer.baseAddress else { return }
      var ending: [UInt8] = []
      repeat {
        let count = recv(end, base, buffer.count, 0)
        guard count > 0, swiftlet_tls_write(stream, base, gsize(count), cancellation.pointer) != 0 else { return }
        ending = (ending + buffer.prefix(count)).suffix(4)
      } while ending != Array("\r\n\r\n".utf8)
      while true {
        let count = swiftlet_tls_read(stream, base, gsize(buffer.count), cancellation.pointer)
        if count < 0 { broken.store(true, ordering: .releasing) }
        guard count > 0, Self.sendAll(UnsafeRawBufferPointer(start: base, count: count), end) else { return }
      }
    }
  }

  private static func sendAll(_ bytes: UnsafeRawBufferPointer, _ end: CInt) -> Bool {
    var sent = 0
    while sent < bytes.count, let base = bytes.baseAddress {
      let count = send(end, base + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      // The HTTP client has read enough.
      guard count > 0 else { return false }
      sent += count
    }
    return true
  }
}

/// A GCancellable. Safe to share: GLib's documentation allows all its functions from any thread, and the pointer never
/// changes.
private final class Cancellation: @unchecked Sendable {
  let pointer = g_cancellable_new()

  func cancel() { g_cancellable_cancel(pointer) }

  deinit { g_object_unref(pointer) }
}

extension StreamFailure {
  fileprivate init(_ reason: swiftlet_tls_failure, _ problem: CertificateProblem) {
    switch reason {
    case SWIFTLET_TLS_TIMEOUT: self = .timedOut
    case SWIFTLET_TLS_UNTRUSTED: self = .certificate(problem)
    case SWIFTLET_TLS_UNAVAILABLE: self = .tlsUnavailable
    case SWIFTLET_TLS_UNKNOWN_HOST: self = .unknownHost
    case SWIFTLET_TLS_REFUSED: self = .refused
    case SWIFTLET_TLS_UNREACHABLE: self = .unreachable
    default: self = .insecure
    }
  }
}

extension CertificateProblem {
  /// - Parameter flags: GTlsCertificateFlags. If several are set, the most telling one counts.
  fileprivate init(_ flags: UInt32) {
    let known: [(GTlsCertificateFlags, CertificateProblem)] = [
      (G_TLS_CERTIFICATE_EXPIRED, .expired), (G_TLS_CERTIFICATE_NOT_ACTIVATED, .notYetValid),
      (G_TLS_CERTIFICATE_UNKNOWN_CA, .unknownAuthority), (G_TLS_CERTIFICATE_BAD_IDENTITY, .otherName),
    ]
    self = known.first { flags & $0.0.rawValue != 0 }?.1 ?? .other
  }
}

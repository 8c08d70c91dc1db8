import CGIO
import Glibc
import NIOCore
import PlaybackModel
import UPnP

/// A TLS connection to a server as a socket with plain bytes, for one request without a body.
///
/// GIO performs TLS, as it does for streams that GStreamer plays. Its calls block, so a thread moves the bytes between the
/// connection and one end of a socket pair. The other end is for the HTTP client.
final class TLSTunnel: Sendable {
  /// The HTTP client's end, which belongs to the caller.
  let descriptor: CInt
  private let cancellation: Cancellation

  private init(descriptor: CInt, _ cancellation: Cancellation) {
    self.descriptor = descriptor
    self.cancellation = cancellation
  }

  /// Ends the thread. Does not close the descriptor.
  func cancel() { cancellation.cancel() }

  /// Connects, and checks that the certificate is for the name.
  static func open(
    to address: IPAddress, port: UInt16, name: String, timeout: TimeAmount, on eventLoop: any EventLoop
  ) async throws(ArtError) -> TLSTunnel {
    let promise = eventLoop.makePromise(of: Result<TLSTunnel, ArtError>.self)
    let cancellation = Cancellation()
    let timer = eventLoop.scheduleTask(in: timeout) { cancellation.cancel() }
    let seconds = UInt32(clamping: timeout.nanoseconds / 1_000_000_000 + 1)
    NamedThread.start("tls") {
      var reason = SWIFTLET_TLS_FAILED
      let stream = swiftlet_tls_open("\(address)", port, name, seconds, cancellation.pointer, &reason)
      guard let stream else {
        promise.succeed(.failure(ArtError(reason)))
        return
      }
      defer { g_object_unref(stream) }
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
        promise.succeed(.failure(.busy))
        return
      }
      defer { close(ends[1]) }
      promise.succeed(.success(TLSTunnel(descriptor: ends[0], cancellation)))
      move(stream, ends[1], cancellation)
    }
    defer { timer.cancel() }
    guard let result = try? await promise.futureResult.get() else { throw .busy }
    return try result.get()
  }

  /// Moves the request, then the answer.
  private static func move(_ stream: UnsafeMutablePointer<GIOStream>, _ end: CInt, _ cancellation: Cancellation) {
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
        guard count > 0, sendAll(UnsafeRawBufferPointer(start: base, count: count), end) else { return }
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

extension ArtError {
  fileprivate init(_ reason: swiftlet_tls_failure) {
    switch reason {
    case SWIFTLET_TLS_TIMEOUT: self = .timeout
    case SWIFTLET_TLS_UNTRUSTED: self = .failed("The certificate of the server is not trusted.")
    case SWIFTLET_TLS_UNAVAILABLE: self = .failed("TLS needs the package glib-networking.")
    default: self = .failed("The server cannot be reached with TLS.")
    }
  }
}

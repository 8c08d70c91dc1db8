import CGStreamer
import Glibc
import PlaybackFormats
import PlaybackModel
import Synchronization

/// The connections to the server of one source. `end` closes them at once, even if the server is silent.
///
/// Part of the workaround of `Disposal`: a request must not be cancelled, but the end of its connection is harmless.
/// souphttpsrc shows neither its session nor its connections. But it passes its TLS interaction on to the session, so
/// an object of that kind marks the session as ours, and signals of libsoup and GIO show the sockets.
///
/// All signals arrive on the session's own thread, and sockets are closed there too, so that libsoup never uses one
/// that is being closed. Sessions that elements inside the decoder open for themselves (HLS) are not marked.
final class HTTPConnections: Sendable {
  private struct State {
    var isEnded = false
    /// The context that the session's thread runs; nil before the first request.
    var context: MainContextReference?
    var sockets: [SocketReference] = []
    /// The last bytes received; nil if they are unknown.
    var tail: ChunkedBodyTail?
  }

  private let state = Mutex(State())
  private static let key = "swiftlet-connections"

  /// Tracks the connections that the element will open.
  /// - Parameter source: a souphttpsrc in state NULL.
  func follow(_ source: UnsafeMutablePointer<GstElement>) {
    guard Self.isHooked, let mark = g_object_new_with_properties(g_tls_interaction_get_type(), 0, nil, nil) else {
      return
    }
    defer { g_object_unref(mark) }
    g_object_set_data_full(mark, Self.key, Unmanaged.passRetained(self).toOpaque(), release)
    swiftlet_set_object(source, "tls-interaction", mark)
  }

  /// Closes all connections, and those that are opened from now on.
  func end() {
    let context = state.withLock { state in
      state.isEnded = true
      return state.context
    }
    guard let context else { return }
    g_main_context_invoke_full(
      context.pointer, G_PRIORITY_DEFAULT, closeConnections, Unmanaged.passRetained(self).toOpaque(), release)
  }

  /// Whether the bytes received last are the last chunk of a body. True if they are unknown. See `ChunkedBodyEnd`.
  var hasLastChunk: Bool { state.withLock { $0.tail?.hasLastChunk ?? true } }

  /// Bytes have arrived.
  func received(_ bytes: UnsafeRawBufferPointer) {
    state.withLock { state in
      if state.tail == nil { state.tail = ChunkedBodyTail() }
      state.tail?.add(bytes)
    }
  }

  // MARK: On the session's thread

  /// Calls `onRequest` for each request of each session.
  private static let isHooked: Bool = {
    for library in ["libsoup-3.0.so.0", "libsoup-2.4.so.1"] {
      // souphttpsrc has loaded one of them.
      guard let handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD), let symbol = dlsym(handle, "soup_session_get_type")
      else { continue }
      let type = unsafeBitCast(symbol, to: (@convention(c) () -> GType).self)()
      // Signals exist once the class does. It is never released.
      guard g_type_class_ref(type) != nil else { continue }
      let signal = g_signal_lookup("request-queued", type)
      return signal != 0 && g_signal_add_emission_hook(signal, 0, onRequest, nil, nil) != 0
    }
    return false
  }()

  /// The connections that the session belongs to; nil for a session that is not marked.
  fileprivate static func of(_ session: gpointer) -> HTTPConnections? {
    guard let mark = swiftlet_get_object(session, "tls-interaction") else { return nil }
    defer { g_object_unref(mark) }
    guard let data = g_object_get_data(mark.assumingMemoryBound(to: GObject.self), key) else { return nil }
    return Unmanaged<HTTPConnections>.fromOpaque(data).takeUnretainedValue()
  }

  /// The session queues a message, for the first time or again.
  fileprivate func sends(_ message: gpointer) {
    state.withLock { $0.context = $0.context ?? MainContextReference() }
    let object = message.assumingMemoryBound(to: GObject.self)
    guard g_object_get_data(object, Self.key) == nil else { return }
    g_object_set_data(object, Self.key, message)
    swiftlet_on_network_event(message, onNetworkEvent, Unmanaged.passRetained(self).toOpaque(), releaseClosure)
  }

  /// A connection is about to be opened.
  fileprivate func connects(_ socket: UnsafeMutablePointer<GSocket>) {
    let isEnded = state.withLock { state in
      state.sockets.removeAll { g_socket_is_closed($0.pointer) != 0 || $0.pointer == socket }
      state.sockets.append(SocketReference(socket))
      return state.isEnded
    }
    // The connection then fails, and nothing is sent.
    if isEnded { g_socket_close(socket, nil) }
  }

  /// Shuts the sockets down and leaves closing them to libsoup: in the middle of a request, it expects the end of a
  /// connection but not a closed socket.
  fileprivate func close() {
    for socket in state.withLock(\.sockets) where g_socket_is_closed(socket.pointer) == 0 {
      shutdown(g_socket_get_fd(socket.pointer), Int32(SHUT_RDWR))
    }
  }
}

private func onRequest(
  _ hint: UnsafeMutablePointer<GSignalInvocationHint>?, _ count: guint, _ values: UnsafePointer<GValue>?,
  _ data: gpointer?
) -> gboolean {
  if count >= 2, let values, let session = g_value_get_object(values), let message = g_value_get_object(values + 1) {
    HTTPConnections.of(session)?.sends(message)
  }
  // Keep the emission hook.
  return 1
}

private func onNetworkEvent(
  _ message: gpointer?, _ event: GSocketClientEvent, _ connection: UnsafeMutablePointer<GIOStream>?, _ data: gpointer?
) {
  guard let data, let connection else { return }
  let connections = Unmanaged<HTTPConnections>.fromOpaque(data).takeUnretainedValue()
  switch event {
  case G_SOCKET_CLIENT_CONNECTING: if let socket = swiftlet_socket(connection) { connections.connects(socket) }
  case G_SOCKET_CLIENT_COMPLETE: ChunkedBodyEnd.follow(connection, of: connections)
  default: break
  }
}

private func closeConnections(_ data: gpointer?) -> gboolean {
  if let data { Unmanaged<HTTPConnections>.fromOpaque(data).takeUnretainedValue().close() }
  // G_SOURCE_REMOVE: do not call again.
  return 0
}

private func release(_ data: gpointer?) {
  if let data { Unmanaged<HTTPConnections>.fromOpaque(data).release() }
}

private func releaseClosure(_ data: gpointer?, _ closure: UnsafeMutablePointer<GClosure>?) { release(data) }

/// Owns a reference to a socket.
private final class SocketReference: @unchecked Sendable {
  // Safe to share: the pointer never changes, GObject counts references atomically, and the socket is used only on the
  // session's thread.
  let pointer: UnsafeMutablePointer<GSocket>

  init(_ pointer: UnsafeMutablePointer<GSocket>) {
    g_object_ref(pointer)
    self.pointer = pointer
  }

  deinit { g_object_unref(pointer) }
}

/// Owns a reference to the main context that is the default of the calling thread.
private final class MainContextReference: @unchecked Sendable {
  // Safe to share: the pointer never changes, and contexts lock themselves.
  let pointer: OpaquePointer

  init() { pointer = g_main_context_ref_thread_default() }

  deinit { g_main_context_unref(pointer) }
}

import CGStreamer
import Synchronization

/// Reads along on a connection, to know whether a chunked body ended with its last chunk.
///
/// Workaround: libsoup reports the end of a connection between two chunks as the end of the body, so a station that
/// breaks off there could not be told from a track that ends. The input stream of the connection gets a type of its own
/// that passes on what it delivers; libsoup and GIO offer no other access to these bytes.
/// - Affected: libsoup 3.2.
/// - Upstream: soup_body_input_stream_read_chunked in libsoup/soup-body-input-stream.c; later versions report an error.
/// - Test: StreamEndTests.aStationThatIsCutBetweenChunksContinues.
/// - GStreamer 1.26: not needed with libsoup 3.6, whose source has the fix; not checked.
enum ChunkedBodyEnd {
  /// Several sessions may register the same type.
  private static let registration = Mutex(())

  /// - Parameter connection: an established connection, with TLS if the server uses it.
  static func follow(_ connection: UnsafeMutablePointer<GIOStream>, of connections: HTTPConnections) {
    let data = Unmanaged.passRetained(connections)
    let isFollowed = registration.withLock { _ in
      swiftlet_tap(connection, onReceivedBytes, data.toOpaque(), releaseConnections) != 0
    }
    if !isFollowed { data.release() }
  }
}

private func onReceivedBytes(_ bytes: UnsafePointer<guint8>?, _ count: gssize, _ data: gpointer?) {
  guard let bytes, let data else { return }
  Unmanaged<HTTPConnections>.fromOpaque(data).takeUnretainedValue()
    .received(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
}

private func releaseConnections(_ data: gpointer?) {
  if let data { Unmanaged<HTTPConnections>.fromOpaque(data).release() }
}

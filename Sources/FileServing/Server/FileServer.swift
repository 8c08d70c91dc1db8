import MediaFiles
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// An HTTP server for single files, for a renderer on the network.
///
/// It serves only the files that it was given, each at an unguessable URL, and only to the addresses that the caller
/// allows.
///
///     let scan = try MediaScan("/music/Album")
///     let server = try await FileServer.start(on: address) { network.contains($0) }
///     for folder in scan.folders { tracks += server.publish(folder) }
///     // Send each track's `url` and `object.didlLite` to the renderer.
///     for await activity in server.activities() { print(activity.reading) }
///     await server.stop()
package final class FileServer: Sendable {
  package struct Limits: Sendable {
    /// Maximum number of connections. If one more is opened, the one without progress for the longest time is closed.
    package var connections = 64
    /// Time limit for the next request of a connection.
    package var idle = Duration.seconds(30)
    /// Time limit without progress. A paused renderer does not read.
    package var stalled = Duration.seconds(1800)

    package init() {}
  }

  private let table: ServingTable
  private let channel: any Channel
  private let group: MultiThreadedEventLoopGroup
  private let address: IPAddress
  package let port: Int

  /// Starts a server.
  /// - Parameters:
  ///   - address: of the interface that reaches the renderer.
  ///   - port: 0 for any free port.
  ///   - allows: whether a client may connect. Others are disconnected at once.
  /// - Throws: `IOError` if listening fails.
  package static func start(
    on address: IPAddress, port: UInt16 = 0, limits: Limits = Limits(),
    allows: @escaping @Sendable (IPAddress) -> Bool
  ) async throws -> FileServer {
    // A thread of its own, since reading files can block.
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let table = ServingTable()
    do {
      let channel = try await ServerBootstrap(group: group)
        .serverChannelOption(.backlog, value: 64)
        .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
        .childChannelOption(.socketOption(.so_keepalive), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            guard let client = channel.remoteAddress.flatMap({ IPAddress($0) }), allows(client),
              let number = table.opened(channel, limit: limits.connections)
            else { return channel.close(promise: nil) }
            channel.closeFuture.whenComplete { _ in table.closed(connection: number) }
            let pipeline = channel.pipeline.syncOperations
            try pipeline.configureHTTPServerPipeline(withErrorHandling: true)
            try pipeline.addHandler(FileConnection(table: table, limits: limits, number: number))
          }
        }
        .bind(to: address.socketAddress(port: port)).get()
      return FileServer(table: table, channel: channel, group: group, address: address)
    } catch {
      try? await group.shutdownGracefully()
      throw error
    }
  }

  private init(table: ServingTable, channel: any Channel, group: MultiThreadedEventLoopGroup, address: IPAddress) {
    self.table = table
    self.channel = channel
    self.group = group
    self.address = address
    port = channel.localAddress?.port ?? 0
  }

  /// Serves an audio or picture file. It is opened for each request, and need not exist yet.
  /// - Returns: its URL, the same for the same path; nil if the extension of its name is unknown.
  package func url(ofFile path: String) -> String? {
    FileType.of(path).map { url(.file(path: path, mimeType: $0), name: FileType.name(path)) }
  }

  /// Serves the picture in an audio file, which is read for each request.
  /// - Parameter mimeType: decides the extension in the URL, which some renderers want to see.
  package func url(ofPictureIn path: String, mimeType: String) -> String {
    url(.embeddedPicture(path: path), name: mimeType == "image/png" ? "cover.png" : "cover.jpg")
  }

  private func url(_ content: ServedContent, name: String) -> String {
    "http://\(address):\(port)/\(table.token(for: content))/\(Self.encode(name))"
  }

  /// The current activity.
  package var activity: ServingActivity { table.activity }

  /// The current activity and each change of it; a slow reader gets the newest. Ends when the server is stopped.
  package func activities() -> AsyncStream<ServingActivity> { table.activities() }

  /// Stops listening and closes all connections.
  package func stop() async {
    for channel in [channel] + table.stop() { try? await channel.close() }
    try? await group.shutdownGracefully()
  }

  /// Escapes all bytes except for the unreserved characters (RFC 3986 §2.3).
  private static func encode(_ name: String) -> String {
    let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
    return name.utf8.map { byte in
      unreserved.contains(byte)
        ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }.joined()
  }
}

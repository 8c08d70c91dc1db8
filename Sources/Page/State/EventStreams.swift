import DeviceStack
import NIOCore

/// The clients of `GET /api/events`.
final class EventStreams {
  private struct Client {
    let stream: HTTPStream
    let lists: [ShownList]
  }

  private let limit: Int
  private var clients: [ObjectIdentifier: Client] = [:]

  init(limit: Int) { self.limit = limit }

  var isEmpty: Bool { clients.isEmpty }
  var isFull: Bool { clients.count >= limit }

  /// Adds a client until its stream ends.
  func add(_ stream: HTTPStream, lists: [ShownList]) {
    clients[ObjectIdentifier(stream)] = Client(stream: stream, lists: lists)
    for list in lists { list.watch() }
    stream.onEnd = { [weak self, weak stream] in
      guard let self, let stream, let client = clients.removeValue(forKey: ObjectIdentifier(stream)) else { return }
      for list in client.lists { list.unwatch() }
    }
  }

  /// Sends to all clients or, with a list, to those that watch it.
  func send(_ text: ByteBuffer, of list: ShownList? = nil) {
    // Iterate over a copy: a write to a client that does not read closes and removes it at once.
    for client in Array(clients.values) where list == nil || client.lists.contains(where: { $0 === list }) {
      client.stream.write(text)
    }
  }
}

/// Server-sent events (HTML Living Standard §9.2).
enum EventText {
  /// - Parameter data: JSON, which has no line ends.
  static func event(_ type: String, id: String? = nil, data: [UInt8]) -> ByteBuffer {
    var text = ByteBuffer()
    text.reserveCapacity(data.count + 64)
    text.writeString("event: \(type)\n" + (id.map { "id: \($0)\n" } ?? "") + "data: ")
    text.writeBytes(data)
    text.writeString("\n\n")
    return text
  }

  /// A line that clients ignore.
  static let comment = ByteBuffer(string: ":\n\n")

  /// Milliseconds until a browser connects again.
  static let retry = ByteBuffer(string: "retry: 1000\n\n")
}

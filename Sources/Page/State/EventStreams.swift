import DeviceStack
import NIOCore

/// The clients of `GET /api/events`.
final class EventStreams {
  private struct Client {
    let stream: HTTPStream
    let lists: [ShownList]
  }

  private var seats: StreamSeats<ObjectIdentifier>
  private var clients: [ObjectIdentifier: Client] = [:]

  init(limit: Int) { seats = StreamSeats(limit: limit) }

  var isEmpty: Bool { clients.isEmpty }

  /// Adds a client until its stream ends. It may end the stream of another one.
  /// - Returns: false if there is no place for it.
  func add(_ stream: HTTPStream, of client: StreamSeats<ObjectIdentifier>.Client, lists: [ShownList]) -> Bool {
    switch seats.take(ObjectIdentifier(stream), for: client) {
    case .admit: break
    case .replace(let former): clients[former]?.stream.finish()
    case .refuse: return false
    }
    clients[ObjectIdentifier(stream)] = Client(stream: stream, lists: lists)
    for list in lists { list.watch() }
    stream.onEnd = { [weak self, weak stream] in
      guard let self, let stream, let client = clients.removeValue(forKey: ObjectIdentifier(stream)) else { return }
      seats.leave(ObjectIdentifier(stream))
      for list in client.lists { list.unwatch() }
    }
    return true
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

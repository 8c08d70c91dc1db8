import NIOCore
import Synchronization
import UPnP

/// The current and past transfers of a server.
package struct ServingActivity: Sendable, Hashable {
  /// The paths of the audio files that are being sent, in the order of their start. A file with two readers appears twice.
  package var reading: [String] = []
  /// The paths of the audio files of which the last byte was sent, and at least half of all bytes: players also look for
  /// tags at the end before they begin.
  package var delivered: Set<String> = []
  /// The end of the latest response; nil while one is being sent. Initially the start of the server.
  package var idleSince: ContinuousClock.Instant?
}

/// The contents of a server by path, its connections, and what they are doing. Shared by all connections.
final class ServingTable: Sendable {
  private struct Connection {
    var channel: any Channel
    /// When the connection last made progress.
    var progress: NIODeadline
  }

  private struct State {
    var contents: [String: ServedContent] = [:]
    var tokens: [ServedContent: String] = [:]
    var connections: [Int: Connection] = [:]
    var transfers: [(number: Int, path: String?)] = []
    /// The number of bytes sent, by path, for files that are not delivered yet.
    var sentBytes: [String: Int] = [:]
    var activity = ServingActivity(idleSince: .now)
    var listeners: [Int: AsyncStream<ServingActivity>.Continuation] = [:]
    var counter = 0
    var isStopped = false

    mutating func nextNumber() -> Int {
      counter += 1
      return counter
    }

    mutating func publish() {
      activity.reading = transfers.compactMap(\.path)
      activity.idleSince = transfers.isEmpty ? .now : nil
      for listener in listeners.values { listener.yield(activity) }
    }
  }

  private let state = Mutex(State())

  // MARK: Contents

  /// Makes a content available.
  /// - Returns: its unguessable part of the path, the same for the same content.
  func token(for content: ServedContent) -> String {
    state.withLock { state in
      if let token = state.tokens[content] { return token }
      // SystemRandomNumberGenerator is getrandom().
      let token = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined()
      state.tokens[content] = token
      state.contents[token] = content
      return token
    }
  }

  /// The content with a request target, `/TOKEN/NAME`. The name is for users and is ignored.
  func content(forTarget target: String) -> ServedContent? {
    let path = target.prefix { $0 != "?" }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[0].isEmpty else { return nil }
    return state.withLock { $0.contents[String(parts[1])] }
  }

  // MARK: Activity

  var activity: ServingActivity { state.withLock { $0.activity } }

  func activities() -> AsyncStream<ServingActivity> {
    let (stream, continuation) = AsyncStream.makeStream(of: ServingActivity.self, bufferingPolicy: .bufferingNewest(1))
    let number = state.withLock { state in
      let number = state.nextNumber()
      continuation.yield(state.activity)
      if state.isStopped { continuation.finish() } else { state.listeners[number] = continuation }
      return number
    }
    continuation.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
    }
    return stream
  }

  /// Notes the start of a response with a body.
  /// - Returns: its number for ``ended(_:sent:size:)``.
  func began(_ content: ServedContent) -> Int {
    state.withLock { state in
      let number = state.nextNumber()
      state.transfers.append((number, content.audioPath))
      state.publish()
      return number
    }
  }

  /// Notes the end of a response.
  /// - Parameters:
  ///   - sent: the bytes of the file that were sent.
  ///   - size: of the file.
  func ended(_ number: Int, sent: Range<Int>, size: Int) {
    state.withLock { state in
      guard let index = state.transfers.firstIndex(where: { $0.number == number }) else { return }
      if let path = state.transfers.remove(at: index).path, !state.activity.delivered.contains(path) {
        let bytes = state.sentBytes[path, default: 0] + sent.count
        let isDelivered = sent.upperBound == size && bytes >= size / 2
        if isDelivered { state.activity.delivered.insert(path) }
        state.sentBytes[path] = isDelivered ? nil : bytes
      }
      state.publish()
    }
  }

  // MARK: Connections

  /// Notes a new connection. Closes the one without progress for the longest time if there are too many.
  /// - Returns: its number; nil if the server has stopped.
  func opened(_ channel: any Channel, limit: Int) -> Int? {
    let (number, surplus) = state.withLock { state -> (Int?, (any Channel)?) in
      guard !state.isStopped else { return (nil, nil) }
      var surplus: (any Channel)?
      if state.connections.count >= limit,
        let oldest = state.connections.min(by: { $0.value.progress < $1.value.progress })
      {
        surplus = state.connections.removeValue(forKey: oldest.key)?.channel
      }
      let number = state.nextNumber()
      state.connections[number] = Connection(channel: channel, progress: .now())
      return (number, surplus)
    }
    surplus?.close(promise: nil)
    return number
  }

  func progressed(connection number: Int) {
    state.withLock { $0.connections[number]?.progress = .now() }
  }

  func closed(connection number: Int) {
    state.withLock { $0.connections[number] = nil }
  }

  /// Ends the streams of activities and refuses new connections.
  /// - Returns: the channels to close.
  func stop() -> [any Channel] {
    let (channels, listeners) = state.withLock { state in
      state.isStopped = true
      defer { state.listeners = [:] }
      return (state.connections.values.map(\.channel), Array(state.listeners.values))
    }
    for listener in listeners { listener.finish() }
    return channels
  }
}

import PlaybackStore

/// Decides which retained messages to remove from a broker after the configuration has changed.
///
/// A broker keeps retained messages forever. After a change of the prefix, the old topics show a speaker that no longer
/// listens there. They are removed on the next connection to the same broker, unless another speaker uses that prefix
/// now.
struct RetainedTopics: Equatable {
  /// A prefix that the speaker has published below, at one broker.
  struct Trace: Equatable {
    /// The broker's host, without the port: it changes with TLS.
    var host: String
    var prefix: String
    /// Whether the broker may retain Home Assistant's message. Its topic does not depend on the prefix.
    var isAnnounced: Bool
  }

  enum Action: Equatable {
    /// Asks for the retained availability. Another speaker may use an old prefix now.
    case ask(prefix: String)
    /// Removes all topics below the prefix, the availability last.
    case clear(prefix: String)
    /// Removes Home Assistant's message.
    case clearAnnouncement
    case save
  }

  /// Maximum number of traces.
  static let limit = 8

  /// The newest last.
  private(set) var traces: [Trace]
  /// The broker of this connection.
  private var host = ""

  init(_ traces: [Trace] = []) { self.traces = traces }

  /// Called on every new connection, before the speaker publishes.
  mutating func connected(host: String, prefix: String, announces: Bool) -> [Action] {
    let before = traces
    self.host = host.lowercased()
    let own = Trace(host: self.host, prefix: prefix, isAnnounced: announces)
    let others = traces.filter { $0.host == own.host && $0.prefix != prefix }
    let wasAnnounced = traces.contains { $0.host == own.host && $0.isAnnounced }
    traces.removeAll { $0.host == own.host && $0.prefix == prefix }
    traces = (traces + [own]).suffix(Self.limit)
    // Only the trace of this prefix keeps the flag, until the broker has removed the message.
    for index in traces.indices where traces[index].host == own.host {
      traces[index].isAnnounced = traces[index].prefix == prefix && (announces || wasAnnounced)
    }
    return (traces == before ? [] : [.save]) + (wasAnnounced && !announces ? [.clearAnnouncement] : [])
      + others.map { .ask(prefix: $0.prefix) }
  }

  /// The broker has a retained availability below a prefix that was asked for.
  mutating func found(_ availability: String, prefix: String) -> [Action] {
    // This speaker is online below another prefix, so this is another speaker.
    if availability == "online" { return forget(prefix: prefix) }
    return [.clear(prefix: prefix)]
  }

  /// The broker has removed the topics below the prefix, does not allow it, or has none.
  mutating func forget(prefix: String) -> [Action] {
    traces.removeAll { $0.host == host && $0.prefix == prefix }
    return [.save]
  }

  /// The broker has removed Home Assistant's message, or does not allow it.
  mutating func forgetAnnouncement() -> [Action] {
    for index in traces.indices where traces[index].host == host { traces[index].isAnnounced = false }
    return [.save]
  }
}

extension RetainedTopics {
  static let section = "mqtt"

  /// Empty for an invalid text.
  init(_ text: StateText?) {
    let columns = ["host", "prefix", "announced"].map { text?.values($0) ?? [] }
    guard columns.allSatisfy({ $0.count == columns[0].count }) else {
      self.init()
      return
    }
    self.init(
      columns[0].indices.suffix(Self.limit).map { row in
        Trace(host: columns[0][row], prefix: columns[1][row], isAnnounced: columns[2][row] == "true")
      })
  }

  var text: StateText {
    traces.reduce(into: StateText()) { text, trace in
      text.add("host", trace.host)
      text.add("prefix", trace.prefix)
      text.add("announced", trace.isAnnounced)
    }
  }
}

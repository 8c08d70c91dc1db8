import NIOCore

/// An M-SEARCH that is to be answered (UDA 1.1 §1.3.2).
struct SearchRequest: Sendable, Hashable {
  /// How a search came.
  enum Delivery: Sendable {
    case multicast, unicast
  }

  var target: SearchTarget
  /// ST as it was written; it goes back in the answer.
  var text: String
  /// Until when the asker listens. Zero for a unicast search, which is answered at once.
  var wait: TimeAmount

  /// After this time the asker has stopped listening: MX, or a second for a unicast search (UDA 1.1 §1.3.3), and a moment
  /// for those who listen longer.
  var patience: TimeAmount { (wait > .zero ? wait : .seconds(1)) + .milliseconds(500) }

  /// Nil for everything that calls for silence: other messages, another MAN, no ST or one that nobody has, and on
  /// multicast no MX or one that is not a positive number.
  init?(_ message: SSDPMessage, delivery: Delivery) {
    let start = message.startLine.split(separator: " ")
    guard start.count == 3, start[0] == "M-SEARCH", start[1] == "*", start[2].hasPrefix("HTTP/1."),
      message["man"] == #""ssdp:discover""#,
      let text = message["st"], let target = SearchTarget(text)
    else { return nil }
    self.target = target
    self.text = text
    switch delivery {
    case .unicast: wait = .zero
    case .multicast:
      guard let seconds = message["mx"].flatMap(Self.seconds) else { return nil }
      wait = .seconds(seconds)
    }
  }

  /// MX, at most 5 (UDA 1.1 §1.3.2), whatever the number of its digits.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let seconds = min(Int64(text) ?? .max, 5)
    return seconds > 0 ? seconds : nil
  }
}

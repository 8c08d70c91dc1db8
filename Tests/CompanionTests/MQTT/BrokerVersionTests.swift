import Testing

@testable import Companion

@Suite struct BrokerVersionTests {
  enum Event: Character {
    case refused = "r"
    /// The connection ended before the broker had accepted it.
    case ended = "e"
    /// The broker accepted the connection, which ended later.
    case accepted = "a"
  }

  /// Events, and the versions of the connection before the first one and after each of them.
  static let cases = [
    ("aa", "555"), ("r", "53"), ("raea", "53333"), ("ea", "535"), ("eee", "5353"), ("er", "535"), ("erer", "53535"),
  ]

  @Test(arguments: cases) func choosesTheVersion(events: String, versions: String) {
    var version = BrokerVersion()
    var chosen = "5"
    for event in events.compactMap({ Event(rawValue: $0) }) {
      switch event {
      case .refused: version.refused()
      case .ended: version.ended(wasAccepted: false)
      case .accepted: version.ended(wasAccepted: true)
      }
      chosen += version.is5 ? "5" : "3"
    }
    #expect(chosen == versions)
  }
}

import NIOCore

/// A valid M-SEARCH (UDA 1.1 §1.3.2).
package struct SearchRequest: Sendable, Hashable {
  /// How a search was sent.
  package enum Delivery: Sendable {
    case multicast, unicast
  }

  package var target: SearchTarget
  /// ST as received; the answer repeats it.
  package var text: String
  /// MX: the answers are spread over this time. Zero for a unicast search, which is answered at once.
  package var wait: TimeAmount

  /// Time after which an answer is of no use: MX, or 1 s for a unicast search (UDA 1.1 §1.3.3), and a grace period for
  /// control points that listen longer.
  package var patience: TimeAmount { (wait > .zero ? wait : .seconds(1)) + .milliseconds(500) }

  /// Nil for messages that must not be answered: not an M-SEARCH, a wrong MAN, a missing or invalid ST, and for multicast a
  /// missing MX or one that is not a positive number.
  package init?(_ message: SSDPMessage, delivery: Delivery) {
    let start = message.startLine.split(separator: " ")
    guard start.count == 3, start[0] == "M-SEARCH", start[1] == "*", start[2].hasPrefix("HTTP/1."),
      // Many small control points, such as ssdpy, omit the quotation marks.
      let man = message["man"], [#""ssdp:discover""#, "ssdp:discover"].contains(man),
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

  /// MX, capped at 5 (UDA 1.1 §1.3.2); a number too large for Int counts as 5, too.
  private static func seconds(_ text: String) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    let seconds = min(Int64(text) ?? .max, 5)
    return seconds > 0 ? seconds : nil
  }
}

/// The search target of an M-SEARCH: its ST (UDA 1.1 §1.3.2).
public enum SearchTarget: Sendable, Hashable {
  /// `ssdp:all`
  case all
  /// `upnp:rootdevice`
  case rootDevice
  /// `uuid:…` as received.
  case udn(String)
  /// A device or service type. Matches this and all later versions.
  case type(URN)

  package static let rootDeviceText = "upnp:rootdevice"

  /// Nil for an invalid ST.
  public init?(_ text: String) {
    switch text {
    case "ssdp:all": self = .all
    case Self.rootDeviceText: self = .rootDevice
    default:
      if text.hasPrefix("uuid:") {
        self = .udn(text)
      } else if let urn = URN(text) {
        self = .type(urn)
      } else {
        return nil
      }
    }
  }

  /// The value of the ST header.
  public var text: String {
    switch self {
    case .all: "ssdp:all"
    case .rootDevice: Self.rootDeviceText
    case .udn(let udn): udn
    case .type(let urn): urn.description
    }
  }
}

import ControlPoint
import UPnP

/// The address of a picture: `http` or `https`, with an IPv4 address or a name.
struct ArtURL: Sendable, Hashable, CustomStringConvertible {
  let isSecure: Bool
  /// Host, port and target.
  let location: HTTPURL

  private static let securePort: UInt16 = 443

  init?(_ text: some StringProtocol) {
    if let location = HTTPURL(text) {
      self.init(isSecure: false, location)
    } else if let location = HTTPURL(text, scheme: "https://", defaultPort: Self.securePort) {
      self.init(isSecure: true, location)
    } else {
      return nil
    }
  }

  /// - Returns: nil for a host that is neither an address nor a name that can be public.
  private init?(isSecure: Bool, _ location: HTTPURL) {
    guard location.address != nil || Self.canBePublic(location.host) else { return nil }
    self.isSecure = isSecure
    self.location = location
  }

  /// Resolves a redirection from this address.
  func resolve(_ reference: String) -> ArtURL? {
    if let absolute = ArtURL(reference) { return absolute }
    if reference.hasPrefix("//") { return ArtURL(scheme + reference.dropFirst(2)) }
    return location.resolve(reference).flatMap { $0.host == location.host ? ArtURL(isSecure: isSecure, $0) : nil }
  }

  /// Host and port for the HOST header; the scheme's own port is left out.
  var authority: String {
    location.port == (isSecure ? Self.securePort : 80) ? location.host : "\(location.host):\(location.port)"
  }

  var description: String { scheme + authority + location.target }

  private var scheme: String { isSecure ? "https://" : "http://" }

  /// Whether a host can be a name in the public DNS: labels, the last of which begins with a letter. Others may be addresses
  /// in disguise, such as `0x7f.1` and `2130706433`, or names of this house.
  private static func canBePublic(_ host: String) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253, labels.count > 1, labels.allSatisfy({ (1...63).contains($0.utf8.count) }),
      let first = labels.last?.utf8.first
    else { return false }
    return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first)
  }
}

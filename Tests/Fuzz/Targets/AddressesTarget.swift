import NIOCore

@testable import DeviceStack
@testable import PlaybackEngine
@testable import PlaybackModel
@testable import UPnP

/// Each line is tested as a host, a media URI, a network, a type and a request target.
enum AddressesTarget {
  private static let policy = HostPolicy(names: ["speaker.example", ".home.example"])
  private static let sources = SourcePolicy(allowedFolders: ["/nowhere"])

  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    while let line = input.line() {
      host(line)
      media(line)
      network(line)
      target(line)
    }
  }

  private static func host(_ text: String) {
    let isAllowed = policy.allows(host: text)
    if policy.allows(origin: "http://\(text)", host: text) { check(isAllowed, "the origin \(text) is allowed alone") }
    // An allowed name must not be one that anybody could register.
    let name = text.lowercased().split(separator: ":").first ?? ""
    if isAllowed, name.hasSuffix(".com") { check(false, "\(text) is allowed") }
  }

  private static func media(_ text: String) {
    if let address = HTTPAddress(text) {
      check(!address.host.isEmpty && (1...65535).contains(address.port), "\(address)")
      check(["http", "https"].contains(text.uriScheme), "\(text) is no http address")
    }
    do throws(PlaybackError) {
      try sources.check(text)
      check(HTTPAddress(text) != nil, "\(text) may be played")
    } catch {
      check(!"\(error)".isEmpty, "an error without words")
    }
    for base in ["http://192.0.2.1/a/b.m3u?c", text] {
      if let resolved = PlaylistDocument.resolve(text, base: base) {
        check(["http", "https"].contains(resolved.uriScheme), "\(resolved) of \(text) at \(base)")
      }
    }
  }

  private static func network(_ text: String) {
    if let address = IPAddress(text) { check(IPAddress(address.description) == address, "\(address) of \(text)") }
    if let network = CIDR(text) {
      check(CIDR(network.description) == network && network.contains(network.address), "\(network) of \(text)")
    }
    if let type = URN(text) { check(URN(type.description) == type, "\(type) of \(text)") }
  }

  private static func target(_ text: String) {
    guard let address = try? SocketAddress(ipAddress: "192.0.2.1", port: 1) else { return }
    let request = HTTPRequest(method: .GET, uri: text, headers: ["Host": text], remote: address, local: address)
    check(request.path.utf8.count <= text.utf8.count + 1, "\(request.path) of \(text)")
    check(request.host != nil, "no host, though there is one")
  }
}

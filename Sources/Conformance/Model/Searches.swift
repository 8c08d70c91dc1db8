import ControlPoint
import UPnP

extension CheckContext {
  /// The check on which all depend that search. Without answers, silence means nothing.
  static let searchBasis = "uda/1.3.3/answers"

  /// A valid search datagram.
  static func search(_ target: String, mx: String? = "1", man: String? = #""ssdp:discover""#) -> String {
    datagram(headers: [("MAN", man), ("MX", mx), ("ST", target)])
  }

  static func datagram(
    start: String = "M-SEARCH * HTTP/1.1", host: String = "239.255.255.250:1900", headers: [(String, String?)]
  ) -> String {
    let lines = headers.compactMap { name, value in value.map { "\(name): \($0)\r\n" } }.joined()
    return "\(start)\r\nHOST: \(host)\r\n\(lines)\r\n"
  }

  /// Whether an answer comes from the device under test, and not from another device on its host.
  func isOurs(_ answer: SearchAnswer) -> Bool {
    guard answer.sender.description == target.host else { return false }
    let usn = answer["usn"].lowercased()
    // The location also tells a device whose answers have another UDN than its description.
    return target.udns.contains { usn.hasPrefix($0.lowercased()) }
      || answer["location"] == target.description.location.description
  }

  /// Searches by multicast.
  /// - Parameter isEnough: ends the wait before the time is over.
  func answers(
    toSearch datagram: String, until isEnough: @Sendable ([SearchAnswer]) -> Bool = { !$0.isEmpty }
  ) async throws(Finding) -> [SearchAnswer] {
    // A datagram can be lost.
    for _ in 0..<2 {
      let answers = try await exchange(datagram, within: times.search, unicast: false, until: isEnough)
      if isEnough(answers) { return answers }
    }
    return try await exchange(datagram, within: times.search, unicast: false, until: isEnough)
  }

  func exchange(
    _ datagram: String, within limit: Duration, unicast: Bool, until isEnough: @Sendable ([SearchAnswer]) -> Bool
  ) async throws(Finding) -> [SearchAnswer] {
    let socket = try await SearchSocket.send(
      datagram, to: unicast ? searchAddresses.unicast : searchAddresses.multicast, from: local, clock: clock,
      where: isOurs)
    defer { socket.close() }
    return await socket.answers(within: limit, until: isEnough)
  }

  func rootAnswer() async throws(Finding) -> SearchAnswer {
    guard let answer = try await answers(toSearch: Self.search("upnp:rootdevice")).first else {
      throw .failure(expected: "an answer to a search for upnp:rootdevice", got: "none")
    }
    return answer
  }

  /// Finds the other root device of the speaker: a UPnP AV renderer for an OpenHome device, and the reverse. Both share
  /// an HTTP server; another renderer on the same machine has its own.
  func findSibling() async -> Target? {
    let isOpenHome = target.service("Product") != nil
    guard isOpenHome || target.service("AVTransport") != nil || target.service("RenderingControl") != nil else {
      return nil
    }
    let type = isOpenHome ? "urn:schemas-upnp-org:service:AVTransport:1" : "urn:av-openhome-org:service:Product:1"
    let own = target.description.location
    let socket = try? await SearchSocket.send(
      Self.search(type), to: searchAddresses.multicast, from: local, clock: clock
    ) { answer in
      HTTPURL(answer["location"]).map { $0.host == own.host && $0.port == own.port && $0.target != own.target } ?? false
    }
    guard let socket else { return nil }
    defer { socket.close() }
    let answers = await socket.answers(within: times.search) { !$0.isEmpty }
    guard let location = answers.first.flatMap({ HTTPURL($0["location"]) }) else { return nil }
    return try? await Target(at: location, target.controlPoint)
  }

  /// Sends a datagram that must not be answered.
  func expectSilence(_ datagram: String, about what: String) async throws(Finding) {
    let answers = try await exchange(datagram, within: times.search, unicast: false) { !$0.isEmpty }
    if let answer = answers.first {
      throw .failure(expected: "no answer to a search with \(what)", got: "an answer with the ST \"\(answer["st"])\"")
    }
  }
}

import PlaybackModel

/// An announcement as a JSON object, as the API and MQTT take it.
package struct NewAnnouncement: Decodable, Sendable {
  /// A wrong field, and what is wrong: it continues a sentence that begins with the field.
  package struct Problem: Error, Equatable, CustomStringConvertible {
    package let field: String
    package let what: String

    package var description: String { "“\(field)” \(what)." }

    fileprivate init(_ field: String, _ what: String) {
      self.field = field
      self.what = what
    }
  }

  private let uri: String?
  private let volume: Int?
  private let change: Int?
  private let mode: String?
  private let chime: Bool?
  private let group: Bool?
  private let seconds: Int?
  private let wait: Bool?

  /// Whether the answer comes when the announcement has ended.
  package var waits: Bool { wait ?? false }

  package var request: AnnouncementRequest { get throws(Problem) { try request(try content) } }

  /// The same for another content. `uri` names it.
  package func request(ofFile address: String) throws(Problem) -> AnnouncementRequest {
    try request(.local(address: address, name: uri ?? ""))
  }

  private func request(_ content: AnnouncementRequest.Content) throws(Problem) -> AnnouncementRequest {
    var request = AnnouncementRequest(content)
    request.volume = try wantedVolume
    request.hasChime = chime ?? false
    request.isForGroup = group ?? false
    if let mode {
      guard let mode = AnnouncementRequest.Mode(rawValue: mode) else {
        throw Problem("mode", "must be “duck” or “pause”")
      }
      request.mode = mode
    }
    if let seconds {
      let limits = AnnouncementRequest.limits
      guard limits.contains(seconds) else {
        throw Problem("seconds", "must be between \(limits.lowerBound) and \(limits.upperBound)")
      }
      request.limit = .seconds(seconds)
    }
    return request
  }

  private var content: AnnouncementRequest.Content {
    get throws(Problem) {
      if uri == "" { throw Problem("uri", "is empty") }
      if let uri { return .address(uri) }
      guard chime == true else { throw Problem("uri", "is missing; without it, “chime” must be true") }
      return .chime
    }
  }

  private var wantedVolume: AnnouncementRequest.Volume {
    get throws(Problem) {
      switch (volume, change) {
      case (nil, nil): return .relative(0)
      case (let step?, nil):
        guard (0...100).contains(step) else { throw Problem("volume", "must be between 0 and 100") }
        return .absolute(step)
      case (nil, let steps?):
        guard (-100...100).contains(steps) else { throw Problem("change", "must be between −100 and 100") }
        return .relative(steps)
      default: throw Problem("volume", "and “change” must not both be given")
      }
    }
  }
}

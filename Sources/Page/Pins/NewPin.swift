import PlaybackModel
import SpeakerCore

/// The body of `POST /api/pins/set`.
struct NewPin: Decodable {
  /// Longest texts in bytes, as for OpenHome controllers.
  private static let maximumBytes = 4096

  enum Content: String, Decodable {
    /// The radio's channel.
    case current
    /// A stream, on the radio.
    case station
    /// A playlist document.
    case playlist
    /// A container of a media server.
    case container
  }

  let index: UInt32
  let what: Content
  let title: String?
  let description: String?
  /// An address, or a path of the API.
  let art: String?
  let shuffle: Bool?
  /// The address of a station or a playlist.
  let uri: String?
  /// The media server of a container.
  let server: String?
  let container: String?

  /// Makes the pin, unless it is for the radio's channel.
  func pin(_ links: ArtLinks) throws(Problem) -> Pin {
    var pin: Pin
    switch what {
    case .current, .station: pin = Pin(mode: "url", type: "stream", uri: try address())
    case .playlist: pin = Pin(mode: "playlist", type: "", uri: try address())
    case .container:
      let folder = PinFolder(
        server: try text(server, "server"), id: try text(container, "container"), isContainer: true)
      pin = folder.pin()
    }
    pin.title = try text(title, "title")
    pin.description = try text(description ?? "", "description", canBeEmpty: true)
    pin.artworkURI = try artwork(links)
    pin.shuffles = shuffle ?? false
    guard pin.uri.utf8.count <= Self.maximumBytes else {
      throw .wrong(what == .container ? "container" : "uri", "is too long")
    }
    return pin
  }

  private func address() throws(Problem) -> String {
    let uri = try text(uri, "uri")
    try WebAddress.check(uri, "uri")
    return uri
  }

  private func artwork(_ links: ArtLinks) throws(Problem) -> String {
    guard let art, !art.isEmpty else { return "" }
    if art.hasPrefix(ArtLinks.folder) {
      return links.source(String(art.dropFirst(ArtLinks.folder.count)))?.url.description ?? ""
    }
    try WebAddress.check(art, "art")
    return try text(art, "art")
  }

  private func text(_ value: String?, _ field: String, canBeEmpty: Bool = false) throws(Problem) -> String {
    guard let value else { throw .wrong(field, "is missing") }
    guard canBeEmpty || !value.isEmpty, value.utf8.count <= Self.maximumBytes else {
      throw .wrong(field, "is empty or too long")
    }
    return value
  }
}

import PlaybackModel

extension ConfigurationKind<[RadioPreset]> {
  static var presets: Self {
    tables(
      "a list of tables, each with title, uri and perhaps artwork", keys: ["title", "uri", "artwork"],
      read: { table in
        let title = table.required("title", .text)
        let uri = table.required("uri", .webAddress)
        let artwork = table.value("artwork", .webAddress)
        guard let title, let uri else { return nil }
        return RadioPreset(title: title, uri: uri, artwork: artwork)
      }, write: \.toml)
  }
}

extension RadioPreset {
  fileprivate var toml: String {
    let artwork = artwork.map { ", artwork = \($0.tomlText)" } ?? ""
    return "{ title = \(title.tomlText), uri = \(uri.tomlText)\(artwork) }"
  }
}

extension ConfigurationKind<String> {
  /// An http or https address. The player plays no other schemes.
  fileprivate static var webAddress: Self {
    Self(
      "an address that begins with http:// or https://",
      reading: { value in
        guard case .text(let text) = value else { return nil }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        let isHTTP = parts.count == 2 && ["http", "https"].contains(parts[0].lowercased()) && !parts[1].isEmpty
        return isHTTP && !text.contains(where: \.isWhitespace) ? text : nil
      }, write: { $0.tomlText })
  }
}

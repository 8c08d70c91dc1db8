/// What can be played, as ConnectionManager:1 §2.5.2 and OpenHome's Playlist and Radio write it.
package enum ProtocolInfo {
  /// - Parameter mimeTypes: such as `audio/flac`; all of it over HTTP.
  package static func sink(mimeTypes: [String]) -> String {
    mimeTypes.map { "http-get:*:\($0):*" }.joined(separator: ",")
  }
}

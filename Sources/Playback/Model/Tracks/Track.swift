/// One playing of one item, as the pipeline knows it: the same item twice in a row is two tracks.
package struct Track: Sendable, Equatable {
  package let id: Int
  package let uri: String
  /// How long it is by the word of whoever asked for it.
  package var duration: Duration?

  package init(id: Int, uri: String, duration: Duration? = nil) {
    self.id = id
    self.uri = uri
    self.duration = duration
  }

  /// Whether it is had from the same place, which is away for both if it is for one.
  package func isOnSameServer(as other: Track) -> Bool {
    guard let server = HTTPAddress(uri) else { return false }
    return server == HTTPAddress(other.uri)
  }
}

extension [Track] {
  /// Those that are still to come when one of them is heard: all of them when it is another track.
  package func after(_ heard: Track?) -> [Track] {
    Array(dropFirst(firstIndex { $0 == heard }.map { $0 + 1 } ?? 0))
  }
}

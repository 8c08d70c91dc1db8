/// One playing of one item, as the pipeline knows it: the same item twice in a row is two tracks.
struct Track: Sendable, Equatable {
  let id: Int
  let uri: String
  /// How long it is by the word of whoever asked for it.
  var duration: Duration?
}

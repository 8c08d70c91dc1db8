/// What is known of a stream besides its bytes while its head is read.
package struct HeadSource: Sendable, Equatable {
  /// Whether it is a station: the lengths in its head mean nothing and are hidden from the demuxer.
  package var isEndless = false
  /// Bytes of the file, if the server says how many.
  package var size: Int?
  /// Offset of the first byte that can still be changed; those before it have passed.
  var changeableFrom = 0

  package init(isEndless: Bool = false, size: Int? = nil, changeableFrom: Int = 0) {
    self.isEndless = isEndless
    self.size = size
    self.changeableFrom = changeableFrom
  }
}

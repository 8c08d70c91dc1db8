import PlaybackFormats

extension HeadReader {
  /// Reads a file in pieces of `size` bytes.
  /// - Returns: the bytes passed on, with the reader's changes.
  package mutating func read(_ file: [UInt8], inPiecesOf size: Int) -> [UInt8] {
    stride(from: 0, to: file.count, by: size).flatMap { start in
      var piece = Array(file[start..<min(start + size, file.count)])
      for change in piece.withUnsafeBytes({ read($0, at: start) }) { piece[change.index] = change.value }
      return piece
    }
  }
}

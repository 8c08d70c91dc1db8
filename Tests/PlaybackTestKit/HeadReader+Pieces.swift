import PlaybackFormats

extension HeadReader {
  /// Reads a file from its beginning as it arrives, so many bytes at a time.
  /// - Returns: what is passed on of it, with the changes made.
  package mutating func read(_ file: [UInt8], inPiecesOf size: Int) -> [UInt8] {
    stride(from: 0, to: file.count, by: size).flatMap { start in
      var piece = Array(file[start..<min(start + size, file.count)])
      for change in piece.withUnsafeBytes({ read($0, at: start) }) { piece[change.index] = change.value }
      return piece
    }
  }
}

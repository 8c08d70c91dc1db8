/// The facts about a file that the stand-in player needs, from its first bytes.
struct StandInFormat: Equatable {
  /// The first byte of the sound.
  var dataStart: Int
  var bytesPerSecond: Int
  /// Nil for an endless stream.
  var duration: Duration?

  /// Enough bytes for ``init(_:length:announced:)``.
  static let headSize = 44

  /// - Parameters:
  ///   - head: the first bytes.
  ///   - length: of the file, if the server announces it.
  ///   - announced: the duration in the metadata.
  /// - Returns: nil if it is no sound that can be played.
  init?(_ head: [UInt8], length: Int?, announced: Duration?) {
    func number(at index: Int) -> Int { (0..<4).reduce(0) { $0 | Int(head[index + $1]) << (8 * $1) } }
    guard head.count >= Self.headSize, head.starts(with: Array("RIFF".utf8)), number(at: 28) > 0 else { return nil }
    dataStart = 44
    bytesPerSecond = number(at: 28)
    duration = .seconds(Double(number(at: 40)) / Double(bytesPerSecond))
  }
}

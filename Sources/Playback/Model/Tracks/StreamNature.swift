/// Decides whether a stream has an end, how to seek in it, and what its end means. No other code decides this.
package struct StreamNature: Sendable, Equatable {
  package enum Kind: Sendable {
    case file
    /// A radio station. It has no end, even if its first file header declares one.
    case station
    /// HTTP Live Streaming without a known end, or a stream whose head declares no end, or that is sent in real time.
    case live
    /// A file made on the fly, or a live stream.
    case unknown
  }

  package enum Access: Sendable {
    /// The demuxer seeks.
    case seek
    /// The stream is read from its beginning, and the sound before the target is dropped.
    case readThrough
    case none
  }

  /// Result of comparing a stream's first bytes with those when it was opened before.
  package enum Reopening: Sendable {
    case first, same, other
    /// Too few bytes for a decision, or silence.
    case undecided
  }

  /// How a body without an error ended (RFC 9112 §6.3).
  package enum End: Sendable {
    /// The server marked the end: all bytes of the announced length, or the last chunk.
    case marked
    /// The body has no end mark; the connection was closed.
    case closed
  }

  /// Stations send for longer than this. A shorter stream is an announcement or a track.
  package static let shortest = Duration.seconds(60)

  /// Whether the server sends `icy-` or `ice-` headers. Music Assistant and others send them with files, too.
  package var hasStationHeaders = false
  /// Whether the stream carries titles (`icy-metaint`).
  package var hasTitles = false
  /// Whether the server sends a length.
  package var hasSize = false
  /// Whether the server marks the end of a body without a length (`Transfer-Encoding: chunked`).
  package var isChunked = false
  /// Whether the stream consists of segments listed in a playlist (HLS).
  package var isSegmented = false
  /// Whether server and demuxer can seek.
  package var isSeekable = false
  /// Whether the head of the stream declares a duration.
  package var hasDuration = false
  /// Whether the head of the stream says that it has no end.
  package var declaresNoEnd = false
  /// Whether the server sends uncompressed samples in real time.
  package var isPaced = false
  /// Whether the item declares a duration.
  package var hasItemDuration = false
  package var reopening = Reopening.first

  package init() {}

  package var kind: Kind {
    if isSegmented { return hasDuration ? .file : .live }
    if isPossibleStation {
      if hasTitles { return .station }
      if reopening == .same { return .file }
      // A station keeps its body open until the connection ends.
      return isChunked ? .unknown : .station
    }
    if hasSize || isSeekable || hasDuration || hasItemDuration || reopening == .same { return .file }
    return declaresNoEnd || isPaced ? .live : .unknown
  }

  /// Whether the stream may be a station's, so that its head describes only the first item that it played. A stream
  /// with a length is a file, and so is an item with a declared duration.
  package var isPossibleStation: Bool { hasStationHeaders && !hasSize && !hasItemDuration }

  package var access: Access {
    switch kind {
    case .file: isSeekable ? .seek : .readThrough
    case .station, .live: .none
    // A stream whose first bytes differ each time is live.
    case .unknown: reopening == .other ? .none : .readThrough
    }
  }

  /// Whether an end means that the connection was lost, so that the stream continues on another one.
  /// - Parameter length: how long the stream has lasted.
  package func isBroken(by end: End, after length: Duration) -> Bool {
    switch end {
    case .marked: return false
    case .closed:
      // A station that was opened again has already proved that it keeps sending.
      let keepsSending = hasTitles || length >= Self.shortest || reopening == .other
      return isPossibleStation && !isSegmented && kind != .file && keepsSending
    }
  }
}

/// The first bytes of a stream. They distinguish a file generated on the fly from a live stream: only a file has the
/// same first bytes each time it is opened.
package struct StreamBeginning: Sendable, Equatable {
  /// Maximum number of bytes to compare.
  private static let longest = 64 << 10
  /// Minimum number of bytes to compare. Fewer may be headers only.
  private static let shortest = 4 << 10
  /// Minimum number of distinct byte values. Silence has fewer, and is the same in every stream.
  private static let fewestValues = 64

  private let bytes: [UInt8]

  /// - Parameter head: the first bytes received.
  package init(_ head: [UInt8]) { bytes = Array(head.prefix(Self.longest)) }

  /// Whether both are beginnings of the same stream. One may be longer than the other.
  package func isSame(as other: StreamBeginning) -> Bool {
    let common = bytes.prefix(other.bytes.count)
    return common.count >= Self.shortest && other.bytes.starts(with: common)
      && Set(common).count >= Self.fewestValues
  }

  /// Compares with the beginning when the stream was opened before.
  /// - Parameter isContinuation: whether an undecided result counts as another stream.
  package func comparison(with former: StreamBeginning, isContinuation: Bool) -> StreamNature.Reopening {
    if isSame(as: former) { return .same }
    let common = bytes.prefix(former.bytes.count)
    return isContinuation || !former.bytes.starts(with: common) ? .other : .undecided
  }
}

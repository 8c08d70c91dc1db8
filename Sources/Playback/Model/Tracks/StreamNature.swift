/// Decides whether a stream has an end, and how to seek in it. No other code decides this.
package struct StreamNature: Sendable, Equatable {
  package enum Kind: Sendable {
    case file
    /// A radio station. It has no end, even if its first file header declares one.
    case station
    /// HTTP Live Streaming without a known end.
    case liveList
    /// Neither a length nor a station's headers: a file made on the fly, or a live stream.
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

  /// Whether the server sends `icy-` or `ice-` headers.
  package var hasStationHeaders = false
  /// Whether the server sends a length.
  package var hasSize = false
  /// Whether the stream consists of segments listed in a playlist (HLS).
  package var isSegmented = false
  /// Whether server and demuxer can seek.
  package var isSeekable = false
  /// Whether the head of the stream, or the item, declares a duration.
  package var hasDuration = false
  package var reopening = Reopening.first

  package init(
    hasStationHeaders: Bool = false, hasSize: Bool = false, isSegmented: Bool = false, isSeekable: Bool = false,
    hasDuration: Bool = false, reopening: Reopening = .first
  ) {
    self.hasStationHeaders = hasStationHeaders
    self.hasSize = hasSize
    self.isSegmented = isSegmented
    self.isSeekable = isSeekable
    self.hasDuration = hasDuration
    self.reopening = reopening
  }

  package var kind: Kind {
    if isSegmented { return hasDuration ? .file : .liveList }
    if isStation { return .station }
    return hasSize || isSeekable || hasDuration || reopening == .same ? .file : .unknown
  }

  /// A server that sends a length has a file, even if it also sends a station's headers.
  package var isStation: Bool { hasStationHeaders && !hasSize }

  package var access: Access {
    switch kind {
    case .file: isSeekable ? .seek : .readThrough
    case .station, .liveList: .none
    // A stream whose first bytes differ each time is live.
    case .unknown: reopening == .other ? .none : .readThrough
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

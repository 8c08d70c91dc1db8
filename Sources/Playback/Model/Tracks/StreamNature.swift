/// Decides whether a stream ends, and how playback gets to a place in it. Everything else asks here.
package struct StreamNature: Sendable, Equatable {
  package enum Kind: Sendable {
    case file
    /// A radio station. It has no end, whatever the head of its stream says.
    case station
    /// HTTP Live Streaming without a known end.
    case liveList
    /// Neither a length nor a station's headers: a file made on the fly, or a live stream.
    case unknown
  }

  package enum Access: Sendable {
    /// The demuxer seeks.
    case seek
    /// The stream is read from its beginning, and the sound before the place is dropped.
    case readThrough
    case none
  }

  /// How a stream begins that was open before.
  package enum Reopening: Sendable {
    case first, same, other
    /// Too little came, or silence.
    case undecided
  }

  /// Whether the server sends `icy-` or `ice-` headers.
  package var hasStationHeaders = false
  /// Whether the server says how many bytes it sends.
  package var hasSize = false
  /// Whether a playlist names the segments of the stream (HLS).
  package var isSegmented = false
  /// Whether server and demuxer can seek.
  package var isSeekable = false
  /// Whether the head of the stream, or the item, says how long it is.
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
    // A stream that begins elsewhere each time is live.
    case .unknown: reopening == .other ? .none : .readThrough
    }
  }
}

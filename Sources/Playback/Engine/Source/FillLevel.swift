import PlaybackModel

/// How much decoded sound of a source is buffered.
struct FillLevel {
  /// Zero until the format is known.
  var bytesPerSecond: Int64 = 0
  /// All sound was decoded.
  private(set) var isComplete = false
  /// Place in the stream where the decoded sound ends, in nanoseconds.
  private(set) var end: Int64 = 0
  /// Time of the first sample minus the place that was read from, in nanoseconds; nil before the first sample.
  private(set) var segmentDelay: Int64?
  /// When sound was last decoded or asked for.
  private(set) var lastArrival = ContinuousClock.now
  /// Whether less than `lowMark` is buffered. Reported once.
  private var isBelowMark = false
  /// Bytes that went in and out.
  private var filled: Int64 = 0
  private var taken: Int64 = 0
  /// The requested amount in nanoseconds, until it is buffered.
  private var awaited: Int64?
  /// Counts the requests.
  private var requests = 0
  private let settings: PlayerSettings

  init(_ settings: PlayerSettings) { self.settings = settings }

  var bytes: Int { Int(filled - taken) }

  var nanoseconds: Int64 {
    bytesPerSecond > 0 ? Int64((Double(filled - taken) * 1e9 / Double(bytesPerSecond)).rounded()) : 0
  }

  /// Whether the server may have gone silent: little is buffered, and more is to come.
  var isLow: Bool { isBelowMark && !isComplete }

  /// Usually more than this is buffered, in nanoseconds, unless the server is slow or silent.
  private var lowMark: Int64 {
    guard bytesPerSecond > 0 else { return 0 }
    let room = min(settings.bufferDepth.nanoseconds, Int64(settings.bufferBytes) * 1_000_000_000 / bytesPerSecond)
    return room / 10 * 7
  }

  /// Replaces the request for a buffered amount.
  /// - Returns: the request's number, and the same number if it is fulfilled already.
  mutating func request(_ amount: Duration) -> (request: Int, fulfilled: Int?) {
    requests += 1
    awaited = amount.nanoseconds
    return (requests, takeFulfilled())
  }

  /// Sound was decoded.
  /// - Parameters:
  ///   - end: where it ends in the stream, if it says so.
  ///   - segmentDelay: where it begins, counted from the place that was read from.
  /// - Returns: the request that is fulfilled now, if one is.
  mutating func fill(bytes: Int, end: Int64?, segmentDelay: Int64?) -> Int? {
    self.segmentDelay = self.segmentDelay ?? segmentDelay
    filled += Int64(bytes)
    lastArrival = .now
    if let end { self.end = end }
    if isBelowMark, nanoseconds >= lowMark { isBelowMark = false }
    return takeFulfilled()
  }

  /// Sound was taken.
  /// - Returns: whether less than usual is buffered for the first time since it was enough.
  mutating func take(bytes: Int) -> Bool {
    taken += Int64(bytes)
    guard !isBelowMark, !isComplete, nanoseconds < lowMark else { return false }
    isBelowMark = true
    return true
  }

  /// All sound was decoded.
  /// - Returns: the request that is fulfilled by that, if one is.
  mutating func complete() -> Int? {
    isComplete = true
    return takeFulfilled()
  }

  /// A seek has discarded what was buffered.
  mutating func flush() {
    filled = 0
    taken = 0
    segmentDelay = nil
    awaited = nil
    isComplete = false
    isBelowMark = false
    lastArrival = .now
  }

  private mutating func takeFulfilled() -> Int? {
    guard let awaited, isComplete || nanoseconds >= awaited else { return nil }
    self.awaited = nil
    return requests
  }
}

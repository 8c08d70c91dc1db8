import PlaybackModel

/// Fill level of a source's buffer of decoded sound.
struct FillLevel {
  /// Zero until the format is known.
  var bytesPerSecond: Int64 = 0
  /// Whether all sound has been decoded.
  private(set) var isComplete = false
  /// Whether sound that arrives from now on is dropped.
  private(set) var isCutOff = false
  /// Stream position of the end of the decoded sound, in nanoseconds.
  private(set) var end: Int64 = 0
  /// Time of the first sample minus the requested position, in nanoseconds; nil before the first sample.
  private(set) var segmentDelay: Int64?
  /// When sound was last decoded, or a seek last flushed the buffer.
  private(set) var lastArrival = ContinuousClock.now
  /// Whether less than `lowMark` is buffered. Reported once per crossing.
  private var isBelowMark = false
  /// Bytes that were decoded, and bytes that the feeder took.
  private var filled: Int64 = 0
  private var taken: Int64 = 0
  /// The requested amount in nanoseconds; nil once it is buffered.
  private var awaited: Int64?
  private var requests = 0
  private let settings: PlayerSettings

  init(_ settings: PlayerSettings) { self.settings = settings }

  /// Whether any sound has been decoded since the beginning or the last seek.
  var hasArrived: Bool { filled > 0 }

  var bytes: Int { Int(filled - taken) }

  var nanoseconds: Int64 {
    bytesPerSecond > 0 ? Int64((Double(filled - taken) * 1e9 / Double(bytesPerSecond)).rounded()) : 0
  }

  /// Whether the server may be stalled: the buffer is low and not all sound has been decoded.
  var isLow: Bool { isBelowMark && !isComplete }

  /// Level in nanoseconds that the buffer exceeds unless the server is slow or stalled: 70 % of its capacity.
  private var lowMark: Int64 {
    guard bytesPerSecond > 0 else { return 0 }
    let room = min(settings.bufferDepth.nanoseconds, Int64(settings.bufferBytes) * 1_000_000_000 / bytesPerSecond)
    return room / 10 * 7
  }

  /// Replaces the request for a buffered amount.
  /// - Returns: the number of the request, and the same number if the request is already fulfilled.
  mutating func request(_ amount: Duration) -> (request: Int, fulfilled: Int?) {
    requests += 1
    awaited = amount.nanoseconds
    return (requests, takeFulfilled())
  }

  /// Sound was decoded.
  /// - Parameters:
  ///   - end: stream position of the end of the sound, if known.
  ///   - segmentDelay: start of the sound minus the requested position.
  /// - Returns: the request that is fulfilled now, if any.
  mutating func fill(bytes: Int, end: Int64?, segmentDelay: Int64?) -> Int? {
    self.segmentDelay = self.segmentDelay ?? segmentDelay
    filled += Int64(bytes)
    lastArrival = .now
    if let end { self.end = end }
    if isBelowMark, nanoseconds >= lowMark { isBelowMark = false }
    return takeFulfilled()
  }

  /// The feeder took sound.
  /// - Returns: whether the level has just fallen below `lowMark`.
  mutating func take(bytes: Int) -> Bool {
    taken += Int64(bytes)
    guard !isBelowMark, !isComplete, nanoseconds < lowMark else { return false }
    isBelowMark = true
    return true
  }

  /// All sound was decoded.
  /// - Returns: the request that this fulfills, if any.
  mutating func complete() -> Int? {
    isComplete = true
    return takeFulfilled()
  }

  /// Drops all further sound. The buffered sound is still played.
  /// - Returns: the request that this fulfills, if any.
  mutating func cutOff() -> Int? {
    isCutOff = true
    return complete()
  }

  /// Whether the sound was cut off and the feeder has taken the rest.
  var isDrained: Bool { isCutOff && filled == taken }

  /// A seek discarded the buffered sound.
  mutating func flush() {
    filled = 0
    taken = 0
    segmentDelay = nil
    awaited = nil
    isComplete = false
    isCutOff = false
    isBelowMark = false
    lastArrival = .now
  }

  private mutating func takeFulfilled() -> Int? {
    guard let awaited, isComplete || nanoseconds >= awaited else { return nil }
    self.awaited = nil
    return requests
  }
}

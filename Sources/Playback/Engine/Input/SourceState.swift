import PlaybackModel

/// The state of a source: how far it has got, whether enough is buffered, and how it ended.
///
/// Pure: `TrackSource` calls it with events and performs the seeks.
struct SourceState: Equatable {
  enum Stage: Equatable {
    /// No samples have been decoded.
    case opening
    /// The address is a text document, and the rest of it is being read.
    case document
    /// The seek to the start waits for the tags of a concatenated MP3 file, which give the duration.
    case awaitingParts
    /// A part of the file is read to find the place to seek to.
    case searching
    /// The pipeline seeks. `isStale`: to an outdated position, so another seek follows.
    case seeking(isStale: Bool)
    /// The first samples at the start have been decoded.
    case positioned
    /// The stream is broken. Another source will deliver the sound from `start` on.
    case postponed
    case disposed
  }

  enum Fill: Equatable {
    /// An amount is awaited. `mayGrow`: a larger one is requested instead if the server turns out to be slow.
    case awaited(mayGrow: Bool)
    /// Enough sound is buffered to start playing.
    case full(mayGrow: Bool)
  }

  enum Ending: Equatable {
    case none
    /// A refused range request showed that the stream is at its end.
    case atEnd
    case failed(PlaybackError)
  }

  /// What to do after the first samples have been decoded, at the beginning or after a seek.
  enum Arrival: Equatable {
    case wait
    /// Seek to the start. If the stream refuses, call `position`.
    case seek
    /// The samples are those at the start; call `position`.
    case arrived
  }

  private(set) var stage = Stage.opening
  private(set) var fill = Fill.awaited(mayGrow: true)
  private(set) var ending = Ending.none

  var isPrerolled: Bool {
    switch stage {
    case .opening, .document, .disposed: false
    case .awaitingParts, .searching, .seeking, .positioned, .postponed: true
    }
  }

  /// Whether the first samples at the start are still awaited after a seek.
  var isSeeking: Bool { isPrerolled && stage != .positioned }

  /// Whether the feeder may take samples.
  var isReady: Bool {
    if case .full = fill { return stage == .positioned }
    return false
  }

  // MARK: Position

  /// The first samples have been decoded, at the beginning or after a seek.
  /// - Parameters:
  ///   - mustSeek: whether playback begins elsewhere, and the stream can seek.
  ///   - awaitsParts: whether the seek target depends on parts of the file that are being read.
  mutating func prerolled(mustSeek: Bool, awaitsParts: Bool) -> Arrival {
    switch stage {
    case .opening:
      guard mustSeek else { return .arrived }
      guard awaitsParts else { return .seek }
      stage = .awaitingParts
      return .wait
    case .awaitingParts, .seeking(isStale: true): return .seek
    case .seeking(isStale: false), .positioned: return .arrived
    case .document, .searching, .postponed, .disposed: return .wait
    }
  }

  mutating func position() { stage = .positioned }

  /// The target position has changed.
  /// - Returns: whether to seek now. If not, `prerolled` or `partsRead` asks for it.
  mutating func move() -> Bool {
    switch stage {
    case .positioned, .searching: return true
    case .seeking: stage = .seeking(isStale: true)
    case .opening, .document, .awaitingParts, .postponed, .disposed: break
    }
    return false
  }

  /// A seek begins: a part of the file is read for it, or the pipeline seeks.
  mutating func seek(isSearching: Bool) {
    stage = isSearching ? .searching : .seeking(isStale: false)
    if case .full(let mayGrow) = fill { fill = .awaited(mayGrow: mayGrow) }
  }

  /// The tags of a concatenated MP3 file were read.
  /// - Returns: whether to seek now.
  func partsRead() -> Bool { stage == .awaitingParts }

  mutating func postpone() { stage = .postponed }

  // MARK: Fill

  /// The awaited amount is buffered.
  /// - Parameter isSlow: whether it arrived barely faster than real time, so that the next delay would be audible.
  /// - Returns: whether it suffices. If not, a larger amount must be awaited.
  mutating func filled(isSlow: Bool) -> Bool {
    switch fill {
    case .awaited(mayGrow: true) where isSlow:
      fill = .awaited(mayGrow: false)
      return false
    case .awaited(let mayGrow), .full(let mayGrow):
      fill = .full(mayGrow: mayGrow)
      return true
    }
  }

  // MARK: End

  var failure: PlaybackError? { if case .failed(let error) = ending { error } else { nil } }

  /// - Parameter failure: nil if the source has not failed after all.
  mutating func setFailure(_ failure: PlaybackError?) { ending = failure.map { .failed($0) } ?? .none }

  mutating func reachEnd() { ending = .atEnd }

  /// Starts reading the rest of a document.
  /// - Returns: false if this was done before.
  mutating func readDocument() -> Bool {
    guard stage == .opening else { return false }
    stage = .document
    return true
  }

  /// - Returns: false if the source was disposed of before.
  mutating func dispose() -> Bool {
    defer { stage = .disposed }
    return stage != .disposed
  }
}

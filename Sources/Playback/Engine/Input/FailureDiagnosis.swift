import PlaybackModel

/// Decides what a failure of an element means for the track.
struct FailureDiagnosis {
  enum Verdict: Equatable {
    /// The stream has already reached its end.
    case atEnd
    /// The stream ends before the position of the seek in progress.
    case positionBeyondEnd
    case error(PlaybackError)
  }

  var failure: ElementFailure
  /// Whether the source continues a broken stream and is not heard yet.
  var isContinuation = false
  /// Whether the first samples have been decoded.
  var isPrerolled = false
  var isSeeking = false
  /// Whether the server has sent anything.
  var hasReceived = false

  var verdict: Verdict {
    // The server announced too large a length, and now refuses the range beyond the true end (RFC 9110 §15.5.17).
    if failure.httpStatus == 416, !isContinuation {
      if isPrerolled { return isSeeking ? .positionBeyondEnd : .atEnd }
      // On a fast network the end comes before the first sound, and a pipeline with an error may not preroll.
      if hasReceived { return .error(.truncated) }
    }
    guard let error = PlaybackError(source: failure) else { return .error(isPrerolled ? .truncated : .notAudio) }
    // A server that has answered before is treated like a broken stream.
    if failure.cause != nil, hasReceived, error.isServerAbsent { return .error(.truncated) }
    return .error(error == .notAudio && !hasReceived ? .empty : error)
  }
}

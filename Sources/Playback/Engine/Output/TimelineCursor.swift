import PlaybackModel

/// The feeder's position on the output's timeline and in the track, counted in frames so that rounding errors do not
/// add up.
struct TimelineCursor {
  /// Nil before the first run.
  let run: RunID?
  private(set) var format: AudioFormat?
  /// Decides the device's format.
  var plan = DeviceFormatPlan()
  /// Whether the output may have run dry since the last samples.
  var hasStarved = false
  /// The source of the last samples.
  private(set) var sourceID: Int?
  private(set) var trackID: Int?
  /// Where the current format begins on the output's timeline, in nanoseconds, and the number of frames since.
  private var base: Int64 = Self.beginning
  private var frames: Int64 = 0
  /// The next frame of the track.
  private var next: Int64 = 0

  /// Where a run begins, in nanoseconds.
  ///
  /// Workaround: audio sinks round the length of a buffer at time 0 down twice, and drop its first frame.
  /// - Upstream: gst_audio_base_sink_render in gst-libs/gst/audio/gstaudiobasesink.c; no issue known.
  private static let beginning: Int64 = 1_000_000

  init(_ run: RunID? = nil) { self.run = run }

  /// The end of the samples so far on the output's timeline, in nanoseconds.
  var end: Int64 { base + (format?.nanoseconds(frames: frames) ?? 0) }

  /// The end of the samples so far in their track, in nanoseconds.
  var position: Int64 { format?.nanoseconds(frames: next) ?? 0 }

  mutating func change(to format: AudioFormat) {
    next = format.frames(nanoseconds: position)
    base = end
    frames = 0
    self.format = format
  }

  /// Advances past silence that is handed to the output.
  mutating func fill(frames: Int64) { self.frames += frames }

  /// Leaves a gap on the output's timeline.
  mutating func skip(_ nanoseconds: Int64) { base += nanoseconds }

  /// The frame of the track that the samples begin with. Stream times are rounded, and in MP3 the errors add up, so
  /// frames are counted from the source's first one unless the stream time differs by more than 1 ms.
  /// - Parameter streamTime: in nanoseconds; nil if the stream has no timestamps.
  func place(of source: FeedSource, streamTime: Int64?, in format: AudioFormat) -> Int64 {
    let isContinuing = sourceID == source.id || (source.isLive && trackID == source.trackID)
    guard let streamTime else { return isContinuing ? next : format.frames(nanoseconds: source.start.nanoseconds) }
    let frame =
      format.frames(nanoseconds: streamTime + source.shift.nanoseconds) - (source.gap?.delay(at: format.rate) ?? 0)
    let isRounded = abs(frame - next) <= Int64(format.rate / 1000)
    return isContinuing && (source.isLive || isRounded) ? next : frame
  }

  /// The frames to play: those after the source's start and within the sound. After a seek by bit rate, a stream starts
  /// too early.
  func audible(_ frames: Range<Int64>, of source: FeedSource, in format: AudioFormat) -> Range<Int64> {
    let first = sourceID == source.id ? .min : format.frames(nanoseconds: source.start.nanoseconds)
    return frames.clamped(to: source.gap?.sound(at: format.rate, from: first) ?? first..<Int64.max)
  }

  /// Advances past frames that are handed to the output.
  mutating func advance(_ heard: Range<Int64>, of source: FeedSource) {
    frames += Int64(heard.count)
    next = heard.upperBound
    sourceID = source.id
    trackID = source.trackID
  }
}

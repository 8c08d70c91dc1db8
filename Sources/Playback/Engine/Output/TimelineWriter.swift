import CGStreamer
import PlaybackModel

/// Places samples on the output's timeline, and reopens the device if their format requires it. Used on the feeder's
/// thread, for one run.
struct TimelineWriter {
  /// Samples that are ready for the output.
  struct Piece {
    /// Owned by the receiver.
    let buffer: UnsafeMutablePointer<GstBuffer>
    /// Running time of the first sample, in nanoseconds.
    let begin: Int64
    /// The first frame's number in the track.
    let position: Int64
    /// The stretch of a track that begins with the samples, if one does.
    let stretch: FeedQueue.Stretch?
    /// Whether the samples are the first of a source that follows another one, even if that one had none.
    let isJoin: Bool
  }

  private(set) var cursor: TimelineCursor
  /// Whether the last samples were silence between the samples of a track.
  private var isFilling = false
  /// The source that the run began with.
  private let firstSourceID: Int?
  private let output: OutputChain
  private let tap: SoundTap?

  /// Minimum lead of samples over the device after an interruption, in nanoseconds.
  private static let lateLead: Int64 = 50_000_000
  /// Silence before the first samples in a new device format, in nanoseconds.
  private static let reopeningSilence: Int64 = 20_000_000
  /// Minimum gap in a stream's timestamps that changes the position, in nanoseconds.
  private static let minimumGap: Int64 = 100_000_000

  init(_ run: RunID? = nil, firstSourceID: Int? = nil, output: OutputChain, tap: SoundTap? = nil) {
    cursor = TimelineCursor(run)
    self.firstSourceID = firstSourceID
    self.output = output
    self.tap = tap
  }

  var run: RunID? { cursor.run }
  /// Running time of the end of the placed samples, in nanoseconds.
  var end: Int64 { cursor.end }
  /// Whether no samples were placed in this run.
  var isEmpty: Bool { cursor.sourceID == nil }

  /// Notes that the output may run dry before the next samples.
  mutating func starve() { cursor.hasStarved = true }

  /// Places samples after the previous ones, and drops those that must not be heard.
  /// - Returns: nil if no samples are left, or if the run ended while the device was being reopened.
  mutating func place(_ samples: SampleBuffer, of source: FeedSource) -> Piece? {
    let format = samples.format
    if cursor.format != format { cursor.change(to: format) }
    let isNewSource = cursor.sourceID != source.id
    let first = cursor.place(of: source, streamTime: samples.streamTime, in: format)
    let heard = cursor.audible(first..<first + samples.frames, of: source, in: format)
    guard !heard.isEmpty, prepareDevice(for: source, format, samples.caps),
      let buffer = samples.copy(heard.lowerBound - first..<heard.upperBound - first)
    else { return nil }
    if isEmpty { cursor.skip(listenerLead) } else if isNewSource || cursor.hasStarved { catchUp() }
    let begin = cursor.end
    let position = format.nanoseconds(frames: heard.lowerBound)
    // The samples are played without the gap, but the position jumps.
    let hasGap = !isNewSource && (isFilling || abs(position - cursor.position) > Self.minimumGap)
    isFilling = false
    cursor.advance(heard, of: source)
    swiftlet_buffer_place(buffer, GstClockTime(begin), GstClockTime(cursor.end - begin), guint64(source.trackID))
    let stretch = FeedQueue.Stretch(trackID: source.trackID, runningTime: begin, position: position)
    return Piece(
      buffer: buffer, begin: begin, position: heard.lowerBound, stretch: isNewSource || hasGap ? stretch : nil,
      isJoin: isNewSource && source.id != firstSourceID)
  }

  /// Silence after the samples of a track, whose position does not advance meanwhile.
  /// - Returns: nil before the first samples.
  mutating func fill(_ nanoseconds: Int64) -> Piece? {
    guard let format = cursor.format, let trackID = cursor.trackID else { return nil }
    let frames = max(1, format.frames(nanoseconds: nanoseconds))
    guard let silence = swiftlet_silence(format.name, gsize(Int(frames) * format.bytesPerFrame)) else { return nil }
    if cursor.hasStarved { catchUp() }
    let begin = cursor.end
    cursor.fill(frames: frames)
    swiftlet_buffer_place(silence, GstClockTime(begin), GstClockTime(cursor.end - begin), guint64(trackID))
    let stretch = FeedQueue.Stretch(trackID: trackID, runningTime: begin, position: cursor.position, isStill: true)
    defer { isFilling = true }
    return Piece(
      buffer: silence, begin: begin, position: format.frames(nanoseconds: cursor.position),
      stretch: isFilling ? nil : stretch, isJoin: false)
  }

  /// A marker buffer that makes the output play everything it holds, although a follower may still arrive.
  func endMark() -> UnsafeMutablePointer<GstBuffer>? {
    guard let format = cursor.format, let mark = gst_buffer_new_allocate(nil, gsize(format.bytesPerFrame), nil) else {
      return nil
    }
    swiftlet_buffer_place(mark, GstClockTime(cursor.end), 0, OutputConverter.endMark)
    return mark
  }

  /// Changes the device's format if the samples or their processing require it.
  /// - Returns: false if the run is over.
  private mutating func prepareDevice(
    for source: FeedSource, _ format: AudioFormat, _ caps: UnsafeMutablePointer<GstCaps>
  ) -> Bool {
    let converter = output.converter
    let change = cursor.plan.next(format, converter.situation) { converter.choose(for: format, $0, like: caps) }
    guard let change else { return true }
    converter.plan(.init(start: cursor.end, input: format, change: change))
    gst_app_src_set_caps(output.appSource, caps)
    return !change.reopens || awaitReopening(for: source, in: format)
  }

  /// Waits until the device has been reopened, and skips that time. The device first plays what it holds, and its clock
  /// runs until it closes: samples placed before then would be dropped, so silence is sent first.
  /// - Returns: false if the run is over.
  private mutating func awaitReopening(for source: FeedSource, in format: AudioFormat) -> Bool {
    let begin = cursor.end
    let frames = format.frames(nanoseconds: Self.reopeningSilence)
    guard let silence = swiftlet_silence(format.name, gsize(Int(frames) * format.bytesPerFrame)) else { return true }
    swiftlet_buffer_place(
      silence, GstClockTime(begin), GstClockTime(Self.reopeningSilence), guint64(source.trackID))
    cursor.skip(Self.reopeningSilence)
    gst_app_src_push_buffer(output.appSource, silence)
    // Wait for half of the silence only: a resampler retains the last samples.
    guard let run, output.context.awaitArrival(beyond: begin + Self.reopeningSilence / 2, in: run) else { return false }
    cursor.skip(max(0, output.clock.time + listenerLead - cursor.end))
    return true
  }

  /// Moves the next samples to where the device will play them. If its clock has run on, it would drop samples placed
  /// earlier.
  private mutating func catchUp() {
    cursor.hasStarved = false
    let delay = output.clock.delay
    let late = output.clock.time + max(delay + Self.lateLead, listenerLead) - cursor.end
    if late > Self.lateLead { output.context.ignoreUnderrun() }
    if delay > 0 || listenerLead > 0, late > 0 { cursor.skip(late) }
  }

  /// How long before it is heard here sound must be placed, so that it can reach listeners elsewhere in time.
  private var listenerLead: Int64 { tap?.lead ?? 0 }
}

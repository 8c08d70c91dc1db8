import CGStreamer
import PlaybackModel

/// Places samples on the output's timeline and has the device reopened where their format needs it. Used on the feeder's
/// thread, for one session.
struct FeedWriter {
  /// Samples that are ready for the output.
  struct Piece {
    /// Owned by the receiver.
    let buffer: UnsafeMutablePointer<GstBuffer>
    /// Running time of the first sample, in nanoseconds.
    let begin: Int64
    /// The stretch of a track that begins with the samples, if one does.
    let stretch: FeedQueue.Stretch?
    /// Whether the samples are the first of a source that follows another one.
    let isJoin: Bool
  }

  private(set) var cursor: FeedCursor
  private let output: OutputChain

  /// Sound after an interruption must be this much ahead of the device, in nanoseconds.
  private static let lateLead: Int64 = 50_000_000
  /// Silence in front of sound that the device is reopened for, in nanoseconds.
  private static let reopeningSilence: Int64 = 20_000_000
  /// A hole in a stream that is at least this long changes the position, in nanoseconds.
  private static let leastHole: Int64 = 100_000_000

  init(session: Int = 0, output: OutputChain) {
    cursor = FeedCursor(session: session)
    self.output = output
  }

  var session: Int { cursor.session }
  /// Running time up to which sound was placed, in nanoseconds.
  var end: Int64 { cursor.end }
  /// Whether no samples were placed in this session.
  var isEmpty: Bool { cursor.sourceID == nil }

  /// The output may run dry before the next samples.
  mutating func lapse() { cursor.hasLapsed = true }

  /// Places samples behind those before, without those that are not to be heard.
  /// - Returns: nil if none are left, or if the session ended while the device was being reopened.
  mutating func place(_ samples: SampleBuffer, of source: FeedSource) -> Piece? {
    let format = samples.format
    if cursor.format != format { cursor.change(to: format) }
    let isNewSource = cursor.sourceID != source.id
    let first = cursor.place(of: source, streamTime: samples.streamTime, in: format)
    let heard = cursor.audible(first..<first + samples.frames, of: source, soundEnd: samples.soundEnd, in: format)
    guard !heard.isEmpty, prepareDevice(for: source, format, samples.caps),
      let buffer = samples.copy(heard.lowerBound - first..<heard.upperBound - first)
    else { return nil }
    let isFirst = isEmpty
    if isNewSource || cursor.hasLapsed, !isFirst { catchUp() }
    let begin = cursor.end
    let position = format.nanoseconds(frames: heard.lowerBound)
    // The samples continue without the hole, the position does not.
    let hasHole = !isNewSource && abs(position - cursor.position) > Self.leastHole
    cursor.advance(heard, of: source)
    swiftlet_buffer_place(buffer, GstClockTime(begin), GstClockTime(cursor.end - begin), guint64(source.trackID))
    let stretch = FeedQueue.Stretch(trackID: source.trackID, runningTime: begin, position: position)
    return Piece(
      buffer: buffer, begin: begin, stretch: isNewSource || hasHole ? stretch : nil, isJoin: isNewSource && !isFirst)
  }

  /// A buffer that makes the output play what it has, although a follower may still come.
  func endMark() -> UnsafeMutablePointer<GstBuffer>? {
    guard let format = cursor.format, let mark = gst_buffer_new_allocate(nil, gsize(format.bytesPerFrame), nil) else {
      return nil
    }
    swiftlet_buffer_place(mark, GstClockTime(cursor.end), 0, OutputConverter.endMark)
    return mark
  }

  /// Gives the device another form if the samples, or the changes made to them, require one.
  /// - Returns: false if the session is over.
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

  /// Waits until the device has been reopened, and skips the time that took. The device plays what it has first, and its
  /// clock runs on until it closes, so that sound placed before that would be dropped: silence goes ahead.
  /// - Returns: false if the session is over.
  private mutating func awaitReopening(for source: FeedSource, in format: AudioFormat) -> Bool {
    let begin = cursor.end
    let frames = format.frames(nanoseconds: Self.reopeningSilence)
    guard let silence = swiftlet_silence(format.name, gsize(Int(frames) * format.bytesPerFrame)) else { return true }
    swiftlet_buffer_place(
      silence, GstClockTime(begin), GstClockTime(Self.reopeningSilence), guint64(source.trackID))
    cursor.skip(Self.reopeningSilence)
    gst_app_src_push_buffer(output.appSource, silence)
    // Half of it, since a resampler retains some.
    guard output.context.awaitArrival(beyond: begin + Self.reopeningSilence / 2, epoch: cursor.session) else {
      return false
    }
    cursor.skip(max(0, output.clockTime - cursor.end))
    return true
  }

  /// Moves the next sound to where the device will play it. If the device has run on without it, sound placed earlier
  /// would be dropped.
  private mutating func catchUp() {
    cursor.hasLapsed = false
    let lead = output.deviceLead
    let late = output.clockTime + lead + Self.lateLead - cursor.end
    if late > Self.lateLead { output.context.forgiveLapse() }
    if lead > 0, late > 0 { cursor.skip(late) }
  }
}

import PlaybackModel

/// Where the feeder is on the output's timeline and in the track, counted in frames so that no rounding adds up.
struct FeedCursor {
  let session: Int
  private(set) var format: AudioFormat?
  /// Decides in which form the device gets the samples.
  var plan = DeviceFormPlan()
  /// The output may have run dry since the last samples.
  var hasLapsed = false
  /// The source of the last samples.
  private(set) var sourceID: Int?
  private var trackID: Int?
  /// Where the present format began on the output's timeline, and how many frames there were of it.
  private var base: Int64 = Self.beginning
  private var frames: Int64 = 0
  /// The frame of the track that comes next.
  private var next: Int64 = 0

  /// Where a run begins. Audio sinks that get a buffer for the very beginning of their time round its length down, twice,
  /// and leave out its first frame (GStreamer 1.22).
  private static let beginning: Int64 = 1_000_000

  init(session: Int = 0) { self.session = session }

  /// Where the samples end on the output's timeline, in nanoseconds.
  var end: Int64 { base + (format?.nanoseconds(frames: frames) ?? 0) }

  /// Where they end in their track, in nanoseconds.
  var position: Int64 { format?.nanoseconds(frames: next) ?? 0 }

  /// Samples of another form follow.
  mutating func change(to format: AudioFormat) {
    next = format.frames(nanoseconds: position)
    base = end
    frames = 0
    self.format = format
  }

  /// Leaves out a stretch of the output's timeline.
  mutating func skip(_ nanoseconds: Int64) { base += nanoseconds }

  /// Which frame of its track some sound begins with, as the decoder made it. What it says of itself is rounded, and in
  /// MP3 the roundings add up, so that frames are counted from the source's first one.
  /// - Parameter told: where in the stream it says it lies, in nanoseconds.
  func place(of source: FeedSource, told: Int64?, in format: AudioFormat) -> Int64 {
    let isGoingOn = sourceID == source.id || (source.isLive && trackID == source.trackID)
    guard let told else { return isGoingOn ? next : format.frames(nanoseconds: source.start.nanoseconds) }
    let frame = format.frames(nanoseconds: told + source.shift.nanoseconds) - (source.gap?.delay(at: format.rate) ?? 0)
    let isRounded = abs(frame - next) <= Int64(format.rate / 1000)
    return isGoingOn && (source.isLive || isRounded) ? next : frame
  }

  /// Which of a track's frames are to be heard. The decoder cuts a seek off at the sample; where it cannot, since the
  /// stream only seeks roughly, this does.
  func audible(_ frames: Range<Int64>, of source: FeedSource, in format: AudioFormat) -> Range<Int64> {
    let first = sourceID == source.id ? .min : format.frames(nanoseconds: source.start.nanoseconds)
    let end = source.isLive ? nil : source.context.packetsEnd.map { max(first, format.frames(nanoseconds: $0)) }
    return frames.clamped(to: source.gap?.sound(at: format.rate, from: first) ?? first..<(end ?? .max))
  }

  /// These frames of a track were handed over.
  mutating func advance(_ heard: Range<Int64>, of source: FeedSource) {
    frames += Int64(heard.count)
    next = heard.upperBound
    sourceID = source.id
    trackID = source.trackID
  }
}

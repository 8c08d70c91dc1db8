import CGStreamer
import PlaybackFormats
import PlaybackModel

/// Performs a track's seeks: searches FLAC files for the frame, chooses between exact and rough seeks, and sends the
/// seek to the pipeline.
///
/// Used on the pipeline's thread.
final class TrackSeeker {
  struct Target {
    /// Target position in the track.
    let position: Duration
    /// Start of the track in stream time.
    let origin: Duration
    let duration: Duration?
  }

  enum Outcome {
    /// A part of the file is being read. `take` continues the search.
    case searching
    case sought
    case refused
  }

  /// True time minus stream time after a seek by bit rate.
  var shift = Duration.zero
  /// Whether the last seek was by bit rate.
  private(set) var isRough = false
  /// Stream time indexed by the parser so far.
  private var indexed = Duration.zero
  private var search: FLACSearch?
  /// Known frames of a FLAC file.
  private var places: [FLACPlace] = []
  private let decoder: DecoderPipeline
  private let parts: PartReader
  private var context: SourceContext { decoder.context }

  init(decoder: DecoderPipeline, parts: PartReader) {
    self.decoder = decoder
    self.parts = parts
  }

  var isSearching: Bool { search != nil }

  /// Starts a seek, and cancels the search of an earlier one.
  func seek(to target: Target) -> Outcome {
    if isSearching { parts.end() }
    search = makeSearch(for: target)
    return proceed(to: target)
  }

  /// Continues the search with a part of the file.
  /// - Parameter bytes: empty if the part cannot be read.
  func take(_ bytes: [UInt8], for target: Target) -> Outcome {
    search?.take(bytes)
    return proceed(to: target)
  }

  /// The search for the target's frame; nil if the file is not FLAC or its size or duration is unknown.
  private func makeSearch(for target: Target) -> FLACSearch? {
    guard let layout = context.headFacts.flac, let format = decoder.format, let length = decoder.parserDuration,
      let size = decoder.size
    else { return nil }
    if places.isEmpty { places = layout.places }
    let samples = layout.samples > 0 ? layout.samples : Int(format.frames(nanoseconds: length.nanoseconds))
    let sample = Int(format.frames(nanoseconds: target.position.nanoseconds))
    return FLACSearch(layout, places: places, end: FLACPlace(sample: samples, offset: size), for: sample)
  }

  /// Reads the next part that the search needs, or seeks to the frame found.
  private func proceed(to target: Target) -> Outcome {
    guard let search else { return seekPipeline(to: target) }
    if let range = search.wanted, parts.read(range, for: .search) { return .searching }
    places = search.places
    if let parser = context.flacParser, let format = decoder.format {
      let time = format.nanoseconds(frames: Int64(search.before.sample))
      swiftlet_parser_add_index(parser.pointer, guint64(search.before.offset), guint64(time))
    }
    self.search = nil
    return seekPipeline(to: target)
  }

  private func seekPipeline(to target: Target) -> Outcome {
    if !isRough { indexed = max(indexed, context.end) }
    let time = max(.zero, aligned(target.position) + target.origin)
    let head = context.headFacts
    let stream = SeekPlan.Stream(
      isWithoutIndex: head.isWithoutIndex, isEstimated: head.isEstimated, duration: target.duration,
      parserDuration: decoder.parserDuration, size: decoder.size, indexed: indexed)
    let plan = SeekPlan(to: time, in: stream, exactSeekBytes: context.settings.exactSeekBytes)
    shift = time - plan.place
    isRough = !plan.isExact
    return decoder.seek(to: plan.place, flags(isExact: plan.isExact)) ? .sought : .refused
  }

  private func flags(isExact: Bool) -> GstSeekFlags {
    var flags = GST_SEEK_FLAG_FLUSH.rawValue
    if context.isSegmented {
      // Seek to the start of the segment, whose time is in the playlist. The feeder drops the samples before the
      // target.
      flags |= GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
    } else if isExact {
      flags |= GST_SEEK_FLAG_ACCURATE.rawValue
    }
    return GstSeekFlags(rawValue: flags)
  }

  /// The nearest sample boundary. Decoders round a time between two samples down to the first.
  private func aligned(_ position: Duration) -> Duration {
    guard let format = decoder.format else { return position }
    return .nanoseconds(format.nanoseconds(frames: format.frames(nanoseconds: position.nanoseconds)))
  }
}

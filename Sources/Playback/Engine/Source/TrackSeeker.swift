import CGStreamer
import PlaybackFormats
import PlaybackModel

/// Performs the seeks of a track: finds the place in FLAC files, chooses between exact and rough, and tells the pipeline.
///
/// Used on the pipeline's thread.
final class TrackSeeker {
  struct Target {
    /// Place in the track.
    let position: Duration
    /// Start of the track in stream time.
    let origin: Duration
    /// Length of the track, if known.
    let duration: Duration?
  }

  enum Outcome {
    /// A part of the file is being read; `take` continues.
    case searching
    case sought
    /// The stream refuses.
    case refused
  }

  /// True time minus stream time after a seek by bit rate.
  var shift = Duration.zero
  /// Whether the last seek went by bit rate.
  private(set) var isRough = false
  /// Stream time indexed by the parser so far.
  private var indexed = Duration.zero
  private var search: FLACSearch?
  /// Places of frames in a FLAC file that are known.
  private var places: [FLACPlace] = []
  private let decoder: DecoderPipeline
  private let parts: PartReader
  private var context: SourceContext { decoder.context }

  init(decoder: DecoderPipeline, parts: PartReader) {
    self.decoder = decoder
    self.parts = parts
  }

  var isSearching: Bool { search != nil }

  /// Begins a seek, and ends the search of an earlier one.
  func seek(to target: Target) -> Outcome {
    if isSearching { parts.end() }
    search = makeSearch(for: target)
    return proceed(to: target)
  }

  /// Continues the search with a part of the file.
  /// - Parameter bytes: none if it cannot be read.
  func take(_ bytes: [UInt8], for target: Target) -> Outcome {
    search?.take(bytes)
    return proceed(to: target)
  }

  /// Nil if the file is not FLAC.
  private func makeSearch(for target: Target) -> FLACSearch? {
    guard let layout = context.flac, let format = decoder.format, let length = decoder.parserDuration,
      let size = decoder.size
    else { return nil }
    if places.isEmpty { places = layout.places }
    let samples = layout.samples > 0 ? layout.samples : Int(format.frames(nanoseconds: length.nanoseconds))
    let sample = Int(format.frames(nanoseconds: target.position.nanoseconds))
    return FLACSearch(layout, places: places, end: FLACPlace(sample: samples, offset: size), for: sample)
  }

  /// Reads the next part that the search wants, or seeks to what it has found.
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
    let stream = SeekPlan.Stream(
      isWithoutIndex: context.isWithoutIndex, isEstimated: context.isEstimated, duration: target.duration,
      parserDuration: decoder.parserDuration, size: decoder.size, indexed: indexed)
    let plan = SeekPlan(to: time, in: stream, exactSeekBytes: context.settings.exactSeekBytes)
    shift = time - plan.place
    isRough = !plan.isExact
    return decoder.seek(to: plan.place, flags(isExact: plan.isExact)) ? .sought : .refused
  }

  private func flags(isExact: Bool) -> GstSeekFlags {
    var flags = GST_SEEK_FLAG_FLUSH.rawValue
    if context.isSegmented {
      // To the beginning of the segment, whose time is in the playlist; the feeder drops what precedes the place.
      flags |= GST_SEEK_FLAG_KEY_UNIT.rawValue | GST_SEEK_FLAG_SNAP_BEFORE.rawValue
    } else if isExact {
      flags |= GST_SEEK_FLAG_ACCURATE.rawValue
    }
    return GstSeekFlags(rawValue: flags)
  }

  /// The nearest boundary between samples. Between two, decoders begin with the first.
  private func aligned(_ position: Duration) -> Duration {
    guard let format = decoder.format else { return position }
    return .nanoseconds(format.nanoseconds(frames: format.frames(nanoseconds: position.nanoseconds)))
  }
}

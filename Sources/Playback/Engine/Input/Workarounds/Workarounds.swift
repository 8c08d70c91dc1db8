/// A workaround for a defect of GStreamer. Its file names the upstream source and the test that fails without it.
struct Workaround: Sendable {
  /// The versions that need it, among those that are supported: 1.22 (Debian 12) to 1.26 (Debian 13).
  enum Versions: String, Sendable {
    /// The test fails without the workaround on 1.26.2, too.
    case all = "1.22 to 1.26.2"
    /// 1.26.2 was not tried, but its source has the same defect.
    case allBySource = "1.22 to 1.26.2, by its source"
    /// The test passes without the workaround on 1.26.2.
    case oldOnly = "1.22 only"
  }

  let defect: String
  /// The file, below `Sources/Playback`.
  let file: String
  let versions: Versions

  /// All workarounds. Delete one when no supported version needs it. `docs/gstreamer-workarounds.md` shows this list.
  static let all = [
    Workaround(
      "aiffparse frees data that the pushing thread still uses", "Engine/Input/Workarounds/AIFFParserStop.swift",
      .allBySource),
    Workaround(
      "oggdemux reports short durations when fed in order", "Engine/Input/Workarounds/OggRingBuffer.swift", .all),
    Workaround(
      "vorbisdec plays the whole last packet of a stream that is fed in order",
      "Engine/Input/Workarounds/VorbisEnd.swift", .allBySource),
    Workaround(
      "flacparse has no time for frames of varying size", "Engine/Input/Workarounds/FLACFrameTimes.swift", .oldOnly),
    Workaround(
      "GStreamer cannot seek in Matroska, chained Ogg and fragmented MP4",
      "Engine/Input/Workarounds/UnseekableContainers.swift", .all),
    Workaround(
      "decoders leave a sample too many at either end of a segment", "Engine/Input/Workarounds/SegmentBounds.swift",
      .oldOnly),
    Workaround(
      "audioconvert aborts with 64 channels or more", "Engine/Input/Workarounds/DecodedCaps.swift", .all),
    Workaround(
      "AU, raw samples and ADPCM play wrong samples after a seek, or nothing",
      "Engine/Input/BlockDemuxer/BlockDemuxer.swift", .allBySource),
    Workaround(
      "HLS: newer demuxers are tried first and load libsoup", "Engine/Input/Workarounds/SegmentDemuxers.swift",
      .allBySource),
    Workaround(
      "HLS: the delay of an MPEG-TS segment counts as part of the track",
      "Engine/Input/Workarounds/SegmentDelay.swift", .all),
    Workaround("flacparse reads everything before the place of an exact seek", "Formats/FLACSearch.swift", .all),
    Workaround(
      "mpegaudioparse applies the first tag of a concatenated file to all of it", "Formats/MP3Parts.swift", .all),
    Workaround("wavparse plays at most 2 GB", "Formats/WAVHeadReader.swift", .allBySource),
    Workaround("the delay of Speex is played but not counted", "Formats/SpeexHeadReader.swift", .all),
    Workaround(
      "qtdemux cuts edit lists off by one sample or two blocks", "Formats/MP4HeadReader.swift", .allBySource),
    Workaround(
      "audio sinks drop the first frame of a buffer at time 0", "Engine/Output/TimelineCursor.swift", .allBySource),
    Workaround(
      "a pipeline that is paused during its start never plays again", "Engine/Output/InterruptedStart.swift",
      .allBySource),
    Workaround(
      "the resampler is late by 1/32 of a sample", "Engine/Resampling/VariableRateResampler.swift", .allBySource),
    Workaround("pulsesink's clock may jump by centuries", "Engine/Output/DeviceClock.swift", .allBySource),
    Workaround("pulsesink's clock may stop", "Model/Device/DeviceWatches.swift", .allBySource),
  ]

  private init(_ defect: String, _ file: String, _ versions: Versions) {
    (self.defect, self.file, self.versions) = (defect, file, versions)
  }
}

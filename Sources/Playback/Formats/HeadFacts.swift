/// Facts that the head of a stream declares.
package struct HeadFacts: Sendable, Equatable {
  /// Encoder delay and padding.
  package var gap: EncoderGap?
  /// Duration of the sound, where the demuxer cannot report it.
  package var duration: Duration?
  /// Audible sound before the stream's time zero.
  package var prelude = Duration.zero
  /// Whether the head declares no end, as written by programs that stream while they encode. The duration that the demuxer
  /// reports is then wrong.
  package var declaresNoEnd = false
  /// Whether the file is fragmented (ISO/IEC 14496-12 section 8.8). The demuxer knows only the fragments it has read.
  package var isFragmented = false
  /// Whether the file is a sequence of frames without an index (MP3, AAC in ADTS). A seek target is then found only by
  /// reading everything before it.
  package var isWithoutIndex = false
  /// Whether a stream of frames declares its duration and a rough table of contents at its beginning.
  package var hasTable = false
  package var flac: FLACLayout?
  /// The parts of a concatenated MP3 file.
  package var parts: MP3Parts?

  /// Whether the duration can only be estimated from the bit rate.
  package var isEstimated: Bool { isWithoutIndex && !hasTable }
}

import CGStreamer
import PlaybackModel

/// Opens one address as the engine does and decodes it to its end, without an output. For the program `run-source`.
package enum SourceProbe {
  package struct Report {
    /// GStreamer's name of the sample format, such as `S16LE`, with rate and channels.
    package var format = ""
    /// Duration that the stream declares; nil for live streams.
    package var duration: Duration?
    package var codec: String?
    /// Bits per second, declared or measured.
    package var bitRate: Int?
    package var title: String?
    package var replayGain: ReplayGainTags?
    /// Frames that the decoder delivers. The feeder may cut off encoder delay and padding.
    package var frames: Int64 = 0
    package var rate = 1
    /// MD5 of the interleaved samples, as `ffmpeg -f md5` computes it for the same sample format.
    package var checksum = ""
  }

  /// A stream without samples for this long has failed.
  private static let patience = Duration.seconds(30)

  /// Opens and decodes the address. Blocks until the end of the stream.
  /// - Parameter limit: stops after this much sound, for live streams; nil for all of it.
  package static func run(_ uri: String, limit: Duration?) throws(PlaybackError) -> Report {
    GStreamerLibrary.start()
    let mailbox = Mailbox()
    let source = try DecoderPipeline(uri: uri, isWithoutRanges: false, settings: PlayerSettings(), mailbox: mailbox)
    source.open()
    defer { source.end() }
    var report = Report()
    let checksum = g_checksum_new(G_CHECKSUM_MD5)
    defer { g_checksum_free(checksum) }
    var tags = StreamTags()
    var lastSamples = ContinuousClock.now
    pulling: while true {
      switch source.pull(timeout: .milliseconds(100)) {
      case .samples(let samples):
        let format = samples.format
        if report.frames == 0 {
          report.format = "\(format.name), \(format.rate) Hz, \(format.channels) channels"
          report.duration = source.parserDuration
          report.rate = format.rate
        }
        report.frames += samples.frames
        samples.update(checksum)
        lastSamples = .now
        if let limit, Duration.seconds(report.frames) / report.rate >= limit { break pulling }
      case .nothing, .early:
        try readEvents(mailbox, &tags, of: uri)
        if lastSamples.duration(to: .now) > patience { throw .failed("there were no samples for \(patience)") }
      case .end: break pulling
      }
    }
    try readEvents(mailbox, &tags, of: uri)
    guard report.frames > 0 else { throw .notAudio }
    report.codec = tags.codec
    report.bitRate = tags.bitRate ?? tags.nominalBitRate ?? tags.measuredBitRate
    report.title = tags.texts.title
    report.replayGain = tags.replayGain
    report.checksum = g_checksum_get_string(checksum).map { String(cString: $0) } ?? ""
    return report
  }

  private static func readEvents(_ mailbox: Mailbox, _ tags: inout StreamTags, of uri: String) throws(PlaybackError) {
    while let work = mailbox.next(timeout: .zero) {
      switch work {
      case .source(_, .tags(let new)): tags.add(new)
      case .source(_, .failed(let failure)): throw PlaybackError(source: failure) ?? .failed(failure.message)
      default: break
      }
    }
  }
}

extension SampleBuffer {
  fileprivate func update(_ checksum: OpaquePointer?) {
    guard let buffer = copy(0..<frames) else { return }
    defer { swiftlet_buffer_unref(buffer) }
    var bytes = [UInt8](repeating: 0, count: Int(gst_buffer_get_size(buffer)))
    let count = gst_buffer_extract(buffer, 0, &bytes, gsize(bytes.count))
    g_checksum_update(checksum, bytes, gssize(count))
  }
}

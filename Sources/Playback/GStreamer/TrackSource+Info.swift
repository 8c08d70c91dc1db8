import CGStreamer

extension TrackSource {
  /// A stream without an end, as far as is known.
  var isLive: Bool { isPrerolled && !isSeekable && !isFinite }

  /// Whether the stream is known to have none.
  var isStation: Bool { isLive && (context.isStation || context.isSegmented) }

  /// Whether the stream is known to have an end.
  var isFinite: Bool {
    duration != nil || isRepeated || context.hasSize && !context.isStation && !context.isSegmented
  }

  /// What is known of the stream; nil as long as nothing has come of it.
  var streamInfo: StreamInfo? {
    guard isPrerolled else { return nil }
    // What has an end can be read from its beginning, if it must.
    var info = StreamInfo(
      codecName: tags.codec, container: context.container,
      bitRate: tags.nominalBitRate ?? tags.bitRate ?? tags.measuredBitRate, isSeekable: isSeekable || isFinite,
      isLive: isStation)
    if context.isRaw { info.codecName = tags.codec ?? "Uncompressed PCM audio" }
    info.lossless = info.codecName.map(LosslessCodecs.contains) ?? false
    guard let format else { return info }
    info.sampleRate = format.rate
    info.channels = format.channels
    info.bitDepth = info.lossless ? format.depth : nil
    if info.lossless, context.isRaw {
      info.bitRate = info.bitRate ?? format.rate * format.channels * format.depth
    }
    return info
  }

  /// The form of the decoded sound, once there is some.
  var format: AudioFormat? {
    sink.withPad("sink") { pad in
      guard let caps = gst_pad_get_current_caps(pad) else { return nil }
      defer { swiftlet_caps_unref(caps) }
      return AudioFormat(caps: caps)
    } ?? nil
  }
}

import NIOCore

/// The format of the samples of a frame.
package struct AudioFormat: Sendable, Hashable {
  package var sampleRate: UInt32
  /// 8, 16 or 24. Samples of 8 bits are unsigned, as in a WAV file; the others are signed.
  package var bitDepth: UInt8
  package var channels: UInt8
  package var codec: String
  package var isLossless: Bool

  package init(sampleRate: UInt32, bitDepth: UInt8, channels: UInt8, codec: String, isLossless: Bool) {
    self.sampleRate = sampleRate
    self.bitDepth = bitDepth
    self.channels = channels
    self.codec = codec
    self.isLossless = isLossless
  }

  /// Bytes of one sample of all channels.
  package var bytesPerSample: Int { Int(channels) * Int(bitDepth) / 8 }
}

/// An OHM Audio message: some milliseconds of sound.
package struct AudioFrame: Sendable, Hashable {
  package struct Flags: OptionSet, Sendable, Hashable {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The sound ends after this frame.
    package static let halt = Flags(rawValue: 1)
    package static let lossless = Flags(rawValue: 2)
    /// `networkTimestamp` is right; after a change between clocks only once the latency has passed.
    package static let timestamped = Flags(rawValue: 4)
    /// Sent again because a receiver asked for it.
    package static let resent = Flags(rawValue: 8)
    /// `networkTimestamp` is right from the second frame after a change between clocks.
    package static let timestamped2 = Flags(rawValue: 16)
  }

  /// Bytes of the fields that every frame has, without the message's header and the codec's name.
  static let headerSize: UInt8 = 50
  /// A longer latency counts as this one.
  static let longestLatency = Duration.seconds(1)

  package var flags: Flags
  /// The number of the frame. Successive frames have successive numbers, which wrap.
  package var number: UInt32
  /// When the previous frame was sent, in ticks of the sender's clock.
  package var networkTimestamp: UInt32
  /// Ticks from sending to playing.
  package var mediaLatency: UInt32
  package var mediaTimestamp: UInt32
  /// Position of the first sample in the track.
  package var sampleStart: UInt64
  /// Samples in the track; 0 if unknown.
  package var samplesTotal: UInt64
  package var sampleRate: UInt32
  package var bitRate: UInt32
  package var volumeOffset: Int16
  package var bitDepth: UInt8
  package var channels: UInt8
  package var codec: String
  /// Samples, interleaved, big-endian and packed.
  package var pcm: ByteBuffer
  /// Samples of each channel. A frame may have none.
  package private(set) var sampleCount: UInt16

  /// - Parameter sampleCount: samples of each channel, which `pcm` must contain.
  package init(
    flags: Flags, number: UInt32, networkTimestamp: UInt32 = 0, mediaLatency: UInt32, mediaTimestamp: UInt32 = 0,
    sampleStart: UInt64, samplesTotal: UInt64, format: AudioFormat, bitRate: UInt32, volumeOffset: Int16 = 0,
    sampleCount: UInt16, pcm: ByteBuffer
  ) {
    self.flags = flags
    self.number = number
    self.networkTimestamp = networkTimestamp
    self.mediaLatency = mediaLatency
    self.mediaTimestamp = mediaTimestamp
    self.sampleStart = sampleStart
    self.samplesTotal = samplesTotal
    (sampleRate, bitDepth, channels, codec) = (format.sampleRate, format.bitDepth, format.channels, format.codec)
    if format.isLossless { self.flags.insert(.lossless) }
    self.bitRate = bitRate
    self.volumeOffset = volumeOffset
    self.sampleCount = sampleCount
    self.pcm = pcm
  }

  package var format: AudioFormat {
    AudioFormat(
      sampleRate: sampleRate, bitDepth: bitDepth, channels: channels, codec: codec,
      isLossless: flags.contains(.lossless))
  }

  package var isHalt: Bool { flags.contains(.halt) }
  package var isResent: Bool { flags.contains(.resent) }
  package var clock: TickClock? { TickClock(sampleRate: sampleRate) }

  /// The time from sending to playing, at most one second.
  package var latency: Duration {
    clock.map { min($0.duration(of: mediaLatency), Self.longestLatency) } ?? .zero
  }

  init(_ reader: inout WireReader) throws(WireError) {
    let size: UInt8 = try reader.integer(.audioHeader)
    guard size == Self.headerSize else { throw .invalid(.audioHeader, value: Int(size)) }
    flags = Flags(rawValue: try reader.integer(.audioHeader))
    sampleCount = try reader.integer(.audioHeader)
    number = try reader.integer(.audioHeader)
    networkTimestamp = try reader.integer(.audioHeader)
    mediaLatency = try reader.integer(.audioHeader)
    mediaTimestamp = try reader.integer(.audioHeader)
    sampleStart = try reader.integer(.audioHeader)
    samplesTotal = try reader.integer(.audioHeader)
    sampleRate = try reader.integer(.audioHeader)
    bitRate = try reader.integer(.audioHeader)
    volumeOffset = try reader.integer(.audioHeader)
    bitDepth = try reader.integer(.audioHeader)
    channels = try reader.integer(.audioHeader)
    _ = try reader.integer(.audioHeader, as: UInt8.self)
    let codecSize: UInt8 = try reader.integer(.audioHeader)
    codec = try reader.text(.codec, UInt32(codecSize), limit: WireLimits.codec)
    guard TickClock(sampleRate: sampleRate) != nil else { throw .invalid(.sampleRate, value: Int(sampleRate)) }
    guard [8, 16, 24].contains(bitDepth) else { throw .invalid(.bitDepth, value: Int(bitDepth)) }
    guard (1...WireLimits.channels).contains(channels) else { throw .invalid(.channels, value: Int(channels)) }
    let bytes = Int(sampleCount) * Int(channels) * Int(bitDepth) / 8
    pcm = try reader.bytes(.audio, bytes, limit: WireLimits.audio)
  }

  func write(into buffer: inout ByteBuffer) {
    buffer.writeMultipleIntegers(
      Self.headerSize, flags.rawValue, sampleCount, number, networkTimestamp, mediaLatency, mediaTimestamp)
    buffer.writeMultipleIntegers(sampleStart, samplesTotal, sampleRate, bitRate, volumeOffset, bitDepth, channels)
    buffer.writeMultipleIntegers(UInt8(0), UInt8(truncatingIfNeeded: codec.utf8.count))
    buffer.writeString(codec)
    buffer.writeImmutableBuffer(pcm)
  }
}

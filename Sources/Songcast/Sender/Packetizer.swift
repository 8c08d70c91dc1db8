import NIOCore

/// Cuts sound into frames of 5 ms.
package struct Packetizer {
  /// Frames per second. At 44.1 kHz they have 220 and 221 samples in turns.
  static let framesPerSecond: UInt64 = 200

  /// The sound that follows.
  private var format: AudioFormat
  private let latency: Duration
  private var bitRate: UInt32
  private var samplesTotal: UInt64
  /// Position in the track of the first sample that is held.
  private var position: UInt64
  /// Number of the frame within the track, for the samples per frame.
  private var count: UInt64 = 0
  private var held = ByteBuffer()

  /// Whether all sound is in frames.
  package var isEmpty: Bool { held.readableBytes == 0 }

  /// - Parameters:
  ///   - latency: time from sending to playing.
  ///   - position: of the first sample in the track.
  ///   - samplesTotal: samples in the track; 0 if unknown.
  /// - Returns: nil if Songcast cannot carry the format.
  package init?(
    format: AudioFormat, latency: Duration, position: UInt64, samplesTotal: UInt64, bitRate: UInt32
  ) {
    guard TickClock(sampleRate: format.sampleRate) != nil, [8, 16, 24].contains(format.bitDepth),
      (1...WireLimits.channels).contains(format.channels)
    else { return nil }
    self.format = format
    // A codec's name is only shown.
    if format.codec.utf8.count > WireLimits.codec { self.format.codec = "" }
    self.latency = latency
    self.position = position
    self.samplesTotal = samplesTotal
    self.bitRate = bitRate
  }

  /// Adds samples: interleaved, packed and big-endian.
  /// - Returns: the frames that are complete, without numbers.
  package mutating func add(_ pcm: ByteBuffer) -> [AudioFrame] {
    held.writeImmutableBuffer(pcm)
    var frames: [AudioFrame] = []
    while case let size = samplesOfNext * format.bytesPerSample, held.readableBytes >= size,
      let slice = held.readSlice(length: size)
    {
      count += 1
      frames.append(frame(slice))
    }
    held.discardReadBytes()
    return frames
  }

  /// Ends the track: the rest of its sound, as one shorter frame.
  /// - Parameter isHalt: whether silence follows.
  package mutating func end(isHalt: Bool) -> [AudioFrame] {
    let size = held.readableBytes - held.readableBytes % format.bytesPerSample
    guard size > 0 || isHalt, let slice = held.readSlice(length: size) else { return [] }
    held.clear()
    return [frame(slice, flags: isHalt ? .halt : [])]
  }

  private var samplesOfNext: Int {
    let rate = UInt64(format.sampleRate)
    let samples = (count + 1) * rate / Self.framesPerSecond - count * rate / Self.framesPerSecond
    return min(Int(samples), WireLimits.audio / format.bytesPerSample)
  }

  private mutating func frame(_ pcm: ByteBuffer, flags: AudioFrame.Flags = []) -> AudioFrame {
    let samples = UInt16(truncatingIfNeeded: pcm.readableBytes / format.bytesPerSample)
    defer { position += UInt64(samples) }
    return AudioFrame(
      flags: flags, number: 0, mediaLatency: TickClock(sampleRate: format.sampleRate)?.ticks(in: latency) ?? 0,
      sampleStart: position, samplesTotal: samplesTotal, format: format, bitRate: bitRate, sampleCount: samples,
      pcm: pcm)
  }
}

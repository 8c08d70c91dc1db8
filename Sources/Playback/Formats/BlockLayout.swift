/// Position and coding of the samples in a stream: blocks of constant size, each with the same number of frames. A
/// block of raw samples is one frame.
package struct BlockLayout: Sendable, Equatable {
  package enum Coding: Sendable, Equatable {
    /// Uncompressed samples, by GStreamer's name for their format, such as `S16BE`.
    case raw(String)
    case aLaw, muLaw
    case imaADPCM, microsoftADPCM
  }

  /// A block to seek to, and its position in the stream.
  package struct Place: Sendable, Equatable {
    /// First byte of the block, counted from the beginning of the stream.
    package var byte: Int
    /// First frame of the block.
    package var frame: Int

    package init(byte: Int, frame: Int) {
      self.byte = byte
      self.frame = frame
    }
  }

  package let coding: Coding
  package let rate: Int
  package let channels: Int
  package let bytesPerBlock: Int
  package let framesPerBlock: Int
  /// Offset of the first byte of the samples.
  package var start = 0
  /// Size of the samples in bytes; nil if they extend to the end of the stream.
  package var length: Int?
  /// Total number of frames, if the file declares it; the last block may hold more.
  package var declaredFrames: Int?

  /// Nil if any number is out of its plausible range: headers may claim anything.
  package init?(coding: Coding, rate: Int, channels: Int, bytesPerBlock: Int, framesPerBlock: Int = 1) {
    guard 1...10_000_000 ~= rate, 1...65_535 ~= channels, 1...1_048_576 ~= bytesPerBlock,
      1...1_048_576 ~= framesPerBlock
    else { return nil }
    (self.coding, self.rate, self.channels) = (coding, rate, channels)
    (self.bytesPerBlock, self.framesPerBlock) = (bytesPerBlock, framesPerBlock)
  }

  /// Raw samples of this width in bytes, or companded samples; nil if GStreamer has no such format.
  package init?(rawWidth width: Int, isFloat: Bool = false, isLittleEndian: Bool, rate: Int, channels: Int) {
    guard (isFloat ? [4, 8] : [1, 2, 3, 4]).contains(width) else { return nil }
    let order = width == 1 ? "" : isLittleEndian ? "LE" : "BE"
    self.init(
      coding: .raw("\(isFloat ? "F" : "S")\(8 * width)\(order)"), rate: rate, channels: channels,
      bytesPerBlock: width * channels)
  }

  /// Offset of the byte after the last sample, if the header declares it.
  package var end: Int? { length.map { start + $0 } }

  package var bitRate: Int { bytesPerBlock * 8 * rate / framesPerBlock }

  /// Total number of frames; nil if unknown.
  /// - Parameter size: size of the whole stream in bytes, if known.
  package func frames(inStreamOf size: Int?) -> Int? {
    let available = size.map { max(0, $0 - start) }
    guard let bytes = [length, available].compactMap(\.self).min() else { return declaredFrames }
    let held = bytes / bytesPerBlock * framesPerBlock
    return declaredFrames.map { min($0, held) } ?? held
  }

  /// The block that contains the frame at a time.
  package func place(atNanoseconds time: Int) -> Place {
    let block = frame(atNanoseconds: time) / framesPerBlock
    let (offset, overflows) = block.multipliedReportingOverflow(by: bytesPerBlock)
    return place(ofBlockAt: min(start + (overflows ? 1 << 60 : min(offset, 1 << 60)), end ?? .max))
  }

  /// The first block at or after this byte of the stream.
  package func place(ofBlockAt byte: Int) -> Place {
    let block = (max(0, byte - start) + bytesPerBlock - 1) / bytesPerBlock
    return Place(byte: start + block * bytesPerBlock, frame: block * framesPerBlock)
  }

  /// The frame closest to a time.
  package func frame(atNanoseconds time: Int) -> Int {
    let (seconds, rest) = max(0, time).quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * rate + (rest * rate + 500_000_000) / 1_000_000_000
  }

  /// Start time of a frame, rounded to the nearest nanosecond; at most 36 years.
  package func nanoseconds(ofFrame frame: Int) -> Int {
    let (seconds, rest) = frame.quotientAndRemainder(dividingBy: rate)
    guard seconds < 1 << 30 else { return 1 << 60 }
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate / 2) / rate
  }
}

/// Writes AAC-LC: digital silence in frames of equal size (ISO/IEC 14496-3 §4.4), 44.1 kHz, stereo.
enum AAC {
  static let rate = 44_100
  static let frameLength = 1024
  /// The index of 44.1 kHz.
  private static let rateIndex = 4
  private static let channels = 2

  /// A `raw_data_block`: a channel pair without spectrum, and fill bytes for a bit rate of about 64 kbit/s.
  static let rawBlock: [UInt8] = {
    var writer = BitWriter(.mostSignificantFirst)
    // ID_CPE, element tag 0, common_window.
    writer.write(1, bits: 3)
    writer.write(0, bits: 4)
    writer.write(1, bits: 1)
    // ics_info: long window, max_sfb 0, no prediction. Then ms_mask_present.
    writer.write(0, bits: 11)
    writer.write(0, bits: 2)
    for _ in 0..<channels {
      // global_gain; no pulses, temporal noise shaping or gain control.
      writer.write(0, bits: 8)
      writer.write(0, bits: 3)
    }
    // ID_FIL with an extended count: 15 + 156 - 1 bytes.
    writer.write(6, bits: 3)
    writer.write(15, bits: 4)
    writer.write(156, bits: 8)
    writer.write(0, bits: 170 * 8)
    // ID_END.
    writer.write(7, bits: 3)
    return writer.bytes
  }()

  /// The `AudioSpecificConfig`: object type AAC-LC, rate, channels, frames of 1024 samples.
  static let configuration: [UInt8] = {
    var writer = BitWriter(.mostSignificantFirst)
    writer.write(2, bits: 5)
    writer.write(rateIndex, bits: 4)
    writer.write(channels, bits: 4)
    writer.write(0, bits: 3)
    return writer.bytes
  }()

  /// Frames in an Audio Data Transport Stream (ISO/IEC 13818-7 §6.2).
  static func adts(frames: Int) -> [UInt8] {
    var header = BitWriter(.mostSignificantFirst)
    // Sync word, MPEG-4, layer 0, no CRC.
    header.write(0xFFF1, bits: 16)
    // AAC-LC, rate, private bit, channels, and four bits of copyright.
    header.write(1, bits: 2)
    header.write(rateIndex, bits: 4)
    header.write(0, bits: 1)
    header.write(channels, bits: 3)
    header.write(0, bits: 4)
    header.write(7 + rawBlock.count, bits: 13)
    // Variable bit rate, one block.
    header.write(0x7FF, bits: 11)
    header.write(0, bits: 2)
    let frame = header.bytes + rawBlock
    return (0..<frames).flatMap { _ in frame }
  }
}

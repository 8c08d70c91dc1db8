import CGStreamer
import PlaybackModel

/// Converts samples of one format to 64-bit floating point, and back.
struct WideSamples {
  private static let fullScale = 2_147_483_648.0

  private let format: AudioFormat
  private let info: GstAudioFormatInfo
  private var dither = Dither()

  /// Nil if the format is not one of raw samples.
  init?(format: AudioFormat) {
    guard let info = gst_audio_format_get_info(gst_audio_format_from_string(format.name)),
      info.pointee.unpack_format == GST_AUDIO_FORMAT_S32 || info.pointee.unpack_format == GST_AUDIO_FORMAT_F64,
      info.pointee.unpack_func != nil, info.pointee.pack_func != nil
    else { return nil }
    self.format = format
    self.info = info.pointee
  }

  /// Converts frames of `bytes`.
  func unpack(_ bytes: [UInt8], frames: Range<Int>) -> [Double] {
    let count = frames.count * format.channels
    return bytes.withUnsafeBytes { bytes in
      guard count > 0, let unpack = info.unpack_func, let start = bytes.baseAddress else { return [] }
      let input = UnsafeMutableRawPointer(mutating: start + frames.lowerBound * format.bytesPerFrame)
      func read<T>(_ zero: T) -> [T] {
        var values = [T](repeating: zero, count: count)
        withUnsafePointer(to: info) { info in
          values.withUnsafeMutableBytes {
            unpack(info, GST_AUDIO_PACK_FLAG_TRUNCATE_RANGE, $0.baseAddress, input, gint(count))
          }
        }
        return values
      }
      return format.isFloat ? read(0.0) : read(Int32(0)).map { Double($0) / Self.fullScale }
    }
  }

  /// Converts samples, with dither where it is audible, and appends them.
  mutating func pack(_ samples: [Double], to bytes: inout [UInt8]) {
    guard !samples.isEmpty, let pack = info.pack_func else { return }
    func write<T>(_ values: [T]) {
      var values = values
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: values.count / format.channels * format.bytesPerFrame)
      withUnsafePointer(to: info) { info in
        values.withUnsafeMutableBytes { values in
          bytes.withUnsafeMutableBytes {
            pack(
              info, GST_AUDIO_PACK_FLAG_NONE, values.baseAddress, $0.baseAddress.map { $0 + start },
              gint(values.count / MemoryLayout<T>.stride))
          }
        }
      }
    }
    if format.isFloat { return write(samples) }
    var samples = samples
    if format.depth <= Dither.deepest {
      samples.withUnsafeMutableBufferPointer { dither.apply(to: $0, depth: format.depth) }
    }
    let steps = Double(Int64(1) << (format.depth - 1))
    write(
      samples.map { sample in
        Int32(min(max((sample * steps).rounded(), -steps), steps - 1)) << Int32(32 - format.depth)
      })
  }
}

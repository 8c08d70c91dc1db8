import CGStreamer
import Glibc

@testable import Playback

/// PCM samples for tests: noise, so that every sample's place can be told.
struct Sound: Equatable {
  var rate = 44_100
  var channels = 2
  /// Bits of a sample: 8, 16, 24 or 32, and 64 of floating point.
  var depth = 16
  /// Whether samples are floating-point numbers from -1 to 1.
  var isFloat = false
  var samples: [UInt8]

  init(
    seconds: Double, rate: Int = 44_100, channels: Int = 2, depth: Int = 16, isFloat: Bool = false, seed: UInt64
  ) {
    self.rate = rate
    self.channels = channels
    self.depth = depth
    self.isFloat = isFloat
    var generator = SplitMix(state: seed)
    let count = Int(seconds * Double(rate)) * channels * (depth / 8)
    samples = []
    samples.reserveCapacity(count + 8)
    while samples.count < count { withUnsafeBytes(of: generator.next()) { samples.append(contentsOf: $0) } }
    samples.removeLast(samples.count - count)
    if isFloat {
      samples = stride(from: 0, to: count, by: depth / 8).flatMap { index in
        let value = Double(Int16(truncatingIfNeeded: Int(samples[index]) << 8 | Int(samples[index + 1]))) / 32_768
        return depth == 64 ? withUnsafeBytes(of: value) { Array($0) } : withUnsafeBytes(of: Float(value)) { Array($0) }
      }
    }
  }

  /// Noise up to a part of full scale.
  init(
    seconds: Double, rate: Int = 44_100, channels: Int = 2, depth: Int = 16, peak: Double, seed: UInt64
  ) {
    self.init(seconds: 0, rate: rate, channels: channels, depth: depth, seed: seed)
    var generator = SplitMix(state: seed)
    let most = Int(peak * Double((1 << (depth - 1)) - 1))
    for _ in 0..<Int(seconds * Double(rate)) * channels {
      let value = Int.random(in: -most...most, using: &generator)
      for byte in 0..<depth / 8 { samples.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) }
    }
  }

  var bytesPerFrame: Int { channels * depth / 8 }
  var frames: Int { samples.count / bytesPerFrame }

  /// The samples from a moment on.
  func from(_ position: Duration) -> [UInt8] {
    let frame = Int((Double(position.nanoseconds) * Double(rate) / 1e9).rounded())
    return Array(samples[min(samples.count, frame * bytesPerFrame)...])
  }

  /// The samples, widened to 24 bits where they have fewer.
  var samplesOf24Bits: [UInt8] {
    guard depth == 16 else { return samples }
    return stride(from: 0, to: samples.count, by: 2).flatMap { [0, samples[$0], samples[$0 + 1]] }
  }

  func flac() throws -> [UInt8] { try encoded("flacenc") }

  /// Encoded by a bin of GStreamer elements.
  func encoded(_ elements: String) throws -> [UInt8] {
    GStreamerLibrary.start()
    let folder = try TemporaryFolder()
    try folder.write("in.wav", wav)
    let text =
      "filesrc location=\(folder.path)/in.wav ! wavparse ! audioconvert ! \(elements) ! filesink location=\(folder.path)/out"
    var error: UnsafeMutablePointer<GError>?
    guard let pipeline = gst_parse_launch(text, &error), error == nil, let bus = gst_element_get_bus(pipeline) else {
      throw SetupError("cannot encode by \(elements)")
    }
    defer {
      gst_element_set_state(pipeline, GST_STATE_NULL)
      gst_object_unref(bus)
      gst_object_unref(pipeline)
    }
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let kinds = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    guard let message = gst_bus_timed_pop_filtered(bus, 60_000_000_000, kinds) else {
      throw SetupError("encoder hangs")
    }
    defer { swiftlet_message_unref(message) }
    guard swiftlet_message_type(message) == GST_MESSAGE_EOS else {
      throw SetupError("cannot encode: \(ElementFailure(message: message))")
    }
    return try folder.read("out")
  }
}

/// Random, and the same everywhere for the same seed.
typealias SplitMix = ShuffleRound.Generator

extension [UInt8] {
  /// Equality that says no more than that: what differs in a second of noise fills screens.
  func isSame(as other: [UInt8]) -> Bool { self == other }

  func ends(with other: [UInt8]) -> Bool { count >= other.count && self[(count - other.count)...].elementsEqual(other) }
}

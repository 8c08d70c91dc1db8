import CGStreamer
import PlaybackModel

/// GStreamer's resampler for samples in floating point, whose rate can be changed at any time.
///
/// Workaround: its output frames are computed 1/32 of a frame after their position, because the cubic interpolation of
/// filters starts with the second of four, but its table of filters is made for the first. `offset` is measured, so that
/// it is also right where this is corrected. And while both rates are equal, the resampler repeats samples instead of
/// interpolating them, so they never are.
/// - Upstream: gst-libs/gst/audio/audio-resampler.c (`resampler_calculate_taps`, `setup_functions`); no issue known.
/// - Test: AdaptiveResamplerTests, `aMovingRatioMakesNoClick`.
final class VariableRateResampler {
  /// Input frames after an output frame that its computation needs.
  static let delay = Int(SWIFTLET_RESAMPLER_DELAY)
  /// How many input frames after its position an output frame is computed. A ramp's values are positions.
  static let offset: Double = {
    guard let resampler = VariableRateResampler(channels: 1) else { return 0 }
    let last = 2 * delay
    let output = resampler.resample((0..<2 * last).map { Double($0) }, outputFrames: last + 1)
    return output[last] - Double(last)
  }()

  private let channels: Int
  private let resampler: OpaquePointer

  /// The output rate is almost the input rate.
  init?(channels: Int) {
    let rate = gint(ResamplingPosition.inputRate)
    guard let resampler = swiftlet_resampler_new(gint(channels), rate, rate + 1) else { return nil }
    self.channels = channels
    self.resampler = resampler
  }

  deinit { gst_audio_resampler_free(resampler) }

  /// - Parameter rate: output frames per `ResamplingPosition.inputRate`.
  func setOutputRate(_ rate: Int) {
    let input = ResamplingPosition.inputRate
    gst_audio_resampler_update(resampler, gint(input), gint(rate == input ? rate + 1 : rate), nil)
  }

  /// Output frames that can be computed when these input frames are added.
  func outputFrames(for inputFrames: Int) -> Int {
    Int(gst_audio_resampler_get_out_frames(resampler, gsize(inputFrames)))
  }

  /// - Parameter input: at least one frame; GStreamer returns nothing otherwise.
  func resample(_ input: [Double], outputFrames: Int) -> [Double] {
    var output = [Double](repeating: 0, count: outputFrames * channels)
    swiftlet_resample(resampler, input, gsize(input.count / channels), &output, gsize(outputFrames))
    return output
  }
}

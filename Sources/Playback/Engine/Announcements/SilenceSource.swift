import CGStreamer
import PlaybackModel

/// Silence without an end, of 16 bits in two channels, for an announcement to be added to.
final class SilenceSource: SampleSource {
  private let rate: Int

  init(rate: Int) { self.rate = rate }

  func open() {}
  func end() {}

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    guard let caps = swiftlet_audio_caps("S16LE", gint(rate), 2, nil) else { return .end }
    defer { swiftlet_caps_unref(caps) }
    let silence = [UInt8](repeating: 0, count: rate / 50 * 4)
    return silence.withUnsafeBytes { SampleBuffer(copying: $0, caps: caps) }.map { .samples($0) } ?? .end
  }
}

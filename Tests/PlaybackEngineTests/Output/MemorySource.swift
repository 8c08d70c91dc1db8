import CGStreamer
import Synchronization

@testable import PlaybackEngine
@testable import PlaybackFormats
@testable import PlaybackModel

/// A source of samples in memory: 16 bits, two channels, 44.1 kHz.
final class MemorySource: SampleSource {
  static let caps = "audio/x-raw,format=S16LE,layout=interleaved,rate=44100,channels=2,channel-mask=(bitmask)0x3"

  private let pulls: Mutex<[Pull]>
  private let hasOpened = Atomic(false)

  enum Pull: Sendable {
    /// Frames, each with the same value in both channels, and the stream position of the first.
    case frames([Int16], streamTime: Int64? = nil)
    case nothing
  }

  /// - Parameter pulls: The result of each pull; afterwards the source has ended.
  init(_ pulls: [Pull]) { self.pulls = Mutex(pulls) }

  func open() { hasOpened.store(true, ordering: .relaxed) }
  func end() { pulls.withLock { $0 = [] } }

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    guard hasOpened.load(ordering: .relaxed) else { return .nothing }
    switch pulls.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) {
    case nil: return .end
    case .nothing: return .nothing
    case .frames(let frames, let streamTime):
      let bytes = frames.flatMap { [$0, $0] }
      guard let caps = gst_caps_from_string(Self.caps),
        let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count * 2), nil)
      else { return .end }
      defer { swiftlet_caps_unref(caps) }
      bytes.withUnsafeBytes { _ = gst_buffer_fill(buffer, 0, $0.baseAddress, gsize($0.count)) }
      return SampleBuffer(taking: buffer, caps: caps, streamTime: streamTime).map { .samples($0) } ?? .end
    }
  }

  /// Opens the source and wraps it for the feeder.
  func fed(id: Int, start: Duration = .zero, gap: EncoderGap? = nil) -> FeedSource {
    open()
    return FeedSource(id: id, trackID: id, samples: self, start: start, gap: gap)
  }
}

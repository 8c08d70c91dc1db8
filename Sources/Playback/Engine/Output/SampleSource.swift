import CGStreamer
import PlaybackFormats
import PlaybackModel

/// Delivers the decoded samples of one track to the feeder.
///
/// The engine opens and ends a source; the feeder pulls from it on its own thread. `DecoderPipeline`, which decodes
/// with GStreamer, is one: it is read faster than real time, and the output's clock sets the pace. `ClockedSource` and
/// `LiveSource` give samples when the clock of their sender wants them.
protocol SampleSource: AnyObject, Sendable {
  /// Starts to open the source. Returns at once.
  func open()
  /// Takes the next samples, waiting for them for at most `timeout`.
  /// - Parameter lead: of the next samples, in nanoseconds from now; nil if the device has not started.
  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull
  /// Ends the source and releases its resources. Returns at once; later calls are not allowed.
  func end()
}

extension SampleSource {
  /// Takes the next samples of a source that needs no clock.
  func pull(timeout: Duration) -> SamplePull { pull(timeout: timeout) { nil } }
}

/// The result of asking a source for samples.
enum SamplePull {
  case samples(SampleBuffer)
  /// The source delivered nothing in time; more may come.
  case nothing
  /// The output holds as many samples of the source as it should.
  case early
  /// All samples of the source were taken.
  case end
}

/// Consecutive samples in one format. Owns a reference to a GStreamer buffer, so that no sample is copied.
final class SampleBuffer {
  let format: AudioFormat
  let caps: UnsafeMutablePointer<GstCaps>
  /// Stream time of the first sample in nanoseconds; nil if the stream has no timestamps.
  let streamTime: Int64?
  private let buffer: UnsafeMutablePointer<GstBuffer>

  /// Takes over a reference to `buffer` and retains `caps`. Nil if the caps are not those of raw audio; the buffer is
  /// then released.
  init?(
    taking buffer: UnsafeMutablePointer<GstBuffer>, caps: UnsafeMutablePointer<GstCaps>, streamTime: Int64? = nil
  ) {
    guard let format = AudioFormat(caps: caps) else {
      swiftlet_buffer_unref(buffer)
      return nil
    }
    self.format = format
    self.streamTime = streamTime
    self.buffer = buffer
    self.caps = caps
    swiftlet_caps_ref(caps)
  }

  /// Copies raw samples. Nil if there is no memory, or the caps are not those of raw audio.
  convenience init?(
    copying bytes: UnsafeRawBufferPointer, caps: UnsafeMutablePointer<GstCaps>, streamTime: Int64? = nil
  ) {
    guard let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil) else { return nil }
    gst_buffer_fill(buffer, 0, bytes.baseAddress, gsize(bytes.count))
    self.init(taking: buffer, caps: caps, streamTime: streamTime)
  }

  deinit {
    swiftlet_buffer_unref(buffer)
    swiftlet_caps_unref(caps)
  }

  var frames: Int64 { Int64(Int(gst_buffer_get_size(buffer)) / format.bytesPerFrame) }

  func withBytes<T>(_ body: (UnsafeRawBufferPointer) -> T) -> T {
    var map = GstMapInfo()
    guard gst_buffer_map(buffer, &map, GST_MAP_READ) != 0 else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    defer { gst_buffer_unmap(buffer, &map) }
    return body(UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
  }

  /// The samples in pieces of at most that duration.
  func pieces(of duration: Duration) -> [SampleBuffer] {
    let length = max(1, format.frames(nanoseconds: duration.nanoseconds))
    guard length < frames else { return [self] }
    return stride(from: 0, to: frames, by: Int(length)).compactMap { first in
      copy(first..<min(frames, first + length)).flatMap { piece in
        let time = streamTime.map { $0 + format.nanoseconds(frames: first) }
        return SampleBuffer(taking: piece, caps: caps, streamTime: time)
      }
    }
  }

  /// The frames after the first ones; nil if none are left.
  func dropping(_ count: Int64) -> SampleBuffer? {
    guard count < frames else { return nil }
    return copy(count..<frames).flatMap { SampleBuffer(taking: $0, caps: caps) }
  }

  /// A writable buffer with these frames, which the caller owns.
  func copy(_ range: Range<Int64>) -> UnsafeMutablePointer<GstBuffer>? {
    guard range.count < frames else { return swiftlet_buffer_make_writable(swiftlet_buffer_ref(buffer)) }
    return gst_buffer_copy_region(
      buffer, GST_BUFFER_COPY_MEMORY, gsize(range.lowerBound) * gsize(format.bytesPerFrame),
      gsize(range.count) * gsize(format.bytesPerFrame))
  }
}

/// A source with the facts that the feeder needs. They are a snapshot: a seek changes them.
struct FeedSource: Sendable {
  let id: Int
  /// The track that the samples belong to. A track whose stream broke off has several sources.
  let trackID: Int
  let samples: any SampleSource
  /// Position in the track of the first sample to play.
  let start: Duration
  /// True time minus stream time.
  let shift: Duration
  /// Encoder delay and padding, which are cut off.
  let gap: EncoderGap?
  /// Whether the stream is live, so that its timestamps are not positions.
  let isLive: Bool
  /// The facts that listeners elsewhere get with the sound.
  let stream: StreamInfo?
  let duration: Duration?

  init(
    id: Int, trackID: Int, samples: any SampleSource, start: Duration = .zero, shift: Duration = .zero,
    gap: EncoderGap? = nil, isLive: Bool = false, stream: StreamInfo? = nil, duration: Duration? = nil
  ) {
    self.id = id
    self.trackID = trackID
    self.samples = samples
    self.start = start
    self.shift = shift
    self.gap = gap
    self.isLive = isLive
    self.stream = stream
    self.duration = duration
  }
}

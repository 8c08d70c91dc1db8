import CGStreamer
import PlaybackModel
import Synchronization

/// Sound that is about to be heard here, for listeners elsewhere.
package struct TappedSound: Sendable, Equatable {
  /// The run of the output that the sound belongs to.
  package var run: Int
  /// When the first sample is heard, in nanoseconds of the run.
  package var begin: Int64
  package var trackID: Int
  /// The first sample's number in the track.
  package var position: Int64
  package var form: TappedForm
  /// Interleaved, packed and big-endian; those of 8 bits are unsigned, the others signed.
  package var samples: [UInt8]
  package var stream: StreamInfo?
  /// The track's duration.
  package var duration: Duration?
}

/// Passes the sound to listeners elsewhere, after ReplayGain and before balance and volume.
///
/// The feeder puts sound in; a thread of the listeners takes it out, well before it is heard. Off, it costs one branch
/// for each buffer.
package final class SoundTap: Sendable {
  /// A moment on the output's timeline.
  package struct Moment: Sendable, Equatable {
    package var run: Int
    /// Nanoseconds since the run began. Sound placed at this time is heard now.
    package var time: Int64

    package init(run: Int, time: Int64) {
      self.run = run
      self.time = time
    }
  }

  private struct Queue {
    var sounds: [TappedSound] = []
    var isWoken = false
  }

  private struct Playing {
    let run: RunID
    let context: OutputContext
    let clock: DeviceClock
  }

  /// Sound that nobody takes is dropped beyond this many buffers.
  private static let longestQueue = 1_000

  private let listenerLead: Int64
  private let isSwitchedOn = Atomic(false)
  private let queue = Monitor(Queue())
  private let playing = Mutex<Playing?>(nil)
  private let converter = Mutex(TapConverter())

  /// - Parameter lead: how long before it is heard sound must be placed, at least.
  package init(lead: Duration) { listenerLead = lead.nanoseconds }

  // MARK: For listeners (any thread)

  /// Whether anybody listens.
  package var isOn: Bool { isSwitchedOn.load(ordering: .relaxed) }

  package func setOn(_ isOn: Bool) {
    isSwitchedOn.store(isOn, ordering: .relaxed)
    wake()
  }

  /// Ends the present or the next `take` early.
  package func wake() { queue.update { $0.isWoken = true } }

  /// Takes the sound that has arrived, waiting for it for at most `timeout`; nil to wait without limit.
  package func take(timeout: Duration?) -> [TappedSound] {
    queue.wait(timeout: timeout) { queue in
      guard queue.isWoken || !queue.sounds.isEmpty else { return nil }
      defer { queue = Queue() }
      return queue.sounds
    } ?? []
  }

  /// What is heard now; nil while nothing is: the output is paused, waits for its source, or has no run. May wait for a
  /// sound server.
  package var moment: Moment? {
    guard let playing = playing.withLock({ $0 }), playing.context.isPlaying else { return nil }
    let time = playing.clock.time
    // The run may have ended while the clock was read.
    guard self.playing.withLock({ $0?.run }) == playing.run, playing.context.isPlaying else { return nil }
    return Moment(run: playing.run.number, time: time)
  }

  // MARK: For the output

  /// The lead that listeners need; 0 if nobody listens.
  var lead: Int64 { isOn ? listenerLead : 0 }

  /// A run has begun.
  func begin(_ run: RunID, _ output: OutputChain) {
    // Sound that is written as fast as possible has no time at which others could play it.
    guard output.clock.isClocked else { return }
    playing.withLock { $0 = Playing(run: run, context: output.context, clock: output.clock) }
  }

  /// The run is over, if there is one.
  func end() { playing.withLock { $0 = nil } }

  /// Adds an announcement to the samples from the next ones on.
  func begin(_ announcement: Overlay) { converter.withLock { $0.begin(announcement) } }

  func endAnnouncement() { converter.withLock { $0.endAnnouncement() } }

  /// Passes samples on. Called on the feeder's thread.
  /// - Parameter gain: the track's ReplayGain factor.
  func take(
    _ piece: TimelineWriter.Piece, of source: FeedSource, in run: RunID, _ format: AudioFormat, gain: Double?
  ) {
    guard playing.withLock({ $0?.run }) == run else { return }
    var map = GstMapInfo()
    guard gst_buffer_map(piece.buffer, &map, GST_MAP_READ) != 0 else { return }
    let bytes = [UInt8](UnsafeRawBufferPointer(start: map.data, count: Int(map.size)))
    gst_buffer_unmap(piece.buffer, &map)
    let converted = converter.withLock {
      $0.convert(bytes, of: format, track: source.trackID, in: run, gain: gain)
    }
    guard let (form, samples) = converted else { return }
    let sound = TappedSound(
      run: run.number, begin: piece.begin, trackID: source.trackID, position: piece.position, form: form,
      samples: samples, stream: source.stream, duration: source.duration)
    queue.update { queue in
      if queue.sounds.count < Self.longestQueue { queue.sounds.append(sound) }
    }
  }
}

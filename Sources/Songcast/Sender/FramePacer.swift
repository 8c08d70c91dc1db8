import NIOCore

/// Sound that this speaker is about to play.
package struct OutgoingSound: Sendable {
  /// Sound of another run does not continue this one.
  package var run: Int
  /// When the first sample is heard here, in nanoseconds of the run.
  package var begin: Int64
  package var trackID: Int
  /// The first sample's number in the track.
  package var position: UInt64
  package var format: AudioFormat
  /// Samples in the track; 0 if unknown.
  package var samplesTotal: UInt64
  package var bitRate: UInt32
  /// Interleaved, packed and big-endian.
  package var pcm: ByteBuffer

  package init(
    run: Int, begin: Int64, trackID: Int, position: UInt64, format: AudioFormat, samplesTotal: UInt64, bitRate: UInt32,
    pcm: ByteBuffer
  ) {
    self.run = run
    self.begin = begin
    self.trackID = trackID
    self.position = position
    self.format = format
    self.samplesTotal = samplesTotal
    self.bitRate = bitRate
    self.pcm = pcm
  }
}

/// Decides when each frame is sent: `latency` before its sound is heard here, so that all rooms play it at the same time.
///
/// Pure. Sound goes in well before it is heard, and frames come out when they are due. A halt ends them whenever the sound
/// here stops or has a gap, so that receivers begin anew.
package struct FramePacer {
  /// What is heard here now, in nanoseconds of a run.
  package struct Moment: Sendable, Equatable {
    package var run: Int
    package var time: Int64

    package init(run: Int, time: Int64) {
      self.run = run
      self.time = time
    }
  }

  private struct Frame {
    var frame: AudioFrame
    /// When it is heard here.
    var begin: Int64
  }

  /// Receivers start to play `latency` after the first frame, so that this one must be on time.
  static let longestFirstDelay: Int64 = 10_000_000
  /// A later frame would miss its time in other rooms.
  static let longestDelay: Int64 = 100_000_000
  /// A difference in time that is no gap but rounding.
  private static let rounding: Int64 = 1_000_000
  /// An incomplete frame is sent this long after its time, since nothing continues it.
  private static let patience: Int64 = 5_000_000
  /// Frames held: those of some seconds. Nobody would hold more.
  private static let longestQueue = 2_000

  private let latency: Duration
  private var queue: [Frame] = []
  private var packetizer: Packetizer?
  /// The last sound that came in.
  private var last: OutgoingSound?
  /// Where the packetizer's frames begin: in time, and in the track.
  private var origin: (time: Int64, position: UInt64) = (0, 0)
  /// End of the last sound, in time and in the track.
  private var end: (time: Int64, position: UInt64) = (0, 0)
  /// The last frame sent, unless it was a halt.
  private var sounding: AudioFrame?

  package init(latency: Duration) { self.latency = latency }

  /// Whether receivers play something, so that a stop must be noticed soon.
  package var isSounding: Bool { sounding != nil }
  package var isEmpty: Bool { queue.isEmpty && packetizer?.isEmpty != false }

  // MARK: Sound

  package mutating func add(_ sound: OutgoingSound) {
    if sound.run != last?.run {
      // The rest of another run is not heard any more.
      queue = []
      packetizer = nil
    } else if !continues(sound) {
      flush(isHalt: abs(sound.begin - end.time) >= Self.rounding)
    }
    if packetizer == nil {
      origin = (sound.begin, sound.position)
      packetizer = Packetizer(
        format: sound.format, latency: latency, position: sound.position, samplesTotal: sound.samplesTotal,
        bitRate: sound.bitRate)
    }
    last = sound
    let samples = sound.pcm.readableBytes / sound.format.bytesPerSample
    end = (sound.begin + time(of: samples), sound.position + UInt64(samples))
    for frame in packetizer?.add(sound.pcm) ?? [] { append(frame) }
  }

  private func continues(_ sound: OutgoingSound) -> Bool {
    sound.trackID == last?.trackID && sound.format == last?.format && sound.position == end.position
      && abs(sound.begin - end.time) < Self.rounding
  }

  /// Ends the packetizer's sound with a shorter frame.
  private mutating func flush(isHalt: Bool) {
    for frame in packetizer?.end(isHalt: isHalt) ?? [] { append(frame) }
    packetizer = nil
  }

  private mutating func append(_ frame: AudioFrame) {
    let begin = origin.time + time(of: Int(frame.sampleStart - origin.position))
    if queue.count < Self.longestQueue { queue.append(Frame(frame: frame, begin: begin)) }
  }

  private func time(of samples: Int) -> Int64 {
    let rate = Int64(last?.format.sampleRate ?? 1)
    let (seconds, rest) = Int64(samples).quotientAndRemainder(dividingBy: rate)
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + rate / 2) / rate
  }

  // MARK: Frames

  /// Removes the frames that are due.
  /// - Parameter moment: nil while nothing is heard here.
  package mutating func due(_ moment: Moment?) -> [AudioFrame] {
    guard let moment, moment.run == last?.run else { return halt() }
    let now = moment.time + latency.nanoseconds
    if let packetizer, !packetizer.isEmpty, end.time + Self.patience <= now { flush(isHalt: false) }
    var due: [AudioFrame] = []
    var count = 0
    while count < queue.count, queue[count].begin <= now {
      let next = queue[count]
      count += 1
      if now - next.begin > (sounding == nil ? Self.longestFirstDelay : Self.longestDelay) {
        due += halt()
      } else if next.frame.isHalt {
        due += sounding == nil ? [] : [next.frame]
        sounding = nil
      } else {
        due.append(next.frame)
        sounding = next.frame
      }
    }
    queue.removeFirst(count)
    return due
  }

  /// Time until the next frame is due, in nanoseconds; nil if there is none.
  package func wait(_ moment: Moment) -> Int64? {
    guard moment.run == last?.run else { return nil }
    let next = queue.first?.begin ?? (packetizer?.isEmpty == false ? end.time + Self.patience : nil)
    return next.map { max(0, $0 - latency.nanoseconds - moment.time) }
  }

  /// A frame without sound that ends the stream, if it is not ended yet.
  private mutating func halt() -> [AudioFrame] {
    guard let frame = sounding else { return [] }
    sounding = nil
    return [
      AudioFrame(
        flags: frame.flags.union(.halt), number: 0, mediaLatency: frame.mediaLatency,
        sampleStart: frame.sampleStart + UInt64(frame.sampleCount), samplesTotal: frame.samplesTotal,
        format: frame.format, bitRate: frame.bitRate, sampleCount: 0, pcm: ByteBuffer())
    ]
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
  }
}

import CGStreamer
import PlaybackModel
import Synchronization

/// Reads an announcement at the rate and with the channels of the sound that it is added to.
///
/// The rate may change at any time. Announcements are mono or stereo; of more than two channels, only the first left
/// and the first right one get them.
final class AnnouncementReader: OverlaySound, @unchecked Sendable {
  // @unchecked Sendable is safe: the converter's lock guards the variables. Other threads read only the position.
  private let sound: AnnouncementSound
  /// The part, and its next frame.
  private var place = (part: 0, frame: 0)
  private var resampler: PartResampler?
  private let progress = Atomic<Int64>(0)

  init(_ sound: AnnouncementSound) { self.sound = sound }

  /// How much has been read, in nanoseconds.
  private(set) var position: Int64 {
    get { progress.load(ordering: .relaxed) }
    set { progress.store(newValue, ordering: .relaxed) }
  }

  /// A reader of the same sound at the same position.
  func copy() -> AnnouncementReader {
    let copy = AnnouncementReader(sound)
    copy.position = position
    copy.rewind(by: 0)
    return copy
  }

  /// What remains to be read, in nanoseconds.
  var remaining: Int64 { max(0, sound.duration.nanoseconds - position) }

  func add(to samples: UnsafeMutableBufferPointer<Double>, sides: [ChannelSide], rate: Int, gain: Double) -> Bool {
    let frames = samples.count / sides.count
    let pair = sides.firstIndex(of: .left).flatMap { left in
      sides.firstIndex(of: .right).map { (left: left, right: $0) }
    }
    // Samples that were resampled to another rate are taken again.
    if let resampler, resampler.rate != rate { rewind(by: 0) }
    var frame = 0
    while frame < frames, let part = currentPart {
      let block = read(frames - frame, of: part, rate: rate)
      for index in 0..<block.frames {
        let (left, right) = (block.samples[index * part.channels], block.samples[(index + 1) * part.channels - 1])
        let start = (frame + index) * sides.count
        if let pair {
          samples[start + pair.left] += left * gain
          samples[start + pair.right] += right * gain
        } else {
          samples[start] += (left + right) / 2 * gain
        }
      }
      frame += block.frames
      if block.isLast {
        place = (place.part + 1, 0)
        resampler = nil
      }
    }
    position += Int64(frame) * 1_000_000_000 / Int64(rate)
    return currentPart == nil
  }

  /// Goes back by sound that was read and not heard.
  func rewind(by nanoseconds: Int64) {
    resampler = nil
    position = max(0, position - max(0, nanoseconds))
    var time = position
    for (index, part) in sound.parts.enumerated() {
      let length = part.duration.nanoseconds
      if time < length || index == sound.parts.count - 1 {
        place = (index, min(part.frames, Int(time * Int64(part.rate) / 1_000_000_000)))
        return
      }
      time -= length
    }
  }

  private var currentPart: AnnouncementSound.Part? {
    place.part < sound.parts.count ? sound.parts[place.part] : nil
  }

  private struct Block {
    /// Interleaved.
    var samples: [Double]
    var frames: Int
    /// Whether the part has no further samples.
    var isLast: Bool
  }

  private func read(_ frames: Int, of part: AnnouncementSound.Part, rate: Int) -> Block {
    guard rate != part.rate else {
      let samples = take(frames, of: part)
      return Block(samples: samples, frames: samples.count / part.channels, isLast: place.frame >= part.frames)
    }
    if resampler == nil { resampler = PartResampler(part, from: place.frame, to: rate) }
    guard let resampler else { return Block(samples: [], frames: 0, isLast: true) }
    let samples = resampler.output(frames) { take($0, of: part) }
    return Block(samples: samples, frames: samples.count / part.channels, isLast: resampler.remaining == 0)
  }

  private func take(_ frames: Int, of part: AnnouncementSound.Part) -> [Double] {
    let end = min(part.frames, place.frame + frames)
    defer { place.frame = end }
    return part.samples[place.frame * part.channels..<end * part.channels].map { Double($0) / 32_768 }
  }
}

/// Converts the rest of a part to another rate.
private final class PartResampler {
  /// Input frames that are resampled at once.
  private static let step = 256

  let rate: Int
  /// Output frames that are left.
  private(set) var remaining: Int
  /// Output that was not asked for yet.
  private var ready: [Double] = []
  private let channels: Int
  private let resampler: OpaquePointer

  init?(_ part: AnnouncementSound.Part, from frame: Int, to rate: Int) {
    guard let resampler = swiftlet_fixed_resampler_new(gint(part.channels), gint(part.rate), gint(rate)) else {
      return nil
    }
    self.rate = rate
    self.resampler = resampler
    channels = part.channels
    remaining = ((part.frames - frame) * rate + part.rate - 1) / part.rate
  }

  deinit { gst_audio_resampler_free(resampler) }

  /// The next frames; fewer at the end.
  /// - Parameter take: returns the next input frames; fewer at the end, which silence follows.
  func output(_ frames: Int, take: (Int) -> [Double]) -> [Double] {
    let frames = min(frames, remaining)
    while ready.count < frames * channels {
      var input = take(Self.step)
      input += [Double](repeating: 0, count: Self.step * channels - input.count)
      var output = [Double](
        repeating: 0, count: Int(gst_audio_resampler_get_out_frames(resampler, gsize(Self.step))) * channels)
      swiftlet_resample(resampler, input, gsize(Self.step), &output, gsize(output.count / channels))
      ready += output
    }
    remaining -= frames
    defer { ready.removeFirst(frames * channels) }
    return Array(ready[..<(frames * channels)])
  }
}

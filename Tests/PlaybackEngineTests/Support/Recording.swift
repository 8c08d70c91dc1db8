import PlaybackTestKit
import PlayerTestKit

/// The output of a sound card, divided into stretches of the sounds that were played.
struct Recording {
  /// Consecutive frames of one sound.
  struct Stretch: Equatable, CustomStringConvertible {
    var sound: Int
    /// The frames of the sound.
    var frames: Range<Int>
    /// The frame of the recording where the stretch begins.
    var at: Int

    var description: String { "sound \(sound), frames \(frames) at \(at)" }
  }

  /// Frames of two 16-bit channels; in noise, nearly every frame has a unique value.
  let frames: [UInt32]

  init(_ bytes: [UInt8]) {
    frames = Self.frames(bytes)
  }

  static func frames(_ bytes: [UInt8]) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// The stretches of the sounds in the order they were heard. Matches shorter than 16 frames are coincidences.
  func stretches(of sounds: [Sound]) -> [Stretch] {
    let sounds = sounds.map { Self.frames($0.samples) }
    var places: [UInt32: (sound: Int, frame: Int)] = [:]
    for (index, sound) in sounds.enumerated() {
      for (frame, value) in sound.enumerated() { places[value] = (index, frame) }
    }
    var found: [Stretch] = []
    var at = 0
    while at < frames.count {
      guard frames[at] != 0, let place = places[frames[at]] else {
        at += 1
        continue
      }
      let sound = sounds[place.sound]
      var length = 0
      while place.frame + length < sound.count, at + length < frames.count,
        sound[place.frame + length] == frames[at + length]
      {
        length += 1
      }
      if length >= 16 {
        found.append(Stretch(sound: place.sound, frames: place.frame..<place.frame + length, at: at))
        at += length
      } else {
        at += 1
      }
    }
    return found
  }

  /// The number of frames in the range that are not silent.
  func sounding(in range: Range<Int>) -> Int { frames[range].count { $0 != 0 } }
}

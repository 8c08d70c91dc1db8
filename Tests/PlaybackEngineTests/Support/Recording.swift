import PlaybackTestKit
import PlayerTestKit

/// What a sound card played, taken apart into stretches of the sounds it was given.
struct Recording {
  /// Frames of one sound that were heard in order, without a break.
  struct Stretch: Equatable, CustomStringConvertible {
    var sound: Int
    /// Frames of the sound.
    var frames: Range<Int>
    /// The frame of the recording where it begins.
    var at: Int

    var description: String { "sound \(sound), frames \(frames) at \(at)" }
  }

  /// Two channels of 16 bits: noise gives nearly every frame a value of its own.
  let frames: [UInt32]

  init(_ bytes: [UInt8]) {
    frames = Self.frames(bytes)
  }

  static func frames(_ bytes: [UInt8]) -> [UInt32] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 4).map { bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self) }
    }
  }

  /// What was heard of the sounds, in the order in which it was heard. Stretches under 16 frames are chance.
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

  /// How many frames of the range are not silent.
  func sounding(in range: Range<Int>) -> Int { frames[range].count { $0 != 0 } }
}

import Glibc

/// The chime before announcements, which is computed rather than read from a file.
package enum Chime {
  private static let rate = 48_000

  /// Two falling notes of a bell.
  package static let sound = AnnouncementSound.Part(
    rate: rate, channels: 1,
    samples: mix(
      seconds: 1.6,
      notes: [
        Note(pitch: 659.26, start: 0, decay: 0.35), Note(pitch: 523.25, start: 0.4, decay: 0.45),
      ]))

  /// A tone with an overtone that rises within 5 ms and then fades.
  private struct Note {
    /// In hertz.
    var pitch: Double
    /// In seconds.
    var start: Double
    /// Time constant of the decay, in seconds.
    var decay: Double

    func sample(at time: Double) -> Double {
      let age = time - start
      guard age >= 0 else { return 0 }
      let level = min(1, age / 0.005) * exp(-age / decay)
      return level * (0.8 * sin(2 * .pi * pitch * age) + 0.2 * sin(4 * .pi * pitch * age))
    }
  }

  /// At half of full scale, with the last 10 ms fading to silence.
  private static func mix(seconds: Double, notes: [Note]) -> [Int16] {
    let frames = Int(seconds * Double(rate))
    return (0..<frames).map { frame in
      let sum = notes.reduce(0) { $0 + $1.sample(at: Double(frame) / Double(rate)) }
      let fade = min(1, Double(frames - 1 - frame) / (0.01 * Double(rate)))
      return Int16(max(-1, min(1, sum * 0.5 * fade)) * Double(Int16.max))
    }
  }
}

/// A decoded announcement in memory.
package final class AnnouncementSound: Sendable, Equatable {
  /// Consecutive samples of 16 bits.
  package struct Part: Sendable, Equatable {
    package var rate: Int
    /// 1 or 2.
    package var channels: Int
    /// Interleaved.
    package var samples: [Int16]

    package init(rate: Int, channels: Int, samples: [Int16]) {
      self.rate = rate
      self.channels = channels
      self.samples = samples
    }

    package var frames: Int { samples.count / channels }
    package var duration: Duration { .nanoseconds(Int64(frames) * 1_000_000_000 / Int64(rate)) }
  }

  /// Limit for the file, in bytes.
  package static let largestFile = 32 << 20
  /// Limit for the decoded samples, in bytes. The rest is cut off.
  package static let mostBytes = 32 << 20

  package let parts: [Part]

  package init(_ parts: [Part]) { self.parts = parts.filter { $0.frames > 0 } }

  package static func == (a: AnnouncementSound, b: AnnouncementSound) -> Bool { a === b }

  /// The sound between two pieces of silence.
  package func surrounded(by silence: Duration) -> AnnouncementSound {
    let part = Part(
      rate: 48_000, channels: 1, samples: .init(repeating: 0, count: Int(silence.nanoseconds * 48 / 1_000_000)))
    return AnnouncementSound([part] + parts + [part])
  }

  package var duration: Duration { parts.reduce(.zero) { $0 + $1.duration } }
  /// The memory that the samples use.
  package var bytes: Int { parts.reduce(0) { $0 + $1.samples.count * 2 } }
}

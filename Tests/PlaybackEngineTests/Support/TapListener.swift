import PlaybackModel

@testable import PlaybackEngine

/// Collects what a tap passes on, and how long before it was heard.
final class TapListener: Sendable {
  struct Arrival: Sendable {
    var sound: TappedSound
    /// Nil if nothing was heard then.
    var ahead: Int64?
  }

  /// Enough for the samples to be elsewhere before they are heard.
  static let lead = Duration.milliseconds(200)

  let tap = SoundTap(lead: TapListener.lead)
  private let heard = Monitor<[Arrival]>([])
  private let isOver = Monitor(false)

  init(isOn: Bool = true) {
    tap.setOn(isOn)
    NamedThread.start("listener") { [tap, heard, isOver] in
      while !isOver.withLock(\.self) {
        for sound in tap.take(timeout: .milliseconds(50)) {
          let moment = tap.moment.flatMap { $0.run == sound.run ? $0 : nil }
          heard.update { $0.append(Arrival(sound: sound, ahead: moment.map { sound.begin - $0.time })) }
        }
      }
    }
  }

  deinit { isOver.update { $0 = true } }

  var arrivals: [Arrival] { heard.withLock(\.self) }
  var sounds: [TappedSound] { arrivals.map(\.sound) }
  var samples: [UInt8] { sounds.flatMap(\.samples) }

  static func bigEndian(_ samples: [UInt8]) -> [UInt8] {
    stride(from: 0, to: samples.count, by: 2).flatMap { [samples[$0 + 1], samples[$0]] }
  }
}

import FoundationEssentials
import PlaybackModel
import Providers

/// The speaker's state, as the retained topics publish it.
struct MQTTState: Encodable, Equatable {
  var state: String
  var source: String
  var standby: Bool
  var volume: Int
  var muted: Bool
  var `repeat`: Bool
  var shuffle: Bool
  var title: String?
  var artist: String?
  var album: String?
  var art: String?
  /// Why playback stopped.
  var failure: String?
  /// The last track that was skipped because it failed, and why.
  var skipped: String?
  /// Seconds.
  var duration: Double?
  /// The position in seconds at the last jump. While `state` is `playing`, it advances from there.
  var position: Double

  /// Longer texts are cut, in bytes.
  static let textLimit = 1024

  /// - Parameter position: the position at the last jump.
  init(_ moment: SpeakerMoment, position: Duration) {
    state = moment.state.word
    source = moment.source.word
    standby = moment.isStandby
    volume = moment.volume
    muted = moment.isMuted
    `repeat` = moment.repeats
    shuffle = moment.shuffles
    title = moment.title?.cut
    artist = moment.artist?.cut
    album = moment.album?.cut
    // A cut address would be wrong, so a longer one is dropped.
    art = moment.art.flatMap { $0.utf8.count <= Self.textLimit ? $0 : nil }
    failure = moment.failure?.cut
    skipped = moment.skipped?.cut
    duration = moment.duration.map(\.tenths)
    self.position = position.tenths
  }

  /// Payloads by topic, below the prefix. An empty one removes a retained text.
  var payloads: [String: String] {
    [
      "state": state, "source": source, "standby": standby.word, "volume": "\(volume)", "mute": muted.word,
      "repeat": `repeat`.word, "shuffle": shuffle.word, "title": title ?? "", "artist": artist ?? "",
      "album": album ?? "", "art": art ?? "", "failure": failure ?? "", "skipped": skipped ?? "",
      "duration": duration?.short ?? "", "position": position.short, "json": json,
    ]
  }

  /// The topics of `payloads`.
  static var topics: [String] { MQTTState(SpeakerMoment(), position: .zero).payloads.keys.sorted() }

  private var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that are not finite, and the state has none.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
  }
}

extension Bool {
  fileprivate var word: String { self ? "on" : "off" }
}

extension Double {
  /// Without a fraction if it is zero.
  fileprivate var short: String { self == rounded() ? "\(Int(self))" : "\(self)" }
}

extension Duration {
  /// Seconds with one decimal.
  fileprivate var tenths: Double { (Double(self / .milliseconds(1)) / 100).rounded() / 10 }
}

extension String {
  /// The text, cut to the limit between two Unicode scalars.
  fileprivate var cut: String {
    guard utf8.count > MQTTState.textLimit else { return self }
    var text = ""
    for scalar in unicodeScalars {
      guard text.utf8.count + UTF8.width(scalar) <= MQTTState.textLimit else { break }
      text.unicodeScalars.append(scalar)
    }
    return text
  }
}

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
    duration = moment.duration.map(\.tenths)
    self.position = position.tenths
  }

  /// Payloads by topic, below the prefix. An empty one removes a retained text.
  var payloads: [String: String] {
    [
      "state": state, "source": source, "standby": standby.word, "volume": "\(volume)", "mute": muted.word,
      "repeat": `repeat`.word, "shuffle": shuffle.word, "title": title ?? "", "artist": artist ?? "",
      "album": album ?? "", "art": art ?? "", "duration": duration?.short ?? "", "position": position.short,
      "json": json,
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

/// Decides when topics are published. A change after a quiet time is published at once, later ones are coalesced to
/// four publications a second. Only changed values are published, and positions only when they jump.
struct MQTTPublisher {
  /// The shortest time between two publications.
  static let interval = Duration.milliseconds(250)
  /// Maximum unacknowledged messages. A slow broker gets only the latest state, later.
  static let window = 60
  /// A position that differs more than this from the expected one has jumped.
  static let jump = Duration.milliseconds(1500)

  /// The messages to publish now, and the next deadline.
  struct Output: Equatable {
    var payloads: [String: String] = [:]
    /// When to call `fire` next.
    var timer: ContinuousClock.Instant?
  }

  private struct Anchor {
    var trackID: Int
    var state: TransportState
    var position: Duration
    var time: ContinuousClock.Instant

    func expected(at now: ContinuousClock.Instant) -> Duration {
      state == .playing ? position + (now - time) : position
    }
  }

  private var moment: SpeakerMoment?
  private var anchor: Anchor?
  private var isConnected = false
  private var published: [String: String] = [:]
  private var lastTime: ContinuousClock.Instant?

  /// The speaker has changed.
  mutating func update(_ moment: SpeakerMoment, unanswered: Int, at now: ContinuousClock.Instant) -> Output {
    self.moment = moment
    let position = moment.position(at: now)
    let difference = anchor.map { position - $0.expected(at: now) } ?? .zero
    if anchor == nil || anchor?.trackID != moment.trackID || anchor?.state != moment.state
      || difference > Self.jump || difference < .zero - Self.jump
    {
      anchor = Anchor(trackID: moment.trackID, state: moment.state, position: position, time: now)
      // Subscribers count from the moment of receipt, so publish the position even if it is the same number.
      (published["position"], published["json"]) = (nil, nil)
    }
    return fire(unanswered: unanswered, at: now)
  }

  /// A new connection: everything is published again.
  mutating func connected(at now: ContinuousClock.Instant) -> Output {
    isConnected = true
    published = [:]
    lastTime = nil
    // The retained position must be current.
    anchor = moment.map { Anchor(trackID: $0.trackID, state: $0.state, position: $0.position(at: now), time: now) }
    return fire(unanswered: 0, at: now)
  }

  mutating func disconnected() { isConnected = false }

  /// The timer has fired, or the broker has answered.
  mutating func fire(unanswered: Int, at now: ContinuousClock.Instant) -> Output {
    guard isConnected, let moment, let anchor else { return Output() }
    let payloads = MQTTState(moment, position: anchor.position).payloads
    let changed = payloads.filter { published[$0.key] != $0.value }
    // The next acknowledgement calls `fire` again.
    guard !changed.isEmpty, unanswered < Self.window else { return Output() }
    if let lastTime, now < lastTime + Self.interval { return Output(timer: lastTime + Self.interval) }
    published = payloads
    lastTime = now
    return Output(payloads: changed)
  }
}

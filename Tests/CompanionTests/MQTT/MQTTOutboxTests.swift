import PlaybackModel
import PlaybackTestKit
import SpeakerCore
import Testing

@testable import Companion

@Suite struct MQTTOutboxTests {
  private static let start = ContinuousClock.now

  private static let description = "homeassistant/device/swiftlet_4a6f2f0e1c1f4f6e9d530f2b7a6c1d01/config"

  fileprivate static func unixTime(_ now: ContinuousClock.Instant) -> Double { (now - start) / .seconds(1) }

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// An outbox with the broker that it publishes to.
  private struct Pair {
    var outbox: MQTTOutbox
    /// The broker's retained messages.
    var retained: [String: String] = [:]
    /// Everything that was sent, in order.
    var sent: [MQTTOutbox.Message] = []
    /// Longer payloads are refused, in bytes.
    var limit = Int.max
    var timer: ContinuousClock.Instant?

    init(announces: Bool = false) {
      let identity = SpeakerIdentity(
        uuid: "4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", version: "1.2"
      ) { nil }
      let announcement = HomeAssistantAnnouncement(prefix: "p", identity: identity)
      outbox = MQTTOutbox(prefix: "p", announcement: announces ? announcement : nil)
    }

    /// - Returns: the topics that were sent.
    @discardableResult
    mutating func flush(at now: ContinuousClock.Instant) -> [String] {
      let before = sent.count
      timer = outbox.flush(at: now, unixTime: MQTTOutboxTests.unixTime(now)) { message in
        guard message.payload.utf8.count <= limit else { return false }
        sent.append(message)
        if message.isRetained { retained[message.topic] = message.payload.isEmpty ? nil : message.payload }
        return true
      }
      return sent[before...].map(\.topic)
    }

    /// - Returns: the topics that were sent.
    @discardableResult
    mutating func update(at now: ContinuousClock.Instant, _ change: (inout SpeakerState) -> Void) -> [String] {
      var moment = SpeakerState()
      moment.time = now
      change(&moment)
      outbox.update(moment, at: now)
      return flush(at: now)
    }

    mutating func acknowledge(_ count: Int, at now: ContinuousClock.Instant) {
      for _ in 0..<count where outbox.acknowledged() { flush(at: now) }
    }
  }

  /// Connected at 0 s, with everything acknowledged.
  private static func connected(announces: Bool = false) -> Pair {
    var pair = Pair(announces: announces)
    pair.outbox.connected(at: at(0))
    pair.update(at: at(0)) { _ in }
    pair.acknowledge(pair.sent.count, at: at(0))
    return pair
  }

  private static func problem(_ text: String) -> MQTTCommand.Problem {
    MQTTCommand.Problem(topic: "command", message: text)
  }

  @Test func aConnectionPublishesEverything() {
    var pair = Pair(announces: true)
    pair.update(at: Self.at(0)) { $0.volume = 7 }
    #expect(pair.sent.isEmpty)
    for seconds in [1.0, 2.0] {
      pair.outbox.connected(at: Self.at(seconds))
      let topics = pair.flush(at: Self.at(seconds))
      #expect(topics.count == 30)
      #expect(topics.suffix(2) == [Self.description, "p/availability"])
      #expect(pair.outbox.unanswered == 30)
      #expect(pair.retained["p/volume"] == "7")
      pair.outbox.disconnected()
      #expect(pair.update(at: Self.at(seconds + 0.5)) { $0.volume = 7 }.isEmpty)
    }
  }

  @Test func theAvailabilityDoesNotWaitForTheSpeaker() {
    var pair = Pair()
    pair.outbox.connected(at: Self.at(0))
    #expect(pair.flush(at: Self.at(0)) == ["p/availability"])
  }

  @Test func errorsAreLimitedAndTheLatestWins() {
    var pair = Self.connected()
    for (number, expected) in [["p/error"], [], []].enumerated() {
      pair.outbox.report(Self.problem("\(number)"))
      #expect(pair.flush(at: Self.at(1 + Double(number) / 10)) == expected)
    }
    #expect(pair.timer == Self.at(1.25))
    #expect(pair.flush(at: Self.at(1.25)) == ["p/error"])
    #expect(pair.sent.last == MQTTOutbox.Message(topic: "p/error", payload: "command: 2", isRetained: false))
    #expect(pair.timer == nil)
    // An error of the connection before is of no use.
    pair.outbox.report(Self.problem("3"))
    pair.outbox.connected(at: Self.at(2))
    #expect(!pair.flush(at: Self.at(2)).contains("p/error"))
  }

  private static func report(presses: Int) -> CompanionReport {
    var report = CompanionReport()
    let press = ButtonsReport.Press(device: "Wall Button", key: "KEY_A", trigger: "click", name: "Wall*")
    report.buttons = ButtonsReport(devices: [], count: presses, last: press)
    return report
  }

  @Test func pressesArePublishedAtOnceAndNeverLate() {
    var pair = Self.connected()
    for count in 1...3 {
      pair.outbox.update(Self.report(presses: count))
      #expect(pair.flush(at: Self.at(1)) == ["p/button"])
    }
    let payload = #"{"device":"Wall Button","key":"KEY_A","name":"Wall*","trigger":"click"}"#
    #expect(pair.sent.last == MQTTOutbox.Message(topic: "p/button", payload: payload, isRetained: false))
    // Another change of the report is no press.
    pair.outbox.update(Self.report(presses: 3))
    #expect(pair.flush(at: Self.at(2)).isEmpty)
    pair.outbox.disconnected()
    pair.outbox.update(Self.report(presses: 4))
    pair.flush(at: Self.at(3))
    pair.outbox.connected(at: Self.at(4))
    #expect(!pair.flush(at: Self.at(4)).contains("p/button"))
    // A broker that does not acknowledge gets no more of them than its window.
    for count in 5...200 {
      pair.outbox.update(Self.report(presses: count))
      pair.flush(at: Self.at(5))
    }
    #expect(pair.outbox.unanswered <= MQTTOutbox.window + 1)
    pair.acknowledge(pair.outbox.unanswered, at: Self.at(6))
    #expect(pair.flush(at: Self.at(7)).isEmpty)
  }

  @Test func presenceIsRetainedUntilItIsOff() {
    var pair = Self.connected()
    var report = CompanionReport()
    report.presence = PresenceReport(
      people: [.init(name: "Bob", state: .unknown, isNear: false), .init(name: "Ann", state: .present, isNear: true)],
      isWatching: true, hasPaused: false)
    pair.outbox.update(report)
    #expect(pair.flush(at: Self.at(1)) == ["p/presence"])
    #expect(pair.retained["p/presence"] == #"{"Ann":"present","Bob":"unknown"}"#)
    report.presence?.isWatching = false
    pair.outbox.update(report)
    #expect(pair.flush(at: Self.at(2)).isEmpty)
    pair.outbox.update(CompanionReport())
    pair.flush(at: Self.at(3))
    #expect(pair.retained["p/presence"] == nil)
  }

  @Test func homeAssistantIsAnsweredOnce() {
    var pair = Self.connected(announces: true)
    pair.outbox.greetHomeAssistant(at: Self.at(2))
    pair.flush(at: Self.at(1))
    #expect(pair.timer == Self.at(2))
    // Further messages do not delay the answer.
    pair.outbox.greetHomeAssistant(at: Self.at(3))
    #expect(pair.flush(at: Self.at(2)).map { $0.prefix(6) } == ["homeas", "p/avai"])
    #expect(pair.flush(at: Self.at(3)).isEmpty)
    #expect(pair.timer == nil)
  }

  /// A broker that answers pings but acknowledges nothing must not fill the memory.
  @Test func nothingIsPublishedWithoutAcknowledgements() {
    var pair = Self.connected(announces: true)
    for step in 1...1000 {
      let now = Self.at(Double(step))
      pair.update(at: now) {
        $0.volume = step % 100
        $0.name = "\(step)"
      }
      pair.outbox.report(Self.problem("\(step)"))
      pair.outbox.greetHomeAssistant(at: now)
      pair.flush(at: now)
    }
    #expect(pair.outbox.unanswered < MQTTOutbox.window + 20)
    #expect(pair.sent.count < MQTTOutbox.window + 40)
    // The latest values follow later.
    pair.acknowledge(pair.outbox.unanswered, at: Self.at(2000))
    #expect(pair.retained["p/volume"] == "0")
    #expect(pair.sent.last?.payload == "command: 1000")
  }

  /// Several acknowledgements may arrive before the outbox is asked, or a message may leave between them.
  @Test func halfOfTheWindowIsAnEdge() {
    var pair = Self.connected()
    var volume = 0
    while pair.outbox.unanswered < MQTTOutbox.window {
      volume += 1
      pair.update(at: Self.at(Double(volume))) { $0.volume = volume }
    }
    #expect(pair.update(at: Self.at(99)) { $0.volume = 99 }.isEmpty)
    let half = pair.outbox.unanswered - MQTTOutbox.window / 2
    for _ in 1..<half { #expect(pair.outbox.acknowledged() == false) }
    #expect(pair.flush(at: Self.at(100)).isEmpty)
    #expect(pair.outbox.acknowledged() == true)
    #expect(pair.outbox.acknowledged() == false)
    #expect(pair.flush(at: Self.at(100)) == ["p/json", "p/volume"])
  }

  @Test func aRefusedMessageRemovesTheFormerOneOnce() {
    var pair = Self.connected()
    pair.limit = 300
    pair.update(at: Self.at(1)) { $0.title = "short" }
    #expect(pair.retained["p/title"] == "short" && pair.retained["p/json"] != nil)
    let long = String(repeating: "long", count: 100)
    #expect(pair.update(at: Self.at(2)) { $0.title = long } == ["p/json", "p/title"])
    #expect(pair.retained["p/title"] == nil && pair.retained["p/json"] == nil)
    pair.update(at: Self.at(3)) { ($0.title, $0.volume) = (long, 5) }
    #expect(pair.sent.suffix(3).map(\.topic) == ["p/json", "p/title", "p/volume"])
    pair.update(at: Self.at(4)) { $0.title = "short" }
    #expect(pair.retained["p/title"] == "short" && pair.retained["p/json"] != nil)
    pair.update(at: Self.at(5)) { $0.title = long }
    #expect(pair.retained["p/title"] == nil && pair.retained["p/json"] == nil)
    #expect(pair.outbox.unanswered == pair.sent.count - 29)
  }

  @Test func aRefusedDescriptionRemovesTheFormerOne() {
    var pair = Self.connected(announces: true)
    #expect(pair.retained[Self.description] != nil)
    pair.limit = 300
    #expect(pair.update(at: Self.at(1)) { $0.name = "Bath" } == [Self.description])
    #expect(pair.retained[Self.description] == nil)
    #expect(pair.update(at: Self.at(2)) { $0.name = "Hall" }.isEmpty)
  }

  /// Random events: whatever happens, the broker is not flooded, and finally retains the speaker's state.
  @Test(arguments: 1...30) func theBrokerFinallyHasTheState(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    var (pair, moment, now) = (Pair(announces: true), SpeakerState(), Self.start)
    var times: [ContinuousClock.Instant] = []
    pair.limit = 3000
    moment.time = now
    var isConnected = false
    for step in 0..<600 {
      now += .milliseconds(Int.random(in: 0...200, using: &random))
      let before = pair.sent.count
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        moment.volume = Int.random(in: 0...100, using: &random)
        let lengths = [0, 5, 1024]
        let length = lengths[Int.random(in: 0..<3, using: &random)]
        (moment.title, moment.artist) = (String(repeating: "t", count: length), String(repeating: "a", count: length))
        moment.album = String(repeating: "b", count: length)
        moment.name = "\(Int.random(in: 0...3, using: &random))"
        pair.outbox.update(moment, at: now)
      case 4: pair.outbox.report(Self.problem("\(step)"))
      case 5: pair.outbox.greetHomeAssistant(at: now + .milliseconds(300))
      case 6...9: if isConnected { pair.acknowledge(Int.random(in: 0...9, using: &random), at: now) }
      case 10 where step.isMultiple(of: 5):
        pair.outbox.disconnected()
        isConnected = false
      default:
        if !isConnected {
          pair.outbox.connected(at: now)
          (pair.retained, isConnected, times) = ([:], true, [])
        }
      }
      pair.flush(at: now)
      let topics = pair.sent[before...].map(\.topic)
      #expect(isConnected || topics.isEmpty, "seed \(seed), step \(step)")
      #expect(pair.outbox.unanswered < MQTTOutbox.window + 20, "seed \(seed), step \(step)")
      #expect(pair.timer.map { $0 > now } ?? true, "seed \(seed), step \(step)")
      if topics.contains("p/volume") {
        #expect(times.last.map { now - $0 >= MQTTPublisher.interval } ?? true, "seed \(seed), step \(step)")
        times.append(now)
      }
    }
    if !isConnected { pair.outbox.connected(at: now) }
    pair.acknowledge(1000, at: now)
    for _ in 0..<6 {
      pair.flush(at: now)
      now = max(now, pair.timer ?? now)
    }
    var expected = MQTTState(moment, position: .zero, unixTime: 0).payloads
    // The document with three long texts is above the limit. It has the time of the connection, as one topic.
    let document = expected.removeValue(forKey: "json") ?? ""
    expected["position_updated_at"] = nil
    #expect((pair.retained["p/json"] == nil) == (document.utf8.count > pair.limit), "seed \(seed)")
    for (topic, payload) in expected { #expect(pair.retained["p/\(topic)"] ?? "" == payload, "seed \(seed), \(topic)") }
    #expect(pair.retained["p/availability"] == "online")
    #expect(pair.timer == nil)
  }
}

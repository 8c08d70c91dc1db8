import PlaybackModel
import SpeakerCore
import Testing

@testable import Companion

@Suite struct MQTTPublisherTests {
  private static let start = ContinuousClock.now

  private static func moment(
    _ seconds: Double = 0, _ change: (inout SpeakerState) -> Void = { _ in }
  ) -> SpeakerState {
    var moment = SpeakerState()
    moment.time = at(seconds)
    change(&moment)
    return moment
  }

  /// 1 January 2026, 12 o'clock, at `start`.
  fileprivate static func unixTime(_ now: ContinuousClock.Instant) -> Double {
    1_767_268_800 + (now - start) / .seconds(1)
  }

  private static func at(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }

  /// A connected publisher that published this moment 30 s ago.
  private static func connected(_ moment: SpeakerState = moment()) -> MQTTPublisher {
    var publisher = MQTTPublisher()
    publisher.connected(at: start - .seconds(60))
    _ = publisher.take(moment, at: start - .seconds(30))
    return publisher
  }

  @Test func aNewConnectionPublishesEverything() {
    var publisher = MQTTPublisher()
    publisher.connected(at: Self.at(0))
    #expect(publisher.take(at: Self.at(0)) == MQTTPublisher.Output())
    let output = publisher.take(Self.moment(), at: Self.at(1))
    #expect(output.payloads["state"] == "stopped")
    #expect(output.payloads["title"] == "")
    #expect(output.payloads.count == 28)
    publisher.connected(at: Self.at(1.1))
    #expect(publisher.take(at: Self.at(1.1)).payloads.count == 28)
    #expect(publisher.take(at: Self.at(9)) == MQTTPublisher.Output())
  }

  @Test func onlyChangedTopicsArePublished() {
    var publisher = Self.connected()
    let output = publisher.take(Self.moment { $0.isMuted = true }, at: Self.at(0))
    #expect(output.payloads.keys.sorted() == ["json", "mute"])
    #expect(output.payloads["mute"] == "on")
    let again = publisher.take(Self.moment { $0.isMuted = true }, at: Self.at(1))
    #expect(again == MQTTPublisher.Output())
  }

  @Test func fastChangesAreMergedIntoTheLastOne() {
    var publisher = Self.connected()
    var published: [(Double, String)] = []
    var timer: ContinuousClock.Instant?
    // A dragged slider changes the volume every 10 ms for 1 s.
    for tick in 0...200 {
      let now = Self.at(Double(tick) / 100)
      var output = MQTTPublisher.Output()
      if tick < 100 {
        output = publisher.take(Self.moment { $0.volume = tick + 1 }, at: now)
      } else if let due = timer, due <= now {
        output = publisher.take(at: now)
      }
      timer = output.timer ?? (output.payloads.isEmpty ? timer : nil)
      if let volume = output.payloads["volume"] { published.append((Double(tick) / 100, volume)) }
    }
    #expect(published.map(\.1) == ["1", "26", "51", "76", "100"])
    #expect(published.first?.0 == 0)
  }

  @Test func aChangeThatIsUndoneInTimeIsNotPublished() {
    var publisher = Self.connected()
    _ = publisher.take(Self.moment { $0.volume = 5 }, at: Self.at(0))
    #expect(publisher.take(Self.moment { $0.volume = 6 }, at: Self.at(0.1)).timer == Self.at(0.25))
    _ = publisher.take(Self.moment { $0.volume = 5 }, at: Self.at(0.2))
    #expect(publisher.take(at: Self.at(0.25)) == MQTTPublisher.Output())
  }

  @Test func positionsArePublishedWhenTheyJump() {
    /// An event, the seconds until it, the change, and the published position; nil for none.
    let rows: [(String, Double, (inout SpeakerState) -> Void, String?)] = [
      ("the position advances", 10, { _ in }, nil),
      ("a seek forward", 10, { $0.position += .seconds(30) }, "40"),
      ("a seek back", 10, { ($0.position, $0.time) = (.zero, Self.at(10)) }, "0"),
      ("a small correction", 10, { $0.position += .seconds(1) }, nil),
      ("a pause", 10, { ($0.state, $0.position) = (.paused, .seconds(10)) }, "10"),
      ("the next track", 10, { ($0.trackID, $0.position, $0.time) = (2, .zero, Self.at(10)) }, "0"),
      ("the same track again", 3, { ($0.trackID, $0.position, $0.time) = (2, .seconds(0.26), Self.at(3)) }, "0.3"),
    ]
    for (event, seconds, change, position) in rows {
      var publisher = MQTTPublisher()
      var moment = Self.moment {
        $0.state = .playing
        $0.trackID = 1
        $0.duration = .seconds(300)
      }
      publisher.connected(at: Self.start)
      _ = publisher.take(moment, at: Self.start)
      change(&moment)
      let output = publisher.take(moment, at: Self.at(seconds))
      #expect(output.payloads["position"] == position, "\(event)")
      #expect((output.payloads["json"] == nil) == (position == nil), "\(event)")
    }
  }

  @Test func aNewConnectionPublishesThePresentPosition() {
    var publisher = MQTTPublisher()
    _ = publisher.take(Self.moment { $0.state = .playing }, at: Self.start)
    publisher.connected(at: Self.at(42))
    #expect(publisher.take(at: Self.at(42)).payloads["position"] == "42")
  }

  /// As Home Assistant's `media_position_updated_at`.
  @Test func aPositionHasTheTimeOfItsLastJump() {
    var publisher = MQTTPublisher()
    publisher.connected(at: Self.start)
    var moment = Self.moment { $0.state = .playing }
    let first = publisher.take(moment, at: Self.at(0)).payloads
    #expect(first["position_updated_at"] == "2026-01-01T12:00:00.000Z")
    // Other changes keep it.
    moment.volume = 5
    #expect(publisher.take(moment, at: Self.at(60)).payloads.keys.sorted() == ["json", "volume"])
    moment.position += .seconds(30)
    let jump = publisher.take(moment, at: Self.at(90)).payloads
    #expect((jump["position"], jump["position_updated_at"]) == ("120", "2026-01-01T12:01:30.000Z"))
    // The clock is set, on a machine that began in the past.
    let corrected = publisher.take(at: Self.at(100), unixTime: Self.unixTime(Self.at(100)) + 86400).payloads
    #expect(corrected["position_updated_at"] == "2026-01-02T12:01:30.000Z")
    #expect(corrected["position"] == nil)
  }

  @Test func theStateIsOneDocumentToo() {
    let moment = Self.moment {
      $0.title = "Rock & \"Roll\" \u{202E}/"
      $0.duration = .milliseconds(123_456)
      $0.volume = 7
      $0.source = .radio
      $0.presets = PresetList(configured: ["News", "Jazz"].map { RadioPreset(title: $0, uri: "http://host/\($0)") })
      $0.presetID = $0.presets.presets.ids[1]
      try? $0.pins.set(Pin(mode: "url", type: "stream", uri: "http://host/", title: "Morning"), at: 0)
    }
    let payloads = MQTTState(moment, position: .milliseconds(1949), unixTime: 1_767_268_800.25).payloads
    #expect(
      payloads["json"] == """
        {"alarm":"off","duration":123.5,"equalizer":"off","muted":false,"position":1.9,"position_updated_at":"2026-01-01T12:00:00.250Z","preset":2,\
        "preset_title":"Jazz","repeat":false,"shuffle":false,"sleep":"off","source":"radio",\
        "standby":false,"state":"stopped","title":"Rock & \\"Roll\\" \u{202E}/","volume":7}
        """)
    #expect(payloads["duration"] == "123.5")
    #expect(payloads["preset"] == "2")
    #expect(payloads["presets"] == #"[{"number":1,"title":"News"},{"number":2,"title":"Jazz"}]"#)
    #expect(payloads["pins"] == #"[{"number":1,"title":"Morning"}]"#)
  }

  /// Changed settings are no preset: a select entity would show the wrong one.
  @Test func theEqualizerIsTheNameOfItsPreset() throws {
    var moment = Self.moment { _ in }
    let payload = { MQTTState(moment, position: .zero, unixTime: 0).payloads["equalizer"] }
    moment.equalizer.isOn = true
    #expect(payload() == "on")
    try moment.equalizer.save(as: "Late night")
    #expect(payload() == "Late night")
    try moment.equalizer.change(to: EqualizerSettings(bands: [EqualizerBand(.peak, 100, gain: 1)]))
    #expect(payload() == "on")
    moment.equalizer.isOn = false
    #expect(payload() == "off")
    #expect(MQTTState(moment, position: .zero, unixTime: 0).payloads["equalizer_presets"] == #"["Late night"]"#)
  }

  @Test func longTextsAreCutBetweenCharacters() {
    let moment = Self.moment {
      $0.title = String(repeating: "é", count: 5000)
      $0.art = "http://192.0.2.1/" + String(repeating: "a", count: 5000)
    }
    let payloads = MQTTState(moment, position: .zero, unixTime: 0).payloads
    #expect(payloads["title"] == String(repeating: "é", count: 512))
    #expect(payloads["art"] == "")
  }
}

extension MQTTPublisher {
  /// Takes the payloads after a change.
  fileprivate mutating func take(_ moment: SpeakerState, at now: ContinuousClock.Instant) -> Output {
    update(moment, at: now)
    return take(at: now)
  }

  fileprivate mutating func take(at now: ContinuousClock.Instant) -> Output {
    take(at: now, unixTime: MQTTPublisherTests.unixTime(now))
  }
}

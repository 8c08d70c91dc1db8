import NIOCore
import Network

@testable import Songcast

/// Repeatable random numbers (SplitMix64).
struct SeededRandom: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
    return value ^ value >> 31
  }
}

/// Runs a receiver against a clock that moves only when told to.
struct ReceiverRun {
  struct Step {
    /// In milliseconds.
    var at: Double
    var action: ReceiverMachine.Action
  }

  static let sender = endpoint("192.0.2.1:40000")
  /// Where the sender sends sound from.
  static let driver = endpoint("192.0.2.1:40001")
  static let local = endpoint("192.0.2.2:50000")
  static let networks = [CIDR("192.0.2.2/24")].compactMap { $0 }

  var machine: ReceiverMachine
  var now = NIODeadline.uptimeNanoseconds(1_000_000_000)
  var steps: [Step] = []
  var opened = 0

  init(seed: UInt64 = 1) {
    machine = ReceiverMachine(networks: Self.networks, random: SeededRandom(state: seed))
  }

  /// A receiver that has joined, with the log empty.
  static func joined(_ uri: SongcastURI = .unicast(sender), seed: UInt64 = 1) -> ReceiverRun {
    var run = ReceiverRun(seed: seed)
    run.play(uri)
    run.hearTexts()
    run.steps = []
    return run
  }

  var milliseconds: Double { Double(now.uptimeNanoseconds) / 1e6 - 1000 }

  mutating func play(_ uri: SongcastURI) { perform(machine.play(uri, now: now)) }
  mutating func stop() { perform(machine.stop()) }

  mutating func hear(_ message: OHMMessage, from source: Endpoint = sender) {
    perform(machine.receive(message, from: source, arrival: now, now: now))
  }

  mutating func hear(_ message: OHZMessage) { perform(machine.receive(message, now: now)) }

  mutating func hearTexts() {
    hear(.track(TrackInfo(sequence: 1, uri: "u", metadata: "m")))
    hear(.metatext(Metatext(sequence: 0, text: "")))
  }

  /// Hears frames, 5 ms apart.
  mutating func hear(frames: ClosedRange<UInt32>, from source: Endpoint = driver, except lost: Set<UInt32> = []) {
    for number in frames {
      if !lost.contains(number) { hear(.audio(frame(number: number)), from: source) }
      advance(milliseconds: 5)
    }
  }

  mutating func advance(milliseconds: Double) {
    let end = now + .nanoseconds(Int64(milliseconds * 1e6))
    while let next = machine.next, next <= end {
      now = max(next, now)
      perform(machine.due(now))
    }
    now = end
  }

  mutating func perform(_ actions: [ReceiverMachine.Action]) {
    for action in actions {
      steps.append(Step(at: milliseconds, action: action))
      if case .open = action {
        opened += 1
        perform(machine.opened(local: Self.local, now: now))
      }
    }
  }

  // MARK: What happened

  /// Numbers of the frames played, in their order.
  var played: [UInt32] { receivedFrames.map(\.frame.number) }

  var receivedFrames: [ReceivedFrame] {
    steps.compactMap {
      guard case .play(let frame) = $0.action else { return nil }
      return frame
    }
  }

  var lost: Int {
    steps.reduce(0) {
      guard case .lost(let count) = $1.action else { return $0 }
      return $0 + count
    }
  }

  var requests: [(at: Double, frames: [UInt32])] {
    steps.compactMap {
      guard case .send(.resend(let frames), _) = $0.action else { return nil }
      return ($0.at, frames)
    }
  }

  func times(of message: OHMMessage) -> [Double] {
    steps.compactMap {
      guard case .send(message, _) = $0.action else { return nil }
      return $0.at
    }
  }

  /// All actions but frames, as text.
  var log: [String] {
    steps.compactMap {
      switch $0.action {
      case .open(let uri): "open \(uri)"
      case .close: "close"
      case .send(let message, let target): "\(message.name.dropFirst(4)) > \(target)"
      case .forward(let slaves): "forward > " + slaves.map(\.description).joined(separator: " ")
      case .query(let zone): "query \(zone)"
      case .play: nil
      case .lost(let count): "lost \(count)"
      case .track(let track): "track \(track.sequence)"
      case .metatext(let text): "metatext \(text.sequence)"
      }
    }
  }
}

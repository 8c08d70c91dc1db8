import NIOCore
import Network

/// Sends a stream to the receivers that ask for it.
///
/// Pure: events and time go in, messages come out. Call `due` when `next` has passed. Without receivers nothing is sent.
package struct SenderMachine {
  package enum Mode: Sendable, Hashable {
    /// To one receiver, which forwards to four others.
    case unicast
    /// To a group.
    case multicast(Endpoint)
  }

  package struct Action: Sendable, Hashable {
    package var message: OHMMessage
    package var target: Endpoint
  }

  /// In the terms of OpenHome's Sender service.
  package enum State: Sendable, Hashable {
    case ready
    /// Somebody listens.
    case sending
    /// Another sender uses the group.
    case blocked
  }

  /// Track and text are repeated once after this time, since either may get lost.
  static let repeatPause = TimeAmount.milliseconds(100)
  /// Pause between two answers to Joins, which are much smaller.
  static let answerPause = TimeAmount.milliseconds(20)

  package let mode: Mode
  /// The addresses of this machine with their networks.
  package var networks: [CIDR] { didSet { unicast.networks = networks } }
  private let isStamped: Bool
  private var unicast: UnicastAudience
  private var multicast = MulticastAudience()
  private var buffer = ResendBuffer()
  private var track: TrackInfo
  private var metatext = Metatext(sequence: 1, text: "")
  private var repeatAt: NIODeadline?
  private var lastTexts = NIODeadline.distantPast
  /// Number of the next frame.
  private var frame: UInt32 = 0
  private var lastSent: (at: NIODeadline, clock: TickClock)?
  private var random: any RandomNumberGenerator

  /// - Parameters:
  ///   - networks: the addresses of this machine with their networks.
  ///   - metadata: the sender's own DIDL-Lite, until something plays.
  ///   - isStamped: whether frames say when their predecessor was sent.
  package init(
    mode: Mode, networks: [CIDR], metadata: String, isStamped: Bool = false,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    self.mode = mode
    self.networks = networks
    self.isStamped = isStamped
    self.random = random
    unicast = UnicastAudience(networks: networks)
    track = TrackInfo(sequence: 1, uri: "", metadata: metadata)
  }

  package var state: State { multicast.isBlocked ? .blocked : target == nil ? .ready : .sending }

  // MARK: Sound and texts

  /// Sends a frame. Its number and stamp are set here.
  package mutating func send(_ frame: AudioFrame, now: NIODeadline) -> [Action] {
    guard let target else { return [] }
    var frame = frame
    frame.number = self.frame
    frame.flags.remove([.timestamped, .timestamped2])
    if isStamped, let lastSent, lastSent.clock == frame.clock {
      frame.networkTimestamp = lastSent.clock.ticks(in: .nanoseconds(Int64(lastSent.at.uptimeNanoseconds)))
      frame.flags.formUnion([.timestamped, .timestamped2])
    } else {
      frame.networkTimestamp = 0
    }
    self.frame &+= 1
    lastSent = frame.clock.map { (now, $0) }
    buffer.store(frame)
    return [Action(message: .audio(frame), target: target)]
  }

  /// A new track starts with the next frame.
  package mutating func set(uri: String, metadata: String, now: NIODeadline) -> [Action] {
    track = TrackInfo(
      sequence: track.sequence &+ 1, uri: uri.utf8.count <= WireLimits.trackURI ? uri : "", metadata: metadata)
    metatext = Metatext(sequence: 1, text: "")
    return announceTexts(now: now)
  }

  /// The text of the track has changed, such as a station's title.
  package mutating func set(text: String, now: NIODeadline) -> [Action] {
    guard text != metatext.text else { return [] }
    metatext = Metatext(sequence: metatext.sequence &+ 1, text: text)
    return announceTexts(now: now)
  }

  private mutating func announceTexts(now: NIODeadline) -> [Action] {
    guard target != nil else { return [] }
    repeatAt = now + Self.repeatPause
    return texts(now: now)
  }

  private mutating func texts(now: NIODeadline) -> [Action] {
    guard let target else { return [] }
    lastTexts = now
    return [Action(message: .track(track), target: target), Action(message: .metatext(metatext), target: target)]
  }

  /// Answers a Join, together with others that come soon.
  private mutating func answerTexts(now: NIODeadline) -> [Action] {
    let at = lastTexts + Self.answerPause
    guard at > now else { return texts(now: now) }
    repeatAt = min(repeatAt ?? at, at)
    return []
  }

  // MARK: Receivers

  package mutating func receive(_ message: OHMMessage, from sender: Endpoint, now: NIODeadline) -> [Action] {
    switch message {
    case .join, .listen:
      let wasActive = target != nil
      let reply =
        switch mode {
        case .unicast: unicast.heard(sender, isJoin: message == .join, now: now)
        case .multicast: multicast.heard(isJoin: message == .join, now: now)
        }
      if !wasActive { activate() }
      return perform(reply, now: now)
    case .leave: return mode == .unicast ? perform(unicast.left(sender), now: now) : []
    case .resend(let frames):
      guard let target, mode != .unicast || unicast.contains(sender) else { return [] }
      return buffer.answer(frames, now: now).map { Action(message: .audio($0), target: target) }
    case .audio:
      if mode != .unicast, !networks.contains(where: { $0.address == sender.address }) {
        multicast.heardForeignSound(now: now, random: &random)
      }
      return []
    // A multicast sender hears itself.
    case .track, .metatext, .slave: return []
    }
  }

  /// When `due` next has something to do.
  package var next: NIODeadline? { [unicast.next, multicast.next, repeatAt].compactMap { $0 }.min() }

  package mutating func due(_ now: NIODeadline) -> [Action] {
    multicast.expire(now)
    let actions = perform(unicast.expire(now), now: now)
    guard let at = repeatAt, at <= now else { return actions }
    repeatAt = nil
    return actions + texts(now: now)
  }

  /// Where sound goes; nil if nobody listens.
  private var target: Endpoint? {
    switch mode {
    case .unicast: unicast.target
    case .multicast(let group): multicast.isActive ? group : nil
    }
  }

  /// Somebody listens again: numbers start anew.
  private mutating func activate() {
    frame = 0
    lastSent = nil
    lastTexts = .distantPast
    buffer.clear()
  }

  private mutating func perform(_ reply: AudienceReply, now: NIODeadline) -> [Action] {
    reply.messages.map { Action(message: $0.message, target: $0.target) }
      + (reply.needsTexts ? answerTexts(now: now) : [])
  }
}

import NIOCore

/// Which notification goes out on which interface and when: at start, again and again, and at the end (UDA 1.1 §1.2).
///
/// Time comes in with every call; what is to be done by then comes out of `due(_:)`.
struct SSDPSchedule {
  /// What is to be done.
  enum Action: Hashable {
    case send(SSDPNotification, Announcement, on: NetworkInterface.ID)
    /// Tell the switches on the way again that we want the group's multicasts.
    case rejoin(NetworkInterface.ID)
    /// Nothing more will be sent on this interface.
    case close(NetworkInterface.ID)
  }

  /// Between two messages of a round: a burst overruns the small devices.
  static let step = TimeAmount.milliseconds(3)
  /// A round is sent again after these times, for UDP loses some, and a Wi-Fi that has just come up loses many.
  static let repeats: [TimeAmount] = [.zero, .milliseconds(250), .seconds(3)]
  /// Then comes the first refresh: a switch port that has come up with spanning tree forwards nothing for 30 s.
  static let firstRefresh = TimeAmount.seconds(35)
  static let refreshRepeats: [TimeAmount] = [.zero, .milliseconds(250)]
  /// A switch that looks into IGMP but hears no router ask (RFC 4541 §2.1.1) forgets us after 260 s (RFC 3376 §8.4), and
  /// searches reach us no more.
  static let rejoin = TimeAmount.seconds(120)
  /// The longest random wait before the first message (UDA 1.1 §1.2.1: 0…100 ms).
  static let longestStart = TimeAmount.milliseconds(50)

  /// One pass over all the announcements on an interface.
  private struct Round {
    var interface: NetworkInterface.ID
    var notification: SSDPNotification
    var announcements: [Announcement]
    var position = 0

    var isAlive: Bool {
      if case .alive = notification { true } else { false }
    }

    var isUpdate: Bool {
      if case .update = notification { true } else { false }
    }
  }

  private enum Item {
    case round(Round)
    case refresh(NetworkInterface.ID)
    case rejoin(NetworkInterface.ID)
    case close(NetworkInterface.ID)

    var interface: NetworkInterface.ID {
      switch self {
      case .round(let round): round.interface
      case .refresh(let interface), .rejoin(let interface), .close(let interface): interface
      }
    }
  }

  private enum State {
    /// Announced, and searches are answered from the time given: not between the byebye that clears what a control
    /// point remembers of an earlier run and the first alive.
    case active(answersFrom: NIODeadline)
    /// The last byebyes are on their way.
    case leaving
  }

  private let maxAge: Int
  private var announcements: [Announcement]
  private var interfaces: [NetworkInterface.ID: State] = [:]
  /// Those that went since another one came: they may come back as they were, with no byebye first.
  private var gone: Set<NetworkInterface.ID> = []
  private var agenda = Agenda<Item>()
  /// BOOTID.UPNP.ORG as it holds now.
  private(set) var bootID: Int
  /// Whether anything has been sent with this BOOTID, so that what comes now needs the next one.
  private var isBootIDUsed = false
  /// Whether everything has been announced somewhere, once at least.
  private(set) var hasAnnounced = false
  private var random: any RandomNumberGenerator

  init(
    devices: [Advertisement], maxAge: Int, bootID: Int,
    random: any RandomNumberGenerator = SystemRandomNumberGenerator()
  ) {
    announcements = devices.flatMap(\.announcements)
    self.maxAge = maxAge
    self.bootID = bootID
    self.random = random
  }

  /// When `due(_:)` has something to do next.
  var next: NIODeadline? { agenda.next }

  /// From when searches on this interface are answered; nil if they are not.
  func answersFrom(_ interface: NetworkInterface.ID) -> NIODeadline? {
    guard case .active(let time) = interfaces[interface] else { return nil }
    return time
  }

  /// An interface is there: byebye, then alive on it. If others are announced already this is a new boot to them all
  /// (UDA 1.1 §1.2.2), told by an update.
  mutating func add(_ interface: NetworkInterface.ID, now: NIODeadline) {
    if case .active = interfaces[interface] { return }
    let isBack = gone.remove(interface) != nil
    if !isBack { gone = [] }
    agenda.removeAll { $0.interface == interface }
    startNewBoot(now: now)
    let start = now + .nanoseconds(.random(in: 0...Self.longestStart.nanoseconds, using: &random))
    let alive = start + length * 2
    interfaces[interface] = .active(answersFrom: isBack ? now : alive)
    if !isBack {
      add(.byebye(bootID: bootID), on: interface, times: [.zero, length], from: start)
    }
    announce(interface, from: alive)
    agenda.add(.rejoin(interface), at: now + Self.rejoin)
  }

  /// An interface is gone: nothing but byebyes, where they can still be sent, and no word to the others.
  mutating func remove(_ interface: NetworkInterface.ID, canSend: Bool, now: NIODeadline) {
    guard case .active = interfaces[interface] else { return }
    agenda.removeAll { $0.interface == interface }
    gone.insert(interface)
    guard canSend else {
      interfaces[interface] = nil
      agenda.add(.close(interface), at: now)
      return
    }
    interfaces[interface] = .leaving
    add(.byebye(bootID: bootID), on: interface, times: [.zero, length], from: now)
    agenda.add(.close(interface), at: now + length * 2)
  }

  /// The devices have changed: update and alive with the next BOOTID everywhere, byebye for what is there no more or has
  /// another description. Who has read that reads it again only after a byebye, if he does not know of configIDs.
  mutating func update(_ devices: [Advertisement], now: NIODeadline) {
    let old = announcements
    announcements = devices.flatMap(\.announcements)
    let new = Set(announcements)
    let lost = old.filter { !new.contains($0) }
    for interface in active {
      add(.byebye(bootID: bootID), of: lost, on: interface, times: [.zero, length], from: now)
    }
    isBootIDUsed = true
    startNewBoot(now: now, updated: new.intersection(old))
  }

  /// Byebye everywhere; once every interface is closed there is nothing left.
  mutating func stop(now: NIODeadline) {
    for interface in active { remove(interface, canSend: true, now: now) }
  }

  /// Whether every interface is closed.
  var isIdle: Bool { interfaces.isEmpty && agenda.isEmpty }

  /// What is to be done by now, in order.
  mutating func due(_ now: NIODeadline) -> [Action] {
    var actions: [Action] = []
    while let item = agenda.popDue(now) {
      switch item {
      case .close(let interface):
        if isBusy(interface) {
          agenda.add(item, at: now + Self.step)
          continue
        }
        if case .leaving = interfaces[interface] { interfaces[interface] = nil }
        actions.append(.close(interface))
      case .rejoin(let interface):
        actions.append(.rejoin(interface))
        agenda.add(item, at: now + Self.rejoin)
      case .refresh(let interface): announce(interface, from: now, isRefresh: true)
      case .round(let round) where round.isAlive && round.position == 0 && mustWait(round.interface):
        agenda.add(item, at: now + Self.step)
      case .round(var round):
        actions.append(.send(round.notification, round.announcements[round.position], on: round.interface))
        if case .alive(let id) = round.notification, id == bootID { isBootIDUsed = true }
        round.position += 1
        if round.position < round.announcements.count {
          agenda.add(.round(round), at: now + Self.step)
        } else if round.isAlive {
          hasAnnounced = true
        }
      }
    }
    return actions
  }

  /// Alive comes after every byebye on its interface, and with a new BOOTID after every update on any (UDA 1.1 §1.2.2),
  /// however late the timers of a busy machine are.
  private func mustWait(_ interface: NetworkInterface.ID) -> Bool {
    agenda.contains {
      guard case .round(let round) = $0 else { return false }
      return round.isUpdate || (!round.isAlive && round.interface == interface)
    }
  }

  /// Whether a round on this interface is under way.
  private func isBusy(_ interface: NetworkInterface.ID) -> Bool {
    agenda.contains {
      guard case .round(let round) = $0 else { return false }
      return round.interface == interface
    }
  }

  private var active: [NetworkInterface.ID] {
    interfaces.compactMap { id, state in
      if case .active = state { id } else { nil }
    }.sorted { $0.index < $1.index }
  }

  /// How long one round takes, with a pause after it.
  private var length: TimeAmount { Self.step * announcements.count + .milliseconds(20) }

  /// The next BOOTID, unless nobody knows the one we have: update and then alive on all that are announced.
  /// - Parameter updated: those that are worth an update; nil for all.
  private mutating func startNewBoot(now: NIODeadline, updated: Set<Announcement>? = nil) {
    guard isBootIDUsed else { return }
    isBootIDUsed = false
    let old = bootID
    bootID = BootID.next(after: old)
    for interface in active {
      agenda.removeAll {
        switch $0 {
        case .round(let round): round.interface == interface && (round.isAlive || round.isUpdate)
        case .refresh(let other): other == interface
        case .rejoin, .close: false
        }
      }
      let known = announcements.filter { updated?.contains($0) ?? true }
      add(.update(bootID: old, next: bootID), of: known, on: interface, times: [.zero, length], from: now)
      announce(interface, from: now + length * 2)
    }
  }

  /// Alive now and some times more, and the next refresh.
  private mutating func announce(_ interface: NetworkInterface.ID, from start: NIODeadline, isRefresh: Bool = false) {
    add(
      .alive(bootID: bootID), on: interface, times: isRefresh ? Self.refreshRepeats : Self.repeats, from: start)
    // At random, so that devices started together part; and twice at least before an announcement expires.
    let pause: TimeAmount =
      isRefresh
      ? .milliseconds(.random(in: Int64(maxAge * 250)...Int64(maxAge * 400), using: &random)) : Self.firstRefresh
    agenda.add(.refresh(interface), at: start + pause)
  }

  /// - Parameter of: nil for all.
  private mutating func add(
    _ notification: SSDPNotification, of some: [Announcement]? = nil, on interface: NetworkInterface.ID,
    times: [TimeAmount], from start: NIODeadline
  ) {
    let announcements = some ?? announcements
    guard !announcements.isEmpty else { return }
    for time in times {
      agenda.add(
        .round(Round(interface: interface, notification: notification, announcements: announcements)), at: start + time)
    }
  }
}

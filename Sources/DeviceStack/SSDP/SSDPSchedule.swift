import NIOCore
import UPnP

/// Schedules the notifications on every interface: at the start, repeatedly, and at the end (UDA 1.1 §1.2).
///
/// A pure state machine: every call takes the current time, and `due(_:)` returns the actions to perform.
struct SSDPSchedule {
  enum Action: Hashable {
    case send(SSDPNotification, Announcement, on: NetworkInterface.ID)
    /// Join the multicast group again, so that switches keep forwarding it to us.
    case rejoin(NetworkInterface.ID)
    /// Nothing more is sent on this interface.
    case close(NetworkInterface.ID)
  }

  /// Pause between two messages of a round: a burst overruns small devices.
  static let step = TimeAmount.milliseconds(3)
  /// Times at which the first round is sent: UDP loses messages, and a Wi-Fi link that has just come up loses many.
  static let repeats: [TimeAmount] = [.zero, .milliseconds(250), .seconds(3)]
  /// Time of the first refresh: with spanning tree a switch port forwards nothing in its first 30 s.
  static let firstRefresh = TimeAmount.seconds(35)
  static let refreshRepeats: [TimeAmount] = [.zero, .milliseconds(250)]
  /// Interval of joining the group again. A switch that snoops IGMP without a querier (RFC 4541 §2.1.1) drops us from the
  /// group after 260 s (RFC 3376 §8.4), and searches no longer reach us.
  static let rejoin = TimeAmount.seconds(120)
  /// Longest random delay before the first message (UDA 1.1 §1.2.1 allows 100 ms).
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
    /// Announced. Searches are answered from the given time on: not before the first alive, because the byebye before it
    /// makes control points forget us.
    case active(answersFrom: NIODeadline)
    /// The last byebyes are being sent.
    case leaving
  }

  private let maxAge: Int
  private var announcements: [Announcement]
  private var interfaces: [NetworkInterface.ID: State] = [:]
  /// Interfaces that vanished since the last new one appeared. If one comes back unchanged it needs no byebye first.
  private var gone: Set<NetworkInterface.ID> = []
  private var agenda = Agenda<Item>()
  /// The current BOOTID.UPNP.ORG.
  private(set) var bootID: Int
  /// Whether an alive was sent with this BOOTID, so the next change needs a new one.
  private var isBootIDUsed = false
  /// Whether one interface has completed a round of alive messages.
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

  /// When `due(_:)` next has actions.
  var next: NIODeadline? { agenda.next }

  /// The time from which searches on this interface are answered; nil if they are not answered.
  func answersFrom(_ interface: NetworkInterface.ID) -> NIODeadline? {
    guard case .active(let time) = interfaces[interface] else { return nil }
    return time
  }

  /// An interface appeared: sends byebye, then alive on it. Interfaces that are announced already get an update to the next
  /// BOOTID (UDA 1.1 §1.2.2).
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

  /// An interface vanished: sends byebyes on it if that is still possible. Nothing changes for the others.
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

  /// The devices changed: sends update and alive with the next BOOTID everywhere, and byebye for announcements that are
  /// gone or have another description. A control point that ignores CONFIGID rereads a description only after a byebye.
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

  /// Sends byebye on every interface and closes it.
  mutating func stop(now: NIODeadline) {
    for interface in active { remove(interface, canSend: true, now: now) }
  }

  /// Whether byebyes are still being sent on an interface. One that came back meanwhile no longer counts.
  var isLeaving: Bool {
    interfaces.values.contains { if case .leaving = $0 { true } else { false } }
  }

  /// Whether every interface is closed.
  var isIdle: Bool { interfaces.isEmpty && agenda.isEmpty }

  /// Returns the actions that are due, in order.
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

  /// Alive must follow every byebye on its interface and every update on any (UDA 1.1 §1.2.2), also when the timers of a
  /// busy machine are late.
  private func mustWait(_ interface: NetworkInterface.ID) -> Bool {
    agenda.contains {
      guard case .round(let round) = $0 else { return false }
      return round.isUpdate || (!round.isAlive && round.interface == interface)
    }
  }

  /// Whether a round on this interface is not finished.
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

  /// Duration of one round and the pause after it.
  private var length: TimeAmount { Self.step * announcements.count + .milliseconds(20) }

  /// Takes the next BOOTID, unless no alive was sent with the current one, and schedules update and alive on every active
  /// interface.
  /// - Parameter updated: announcements that get an update; nil for all.
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

  /// Schedules alive, its repetitions and the next refresh.
  private mutating func announce(_ interface: NetworkInterface.ID, from start: NIODeadline, isRefresh: Bool = false) {
    add(
      .alive(bootID: bootID), on: interface, times: isRefresh ? Self.refreshRepeats : Self.repeats, from: start)
    // Random, so that devices that were started together drift apart; at least twice within max-age.
    let pause: TimeAmount =
      isRefresh
      ? .milliseconds(.random(in: Int64(maxAge * 250)...Int64(maxAge * 400), using: &random)) : Self.firstRefresh
    agenda.add(.refresh(interface), at: start + pause)
  }

  /// - Parameter some: the announcements to send; nil for all.
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

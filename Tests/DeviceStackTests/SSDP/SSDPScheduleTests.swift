import NIOCore
import Testing
import UPnP

@testable import DeviceStack

struct SSDPScheduleTests {
  private static let left = NetworkInterface.ID(index: 2, address: "10.9.0.1")
  private static let right = NetworkInterface.ID(index: 3, address: "10.8.0.1")

  @Test func announcesThreeTimesAfterAByebye() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    #expect(run.rounds(Self.left) == ["byebye 10 ×18", "alive 10 ×27"])
    #expect(run.usns(Self.left, "alive").count == 9)
    // The first round completes quickly.
    let ninth = run.sent.filter { $0.kind == "alive 10" }[8]
    #expect(ninth.time - .uptimeNanoseconds(0) < .milliseconds(300))
    #expect(run.closed == [])
  }

  @Test func answersNothingBeforeTheFirstAlive() throws {
    var run = Run()
    #expect(run.schedule.answersFrom(Self.left) == nil)
    run.schedule.add(Self.left, now: run.now)
    let from = try #require(run.schedule.answersFrom(Self.left))
    run.advance(to: .seconds(1))
    #expect(run.sent.filter { $0.kind == "byebye 10" }.allSatisfy { $0.time < from })
  }

  @Test func knowsWhenEverythingHasBeenAnnounced() throws {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    while run.sent.filter({ $0.kind == "alive 10" }).count < 9 {
      let hasAnnounced = run.schedule.hasAnnounced
      #expect(!hasAnnounced)
      run.advance(to: try #require(run.schedule.next) - .uptimeNanoseconds(0))
    }
    #expect(run.schedule.hasAnnounced)
  }

  @Test func anInterfaceRemovedEarlyCountsAsUnannounced() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .milliseconds(50))
    run.schedule.remove(Self.left, canSend: true, now: run.now)
    run.advance(to: .seconds(20))
    #expect(!run.schedule.hasAnnounced)
  }

  @Test func announcesAgainLongBeforeItExpires() {
    var pauses: Set<Int64> = []
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .hours(24))
    let times = run.sent.filter { $0.kind == "alive 10" && $0.usn == testDevices[0].udn }.map(\.time)
    #expect(times.count > 2 * 24 * 3600 / 720)
    for (earlier, later) in zip(times, times.dropFirst()) {
      let pause = later - earlier
      // Refresh twice within max-age, in case one message is lost.
      #expect(pause < .seconds(1800 / 2))
      pauses.insert(pause.nanoseconds)
    }
    // The refresh times are random.
    #expect(pauses.count > 100)
  }

  @Test func rejoinsBeforeASwitchForgetsIt() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .minutes(30))
    run.schedule.update(testDevices, now: run.now)
    run.advance(to: .hours(1))
    let times = run.rejoined.map(\.time)
    #expect(times.count == 30)
    #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 < .seconds(130) })
    run.schedule.remove(Self.left, canSend: false, now: run.now)
    run.advance(to: .hours(2))
    #expect(run.rejoined.count == 30)
  }

  @Test func startsANewBootWhenAnInterfaceIsAdded() throws {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    run.schedule.add(Self.right, now: run.now)
    #expect(run.schedule.bootID == 11)
    run.advance(to: .seconds(40))
    #expect(run.rounds(Self.left) == ["update 10 11 ×18", "alive 11 ×27"])
    #expect(run.rounds(Self.right) == ["byebye 11 ×18", "alive 11 ×27"])
    let lastUpdate = try #require(run.sent.lastIndex { $0.kind == "update 10 11" })
    let firstAlive = try #require(run.sent.firstIndex { $0.kind == "alive 11" })
    #expect(lastUpdate < firstAlive)
  }

  @Test func takesInterfacesThatComeTogetherAsOneBoot() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .milliseconds(50))
    run.schedule.add(Self.right, now: run.now)
    run.advance(to: .seconds(20))
    for interface in [Self.left, Self.right] {
      #expect(run.rounds(interface) == ["byebye 10 ×18", "alive 10 ×27"])
    }
  }

  @Test func sendsByebyeWherePossible() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.schedule.add(Self.right, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    run.schedule.remove(Self.left, canSend: true, now: run.now)
    run.advance(to: .seconds(30))
    #expect(run.rounds(Self.left) == ["byebye 10 ×18"])
    #expect(run.rounds(Self.right) == [])
    #expect(run.closed == [Self.left])
    run.schedule.remove(Self.right, canSend: false, now: run.now)
    run.advance(to: .hours(1))
    #expect(run.rounds(Self.right) == [])
    #expect(run.closed == [Self.left, Self.right])
  }

  /// A briefly unplugged cable must not remove the device from a control point that is playing on it.
  @Test func sendsNoByebyeIfTheInterfaceComesBack() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    run.schedule.remove(Self.left, canSend: false, now: run.now)
    run.advance(to: .seconds(30))
    run.forget()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(50))
    #expect(run.rounds(Self.left) == ["alive 11 ×27"])
  }

  /// Announcements do not pile up during the outage, and the device is announced at once after it.
  @Test func fiveMinutesWithoutALink() throws {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.schedule.add(Self.right, now: run.now)
    run.advance(to: .seconds(20))
    run.schedule.remove(Self.left, canSend: false, now: run.now)
    run.advance(by: .seconds(1))
    run.forget()
    run.advance(by: .minutes(5))
    #expect(run.rounds(Self.left) == [])
    // The other interface is unaffected and sends its first refresh.
    #expect(run.rounds(Self.right) == ["alive 10 ×18"])
    run.forget()
    let back = run.now
    run.schedule.add(Self.left, now: back)
    run.advance(by: .seconds(30))
    #expect(run.rounds(Self.left) == ["alive 11 ×27"])
    #expect(run.rounds(Self.right) == ["update 10 11 ×18", "alive 11 ×27"])
    let alive = run.sent.filter { $0.interface == Self.left }
    #expect(try #require(alive.first).time - back < .milliseconds(200))
    #expect(Set(alive.filter { $0.time - back < .milliseconds(250) }.map(\.usn)).count == 9)
    #expect(try #require(run.schedule.answersFrom(Self.left)) == back)
    // An interface sends at most one message in three milliseconds.
    for (earlier, later) in zip(alive, alive.dropFirst()) { #expect(later.time - earlier.time >= SSDPSchedule.step) }
  }

  /// A loose plug for five minutes: each return of the link is announced, and announcements still pending from the time
  /// before are dropped.
  @Test func aFlappingLinkCausesNoStorm() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.schedule.add(Self.right, now: run.now)
    run.advance(to: .seconds(60))
    run.forget()
    for _ in 0..<300 {
      run.schedule.remove(Self.left, canSend: false, now: run.now)
      run.advance(by: .milliseconds(500))
      run.schedule.add(Self.left, now: run.now)
      run.advance(by: .milliseconds(500))
    }
    run.forget()
    run.advance(by: .seconds(10))
    // Only the remaining rounds of the last return follow.
    #expect(run.rounds(Self.left) == ["alive \(run.schedule.bootID) ×9"])
    #expect(run.rounds(Self.right) == ["alive \(run.schedule.bootID) ×9"])
  }

  @Test func sendsByebyeIfAnotherInterfaceAppearedMeanwhile() {
    var run = Run()
    for interface in [Self.left, Self.right] {
      run.schedule.add(interface, now: run.now)
      run.advance(by: .seconds(20))
      run.schedule.remove(interface, canSend: false, now: run.now)
    }
    run.forget()
    run.schedule.add(Self.left, now: run.now)
    run.advance(by: .seconds(20))
    #expect(run.rounds(Self.left) == ["byebye 12 ×18", "alive 12 ×27"])
  }

  @Test func comesBackWhileItIsLeaving() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    run.schedule.remove(Self.left, canSend: true, now: run.now)
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(40))
    #expect(run.rounds(Self.left) == ["alive 11 ×27"])
    #expect(run.closed == [])
  }

  /// Leaving ends when the last byebye was sent, also on a network that came back before.
  @Test(arguments: [[], [left], [right], [left, right]] as [[NetworkInterface.ID]])
  func leavingEnds(_ returning: [NetworkInterface.ID]) {
    var run = Run()
    for id in [Self.left, Self.right] { run.schedule.add(id, now: run.now) }
    run.advance(to: .seconds(20))
    run.schedule.stop(now: run.now)
    #expect(run.schedule.isLeaving)
    run.advance(to: .milliseconds(20_010))
    for id in returning { run.schedule.add(id, now: run.now) }
    #expect(run.schedule.isLeaving == (returning.count < 2))
    run.advance(to: .seconds(21))
    #expect(!run.schedule.isLeaving)
    #expect(run.schedule.isIdle == returning.isEmpty)
    #expect(Set(run.closed) == Set([Self.left, Self.right]).subtracting(returning))
  }

  @Test func announcesChangedDevices() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    var device = testDevices[0]
    device.configID = 9
    run.schedule.update([device], now: run.now)
    run.advance(to: .seconds(40))
    // The second device is removed, and the first, with five announcements, has a new description: each is sent twice.
    #expect(run.rounds(Self.left) == ["byebye 10 ×18", "alive 11 ×15"])
    #expect(run.usns(Self.left, "byebye") == Set(testDevices.flatMap(\.announcements).map(\.usn)))
    #expect(run.sent.filter { $0.kind == "alive 11" }.allSatisfy { $0.configID == 9 })
  }

  @Test func keepsUnchangedAnnouncements() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    var devices = testDevices
    devices[1].configID = 9
    run.schedule.update(devices, now: run.now)
    run.advance(to: .seconds(40))
    #expect(run.usns(Self.left, "byebye") == Set(testDevices[1].announcements.map(\.usn)))
    #expect(run.usns(Self.left, "update") == Set(testDevices[0].announcements.map(\.usn)))
    #expect(run.usns(Self.left, "alive") == Set(testDevices.flatMap(\.announcements).map(\.usn)))
  }

  @Test func endsWithByebyes() {
    var run = Run()
    run.schedule.add(Self.left, now: run.now)
    run.schedule.add(Self.right, now: run.now)
    run.advance(to: .seconds(20))
    run.forget()
    run.schedule.stop(now: run.now)
    #expect(!run.schedule.isIdle)
    run.advance(by: .milliseconds(500))
    #expect(run.rounds(Self.left) == ["byebye 10 ×18"])
    #expect(run.rounds(Self.right) == ["byebye 10 ×18"])
    #expect(Set(run.closed) == [Self.left, Self.right])
    #expect(run.schedule.isIdle)
    #expect(run.schedule.next == nil)
  }

  /// On a machine so busy that every timer is late, messages keep their order.
  @Test func keepsItsOrderWhenTimersAreLate() throws {
    var run = Run(lateness: .milliseconds(70))
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(30))
    #expect(run.rounds(Self.left) == ["byebye 10 ×18", "alive 10 ×27"])
    run.forget()
    run.schedule.add(Self.right, now: run.now)
    run.advance(by: .seconds(30))
    #expect(run.rounds(Self.right) == ["byebye 11 ×18", "alive 11 ×27"])
    let lastUpdate = try #require(run.sent.lastIndex { $0.kind == "update 10 11" })
    let firstAlive = try #require(run.sent.firstIndex { $0.kind == "alive 11" })
    #expect(lastUpdate < firstAlive)
    run.forget()
    run.schedule.stop(now: run.now)
    run.advance(by: .seconds(10))
    #expect(run.rounds(Self.left) == ["byebye 11 ×18"])
    #expect(run.schedule.isIdle)
  }

  @Test func startsOverAfterTheHighestBootID() {
    var run = Run(bootID: Int(Int32.max))
    run.schedule.add(Self.left, now: run.now)
    run.advance(to: .seconds(1))
    run.schedule.update(testDevices, now: run.now)
    #expect(run.schedule.bootID == 1)
  }
}

/// A schedule and the messages it has sent.
private struct Run {
  struct Sent {
    var time: NIODeadline
    var interface: NetworkInterface.ID
    /// The kind of the notification and its BOOTIDs.
    var kind: String
    var usn: String
    var configID: Int
  }

  var schedule: SSDPSchedule
  private(set) var now = NIODeadline.uptimeNanoseconds(0)
  private(set) var sent: [Sent] = []
  private(set) var closed: [NetworkInterface.ID] = []
  private(set) var rejoined: [(time: NIODeadline, interface: NetworkInterface.ID)] = []
  /// How late every timer fires.
  private let lateness: TimeAmount

  init(bootID: Int = 10, lateness: TimeAmount = .zero) {
    schedule = SSDPSchedule(devices: testDevices, maxAge: 1800, bootID: bootID)
    self.lateness = lateness
  }

  mutating func forget() { sent = [] }

  mutating func advance(by time: TimeAmount) { advance(until: now + time) }

  mutating func advance(to time: TimeAmount) { advance(until: .uptimeNanoseconds(0) + time) }

  private mutating func advance(until end: NIODeadline) {
    while let next = schedule.next, next + lateness <= end {
      now = max(now, next + lateness)
      for action in schedule.due(now) {
        switch action {
        case .close(let interface): closed.append(interface)
        case .rejoin(let interface): rejoined.append((now, interface))
        case .send(let notification, let announcement, let interface):
          let kind =
            switch notification {
            case .alive(let bootID): "alive \(bootID)"
            case .byebye(let bootID): "byebye \(bootID)"
            case .update(let bootID, let next): "update \(bootID) \(next)"
            }
          sent.append(
            Sent(
              time: now, interface: interface, kind: kind, usn: announcement.usn, configID: announcement.configID))
        }
      }
    }
    now = max(now, end)
  }

  /// The messages sent on an interface: each kind with the number of consecutive messages.
  func rounds(_ interface: NetworkInterface.ID) -> [String] {
    var rounds: [(kind: String, count: Int)] = []
    for message in sent where message.interface == interface {
      if rounds.last?.kind == message.kind {
        rounds[rounds.count - 1].count += 1
      } else {
        rounds.append((message.kind, 1))
      }
    }
    return rounds.map { "\($0.kind) ×\($0.count)" }
  }

  func usns(_ interface: NetworkInterface.ID, _ kind: String) -> Set<String> {
    Set(sent.filter { $0.interface == interface && $0.kind.hasPrefix(kind) }.map(\.usn))
  }
}

import DequeModule
import NIOCore
import UPnP

/// Holds the answers to searches until they are due, and limits their rate: the sender of a search may be forged (UDP), and
/// the answers then go to a victim.
///
/// The searching addresses take turns, so that a flood from many of them delays any other by at most one round. Answers are
/// dropped only when the searcher no longer listens or the queue is full.
struct AnswerQueue {
  struct Answer {
    var announcement: Announcement
    var searcher: SocketAddress
    var interface: NetworkInterface.ID
    /// The answer is of no use after this time.
    var deadline: NIODeadline
  }

  struct Limits: Sendable {
    /// The budget of all searchers together.
    var total: ByteBudget
    /// The budget of one IP address.
    var perAddress: ByteBudget
    /// The number of answers that the queue holds.
    var capacity: Int

    /// The limits for searchers in the interface's subnet: 22 controllers on one computer may ask for everything at once.
    static let onLink = Limits(
      total: ByteBudget(rate: 512 * 1024, burst: 128 * 1024),
      perAddress: ByteBudget(rate: 128 * 1024, burst: 128 * 1024), capacity: 2048)
    /// The limits for all others, whose addresses are more likely forged.
    static let offLink = Limits(
      total: ByteBudget(rate: 32 * 1024, burst: 32 * 1024),
      perAddress: ByteBudget(rate: 8 * 1024, burst: 16 * 1024), capacity: 512)
  }

  /// State of one IP address.
  private struct Searcher {
    /// Due answers. While there are any, the address is in `turns` or `paused`.
    var due: Deque<Answer> = []
    /// The number of answers that are not due yet.
    var waiting = 0
    var budget: ByteBudget

    var isBusy: Bool { !due.isEmpty || waiting > 0 }
  }

  /// Addresses with a budget that is not full yet stay in the table; it is swept when it has grown to this size.
  private static let smallestSweep = 256

  private let limits: Limits
  private var total: ByteBudget
  private var waiting = Agenda<Answer>()
  private var searchers: [IPAddress: Searcher] = [:]
  /// The addresses with answers that are due, the next one first.
  private var turns: Deque<IPAddress> = []
  /// The addresses that have spent their own budgets, by the time at which these open.
  private var paused = Agenda<IPAddress>()
  private var sweepSize = AnswerQueue.smallestSweep
  /// Half of the capacity belongs to addresses with one answer each, so making room again would gain little.
  private var isCrowded = false
  /// The number of answers in the queue.
  private(set) var count = 0

  init(_ limits: Limits) {
    self.limits = limits
    total = limits.total
  }

  /// The number of addresses in the table.
  var addressCount: Int { searchers.count }

  /// When to call `send` next; nil if the queue is empty.
  var next: NIODeadline? {
    turns.isEmpty ? [waiting.next, paused.next].compactMap(\.self).min() : total.opens
  }

  mutating func add(_ answer: Answer, at due: NIODeadline) {
    guard let address = IPAddress(answer.searcher) else { return }
    if count <= limits.capacity / 2 { isCrowded = false }
    if count >= limits.capacity, !isCrowded { makeRoom() }
    guard count < limits.capacity else { return }
    count += 1
    searchers[address, default: Searcher(budget: limits.perAddress)].waiting += 1
    waiting.add(answer, at: due)
  }

  /// Sends the answers that are due, within the budgets.
  /// - Parameter body: sends one answer and returns its size in bytes.
  mutating func send(at now: NIODeadline, _ body: (Answer) -> Int) {
    while let answer = waiting.popDue(now) { enqueue(answer) }
    while let address = paused.popDue(now) { turns.append(address) }
    while total.opens <= now, let address = turns.popFirst(), var searcher = searchers.removeValue(forKey: address) {
      takeTurn(&searcher, at: now, body)
      if !searcher.due.isEmpty {
        let opens = searcher.budget.opens
        if opens <= now { turns.append(address) } else { paused.add(address, at: opens) }
      }
      searchers[address] = searcher
    }
    if searchers.count >= sweepSize {
      searchers = searchers.filter { $0.value.isBusy || !$0.value.budget.isFull(now) }
      sweepSize = max(Self.smallestSweep, searchers.count * 2)
    }
  }

  /// Sends the first answer of an address that has not expired.
  private mutating func takeTurn(_ searcher: inout Searcher, at now: NIODeadline, _ body: (Answer) -> Int) {
    while let first = searcher.due.first, first.deadline < now {
      searcher.due.removeFirst()
      count -= 1
    }
    guard searcher.budget.opens <= now, let answer = searcher.due.popFirst() else { return }
    count -= 1
    let bytes = body(answer)
    total.spend(bytes, at: now)
    searcher.budget.spend(bytes, at: now)
  }

  private mutating func enqueue(_ answer: Answer) {
    guard let address = IPAddress(answer.searcher) else { return }
    if searchers[address]?.due.isEmpty ?? true { turns.append(address) }
    searchers[address]?.waiting -= 1
    searchers[address]?.due.append(answer)
  }

  /// Drops every answer for which the condition holds.
  mutating func removeAll(where condition: (Answer) -> Bool) {
    filter { answer, _ in !condition(answer) }
  }

  /// Drops answers of the addresses that hold more than their share of half the capacity. A share is at least one
  /// answer.
  private mutating func makeRoom() {
    let busy = searchers.values.count { $0.isBusy }
    let share = max(limits.capacity / (2 * max(busy, 1)), 1)
    var counts: [IPAddress: Int] = [:]
    filter { _, address in
      counts[address, default: 0] += 1
      return counts[address, default: 0] <= share
    }
    isCrowded = count > limits.capacity / 2
  }

  private mutating func filter(_ keeps: (Answer, IPAddress) -> Bool) {
    for address in Array(searchers.keys) {
      let before = searchers[address]?.due.count ?? 0
      searchers[address]?.due.removeAll { !keeps($0, address) }
      count -= before - (searchers[address]?.due.count ?? 0)
    }
    waiting.removeAll { answer in
      guard let address = IPAddress(answer.searcher), !keeps(answer, address) else { return false }
      searchers[address]?.waiting -= 1
      count -= 1
      return true
    }
    turns.removeAll { searchers[$0]?.due.isEmpty ?? true }
    paused.removeAll { searchers[$0]?.due.isEmpty ?? true }
  }
}

/// Token bucket: allows a burst of bytes, then a steady rate.
struct ByteBudget: Sendable, Hashable {
  /// Bytes per second.
  let rate: Int
  /// Bytes that may be spent at once when the bucket is full.
  let burst: Int
  /// When the bucket is full again.
  private var full = NIODeadline.distantPast

  init(rate: Int, burst: Int) {
    self.rate = rate
    self.burst = burst
  }

  /// The earliest time at which bytes may be spent.
  var opens: NIODeadline { full - time(for: burst) }

  func isFull(_ now: NIODeadline) -> Bool { full <= now }

  /// Takes bytes out of the bucket. This may exceed the burst; the next spending then waits longer.
  mutating func spend(_ bytes: Int, at now: NIODeadline) { full = max(full, now) + time(for: bytes) }

  private func time(for bytes: Int) -> TimeAmount { .nanoseconds(Int64(bytes) * 1_000_000_000 / Int64(rate)) }
}

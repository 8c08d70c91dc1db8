import NIOCore
import Testing
import UPnP

@testable import DeviceStack

struct AnswerQueueTests {
  /// Size of every answer in these tests, in bytes.
  private static let size = 400

  // MARK: Honest control points

  /// Many sockets on one computer search once each, for one service or for everything.
  @Test(arguments: [(sockets: 22, answers: 1), (22, 9), (22, 18), (60, 1)])
  func everySocketOfOneAddressIsAnsweredWhileItListens(sockets: Int, answers: Int) throws {
    var queue = AnswerQueue(.onLink)
    for port in 0..<sockets {
      for number in 0..<answers {
        queue.add(try answer(number, port: port, until: time(1000)), at: time(0))
      }
    }
    let sent = run(&queue, until: 5000)
    #expect(sent.count == sockets * answers)
    #expect(sent.allSatisfy { $0.at <= 1000 })
    // Answers that fit into the burst are sent at once.
    #expect(sent.count { $0.at == 0 } == min(sockets * answers, 128 * 1024 / Self.size + 1))
  }

  @Test func answersAreSentWhenTheyAreDue() throws {
    var queue = AnswerQueue(.onLink)
    for (number, due) in [(0, 30), (1, 10), (2, 20)] {
      queue.add(try answer(number, until: time(1000)), at: time(due))
    }
    #expect(queue.next == time(10))
    let sent = run(&queue, until: 5000)
    #expect(sent.map(\.at) == [10, 20, 30])
    #expect(queue.next == nil)
  }

  @Test func answersThatWouldComeTooLateAreDropped() throws {
    var queue = AnswerQueue(.offLink)
    for port in 0..<100 { queue.add(try answer(0, port: port, until: time(port < 50 ? 1000 : 60_000)), at: time(0)) }
    let sent = run(&queue, until: 60_000)
    // All are sent: 16 KiB at once and 8 KiB per second cover those that wait one second. The others wait longer.
    #expect(sent.count == 100)
    var slow = AnswerQueue(.offLink)
    for port in 0..<200 { slow.add(try answer(0, port: port, until: time(1000)), at: time(0)) }
    let inTime = run(&slow, until: 60_000)
    #expect(inTime.count == (16 + 8) * 1024 / Self.size + 1)
    #expect(inTime.allSatisfy { $0.at <= 1000 })
    #expect(slow.count == 0)
  }

  // MARK: Forged addresses

  /// Searches for everything arrive as fast as possible, each from another port.
  @Test(arguments: [(addresses: 1, rate: 128, burst: 128), (100, 512, 128)])
  func aFloodIsHeldToTheByteBudget(addresses: Int, rate: Int, burst: Int) throws {
    var queue = AnswerQueue(.onLink)
    var (bytes, excess, longest) = (0, 0, 0)
    for millisecond in 0..<3000 {
      let forged = "10.0.0.\(millisecond % addresses)"
      for number in 0..<18 {
        queue.add(
          try answer(number, from: forged, port: millisecond, until: time(millisecond + 5000)), at: time(millisecond))
      }
      bytes += run(&queue, until: millisecond).count * Self.size
      excess = max(excess, bytes - (burst * 1000 + rate * millisecond) * 1024 / 1000)
      longest = max(longest, queue.count)
    }
    // A budget with anything left admits one whole answer; times are rounded.
    #expect(excess <= Self.size + 1)
    #expect(bytes >= rate * 3 * 1024)
    #expect(longest <= AnswerQueue.Limits.onLink.capacity)
  }

  /// `searchers` forged addresses search for everything at the same time.
  @Test(arguments: [1, 10, 100, 500, 1024])
  func aControlPointIsAnsweredAmongForgedSearches(searchers: Int) throws {
    var queue = AnswerQueue(.onLink)
    for forged in 0..<searchers {
      for number in 0..<18 {
        let address = "10.0.\(forged / 256).\(forged % 256)"
        for port in 0..<(searchers == 1 ? 200 : 1) {
          queue.add(try answer(number, from: address, port: port, until: time(5000)), at: time(0))
        }
      }
    }
    queue.add(try answer(0, from: "10.1.0.1", until: time(1000)), at: time(30))
    let sent = run(&queue, until: 5000)
    let honest = try #require(sent.first { $0.address == "10.1.0.1" })
    #expect(honest.at <= 1000)
  }

  /// During a lasting flood, an honest control point searches once a second.
  @Test func aControlPointIsAnsweredThroughoutAFlood() throws {
    var queue = AnswerQueue(.onLink)
    var answered: Set<Int> = []
    for millisecond in 0..<3000 {
      let forged = "10.0.\(millisecond % 3).\(millisecond % 100)"
      for number in 0..<18 {
        queue.add(
          try answer(number, from: forged, port: millisecond, until: time(millisecond + 5000)), at: time(millisecond))
      }
      if millisecond % 1000 == 0 {
        queue.add(
          try answer(0, from: "10.1.0.1", port: millisecond, until: time(millisecond + 1000)), at: time(millisecond))
      }
      for sent in run(&queue, until: millisecond) where sent.address == "10.1.0.1" { answered.insert(sent.port) }
    }
    #expect(answered == Set(stride(from: 0, to: 3000, by: 1000)))
  }

  @Test func memoryIsBounded() throws {
    var queue = AnswerQueue(.onLink)
    for forged in 0..<20_000 {
      let now = forged / 20
      let address = "10.\(forged / 65536).\(forged / 256 % 256).\(forged % 256)"
      queue.add(try answer(0, from: address, until: time(now + 5000)), at: time(now))
      _ = run(&queue, until: now)
      #expect(queue.count <= AnswerQueue.Limits.onLink.capacity)
      #expect(queue.addressCount <= 2 * AnswerQueue.Limits.onLink.capacity)
    }
    _ = run(&queue, until: 60_000)
    #expect(queue.count == 0)
    // Each new address sends one search; meanwhile the table is swept.
    for forged in 0..<1000 {
      queue.add(try answer(0, from: "10.9.\(forged / 256).\(forged % 256)", until: time(80_000)), at: time(70_000))
    }
    _ = run(&queue, until: 90_000)
    #expect(queue.addressCount < 1024)
  }

  @Test func dropsTheAnswersOfAnInterface() throws {
    var queue = AnswerQueue(.onLink)
    // Some answers are due, some are not, and one address has spent its budget.
    for port in 0..<500 {
      queue.add(try answer(0, port: port, interface: 1 + port % 2, until: time(9000)), at: time(port < 400 ? 0 : 100))
    }
    let before = run(&queue, until: 0).count
    queue.removeAll { $0.interface.index == 1 }
    let after = run(&queue, until: 9000)
    #expect(after.allSatisfy { $0.interface == 2 })
    #expect(before / 2 + after.count == 250)
    #expect(queue.count == 0 && queue.next == nil)
  }

  // MARK: Helpers

  private struct Sent {
    var at: Int
    var address: String
    var port: Int
    var interface: Int
  }

  /// Runs the queue at its due times, up to a time in milliseconds.
  private func run(_ queue: inout AnswerQueue, until end: Int) -> [Sent] {
    var sent: [Sent] = []
    while let next = queue.next, next <= time(end) {
      // Timers of the event loop are never early but may be late.
      let now = (Int64(next.uptimeNanoseconds - time(0).uptimeNanoseconds) + 999_999) / 1_000_000
      guard now <= end else { break }
      queue.send(at: time(Int(now))) { answer in
        sent.append(
          Sent(
            at: Int(now), address: answer.searcher.ipAddress ?? "", port: answer.searcher.port ?? 0,
            interface: answer.interface.index))
        return Self.size
      }
    }
    return sent
  }

  private func answer(
    _ number: Int, from address: String = "10.0.0.1", port: Int = 0, interface: Int = 1, until deadline: NIODeadline
  ) throws -> AnswerQueue.Answer {
    AnswerQueue.Answer(
      announcement: Announcement(of: testDevices[0], as: "urn:example:service:S\(number):1"),
      searcher: try SocketAddress(ipAddress: address, port: port),
      interface: NetworkInterface.ID(index: interface, address: "10.0.0.254"), deadline: deadline)
  }

  private func time(_ milliseconds: Int) -> NIODeadline {
    .uptimeNanoseconds(1_000_000_000_000) + .milliseconds(Int64(milliseconds))
  }
}

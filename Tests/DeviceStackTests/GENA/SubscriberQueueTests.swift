import NIOCore
import Testing

@testable import DeviceStack

struct SubscriberQueueTests {
  private static let all = VariableSet.all(4)
  private let a = VariableSet(index: 0)
  private let b = VariableSet(index: 1)

  private func at(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(1000 + seconds) }

  /// A queue whose initial event has been delivered.
  private func established(callbacks: Int = 1, firstSEQ: UInt32 = 0) -> SubscriberQueue {
    var queue = SubscriberQueue(variables: Self.all, callbackCount: callbacks, firstSEQ: firstSEQ)
    _ = queue.released()
    _ = queue.begin()
    _ = queue.answered(status: 200, after: .zero, now: at(0))
    return queue
  }

  @Test func holdsTheInitialEventUntilTheAnswerIsOut() {
    var queue = SubscriberQueue(variables: Self.all, callbackCount: 1)
    #expect(queue.changed(a) == .nothing)
    #expect(queue.begin() == nil)
    #expect(queue.released() == .submit)
    #expect(queue.released() == .nothing)
    #expect(queue.begin() == .init(seq: 0, variables: Self.all))
    #expect(queue.answered(status: 200, after: .milliseconds(1), now: at(0)) == .nothing)
    #expect(queue.isPrompt)
  }

  @Test func mergesChangesDuringDelivery() {
    var queue = established()
    #expect(queue.changed(a) == .submit)
    // The event still waits for a connection, so it includes the change.
    #expect(queue.changed(b) == .nothing)
    #expect(queue.begin() == .init(seq: 1, variables: [a, b]))
    #expect(queue.changed(b) == .nothing)
    #expect(queue.changed(a) == .nothing)
    #expect(queue.answered(status: 204, after: .zero, now: at(0)) == .submit)
    #expect(queue.begin() == .init(seq: 2, variables: [a, b]))
    #expect(queue.answered(status: 200, after: .zero, now: at(0)) == .nothing)
  }

  /// The subscriber has the values 0. A table of what the variables a and b become, and what is sent.
  @Test func onlyNewValuesAreSent() {
    var values = [0, 0, 0, 0]
    func value(_ index: Int) -> Int { values[index] }
    var queue = SubscriberQueue(variables: Self.all, callbackCount: 1)
    func accept(_ status: UInt = 200) -> SubscriberQueue.Step {
      queue.answered(status: status, after: .zero, now: at(0), value)
    }
    _ = queue.released()
    #expect(queue.begin(value)?.variables == Self.all)
    // Changed back before the initial event is answered.
    #expect(queue.changed(a, value) == .nothing)
    #expect(accept() == .nothing)
    #expect(queue.changed(a, value) == .nothing)
    // A change while the event waits for a connection is not sent twice.
    values[0] = 1
    #expect(queue.changed([a, b], value) == .submit)
    values[0] = 2
    #expect(queue.begin(value) == .init(seq: 1, variables: a))
    #expect(queue.changed(a, value) == .nothing)
    #expect(accept() == .nothing)
    // A change that reverts while the event waits for a connection.
    values[0] = 3
    #expect(queue.changed(a, value) == .submit)
    values[0] = 2
    #expect(queue.begin(value) == nil)
    // The subscriber may have got values that it did not acknowledge, so the old ones are news.
    values[0] = 4
    #expect(queue.changed(a, value) == .submit)
    #expect(queue.begin(value) == .init(seq: 2, variables: a))
    values[0] = 2
    #expect(queue.changed(a, value) == .nothing)
    #expect(accept(500) == .submit)
    #expect(queue.begin(value) == .init(seq: 3, variables: a))
    #expect(accept() == .nothing)
  }

  @Test func seqWrapsToOne() {
    var queue = established(firstSEQ: .max - 1)
    for seq in [UInt32.max, 1, 2] {
      _ = queue.changed(a)
      #expect(queue.begin()?.seq == seq)
      _ = queue.answered(status: 200, after: .zero, now: at(0))
    }
  }

  @Test func theInitialEventIsTriedOnceMore() {
    for (name, fail) in [
      ("412", { $0.answered(status: 412, after: .zero, now: self.at(0)) }),
      ("refused", { $0.failed(.unreachable, now: self.at(0)) }),
    ] as [(String, (inout SubscriberQueue) -> SubscriberQueue.Step)] {
      var queue = SubscriberQueue(variables: Self.all, callbackCount: 1)
      _ = queue.released()
      if name == "412" { _ = queue.begin() }
      let again = at(0) + SubscriberQueue.initialRetry
      #expect(fail(&queue) == .backOff(until: again), "\(name)")
      #expect(queue.elapsed(now: again - .nanoseconds(1)) == .nothing, "\(name)")
      #expect(queue.elapsed(now: again) == .submit, "\(name)")
      #expect(queue.begin() == .init(seq: 0, variables: Self.all), "\(name)")
      #expect(queue.answered(status: 200, after: .zero, now: again) == .nothing, "\(name)")
    }
  }

  @Test func only412EndsIt() {
    var queue = established()
    for status: UInt in [400, 404, 500, 503, 301] {
      _ = queue.changed(a)
      _ = queue.begin()
      guard case .backOff = queue.answered(status: status, after: .zero, now: at(0)) else {
        Issue.record("\(status)")
        return
      }
    }
    _ = queue.changed(a)
    _ = queue.begin()
    #expect(queue.answered(status: 412, after: .zero, now: at(0)) == .end)
  }

  @Test func anInitialEventThatIsUnknownTwiceEndsTheSubscription() {
    var queue = SubscriberQueue(variables: Self.all, callbackCount: 1)
    _ = queue.released()
    _ = queue.begin()
    _ = queue.answered(status: 412, after: .zero, now: at(0))
    _ = queue.elapsed(now: at(1))
    _ = queue.begin()
    #expect(queue.answered(status: 412, after: .zero, now: at(1)) == .end)
  }

  @Test func failedChangesAreMergedIntoTheNextSEQ() {
    var queue = established()
    _ = queue.changed(a)
    #expect(queue.begin() == .init(seq: 1, variables: a))
    #expect(queue.failed(.silent, now: at(0)) == .backOff(until: at(1)))
    #expect(queue.changed(b) == .nothing)
    #expect(queue.elapsed(now: at(1)) == .submit)
    #expect(queue.begin() == .init(seq: 2, variables: [a, b]))
  }

  @Test func messagesThatWereNeverSentUseNoSEQ() {
    var queue = established()
    _ = queue.changed(a)
    #expect(queue.failed(.unreachable, now: at(0)) == .backOff(until: at(1)))
    _ = queue.changed(b)
    _ = queue.elapsed(now: at(1))
    #expect(queue.begin() == .init(seq: 1, variables: [a, b]))
  }

  @Test func backsOffLongerEachTimeUpToTheMaximum() {
    var queue = established()
    _ = queue.changed(a)
    var now = at(0)
    for pause: Int64 in [1, 2, 4, 8, 16, 30, 30, 30] {
      #expect(queue.failed(.unreachable, now: now) == .backOff(until: now + .seconds(pause)))
      #expect(queue.backOffDeadline == now + .seconds(pause))
      now = now + .seconds(pause)
      #expect(queue.elapsed(now: now) == .submit)
    }
    _ = queue.begin()
    _ = queue.answered(status: 200, after: .zero, now: now)
    _ = queue.changed(a)
    #expect(queue.failed(.unreachable, now: now) == .backOff(until: now + .seconds(1)))
  }

  @Test func aChangeEndsTheBackOffAfterAQuickFailure() {
    for (failure, isCut) in [
      (SubscriberQueue.Failure.hungUp, true), (.refused, true), (.silent, false), (.unreachable, false),
    ] {
      var queue = established()
      _ = queue.changed(a)
      _ = queue.begin()
      _ =
        failure == .refused ? queue.answered(status: 500, after: .zero, now: at(0)) : queue.failed(failure, now: at(0))
      #expect(queue.changed(b) == (isCut ? .submit : .nothing), "\(failure)")
    }
  }

  @Test func aChangeDuringDeliveryIsSentAtOnceAfterAQuickFailure() {
    for (failure, isDue) in [(SubscriberQueue.Failure.hungUp, true), (.silent, false)] {
      var queue = established()
      _ = queue.changed(a)
      _ = queue.begin()
      _ = queue.changed(b)
      #expect(queue.failed(failure, now: at(0)) == (isDue ? .submit : .backOff(until: at(1))), "\(failure)")
      if isDue { #expect(queue.begin() == .init(seq: 2, variables: [a, b])) }
    }
  }

  @Test func aRenewalEndsTheBackOff() {
    var queue = established()
    #expect(queue.renewed() == .nothing)
    _ = queue.changed(a)
    #expect(queue.renewed() == .nothing)
    _ = queue.failed(.unreachable, now: at(0))
    #expect(queue.renewed() == .submit)
  }

  @Test func aStaleConnectionIsReplacedOnceWithTheSameSEQ() {
    var queue = established()
    _ = queue.changed(a)
    #expect(queue.begin() == .init(seq: 1, variables: a))
    _ = queue.changed(b)
    #expect(queue.failed(.stale, now: at(0)) == .submit)
    #expect(queue.begin() == .init(seq: 1, variables: a))
    // A second stale failure cannot happen on a new connection: the event is abandoned, and newer changes are due.
    #expect(queue.failed(.stale, now: at(0)) == .submit)
    #expect(queue.begin() == .init(seq: 2, variables: [a, b]))
    #expect(queue.failed(.stale, now: at(0)) == .submit)
    #expect(queue.begin() == .init(seq: 2, variables: [a, b]))
    #expect(queue.failed(.hungUp, now: at(0)) == .backOff(until: at(2)))
  }

  @Test func triesTheCallbacksInOrderAndStaysWithTheOneThatWorks() {
    var queue = SubscriberQueue(variables: Self.all, callbackCount: 3)
    _ = queue.released()
    #expect(queue.callback == 0)
    #expect(queue.failed(.unreachable, now: at(0)) == .submit)
    #expect(queue.callback == 1)
    #expect(queue.begin()?.seq == 0)
    #expect(queue.answered(status: 500, after: .zero, now: at(0)) == .submit)
    #expect(queue.callback == 2)
    #expect(queue.begin()?.seq == 0)
    #expect(queue.answered(status: 200, after: .zero, now: at(0)) == .nothing)
    _ = queue.changed(a)
    #expect(queue.callback == 2)
    _ = queue.begin()
    #expect(queue.failed(.silent, now: at(0)) == .submit)
    #expect(queue.callback == 0)
    #expect(queue.failed(.unreachable, now: at(0)) == .submit)
    #expect(queue.callback == 1)
    #expect(queue.failed(.unreachable, now: at(0)) == .backOff(until: at(1)))
  }

  @Test func slowSubscribersAreNotPrompt() {
    var queue = established()
    for (duration, isPrompt) in [(TimeAmount.milliseconds(99), true), (.milliseconds(100), false), (.zero, true)] {
      _ = queue.changed(a)
      _ = queue.begin()
      _ = queue.answered(status: 200, after: duration, now: at(0))
      #expect(queue.isPrompt == isPrompt)
    }
    _ = queue.changed(a)
    _ = queue.failed(.unreachable, now: at(0))
    #expect(!queue.isPrompt)
  }
}

/// Steps for tests in which every value is news to the subscriber.
extension SubscriberQueue {
  private static func news(_: Int) -> Int { .random(in: .min ... .max) }

  mutating func changed(_ variables: VariableSet) -> Step { changed(variables, Self.news) }

  mutating func begin() -> Message? { begin(Self.news) }

  mutating func answered(status: UInt, after duration: TimeAmount, now: NIODeadline) -> Step {
    answered(status: status, after: duration, now: now, Self.news)
  }
}

import Testing

@testable import Companion

@Suite struct SleepWorkTests {
  @Test @CompanionActor func aCancelledRecoveryLetsThePreparationBegin() async throws {
    let (work, events) = (SleepWork(), Record<String>())
    work.recover {
      events.add("recovering")
      // Like the wait for a network.
      try? await Task.sleep(for: .seconds(600))
      events.add("interrupted")
    } ended: {
      events.add("ended")
    }
    try await events.wait(for: ["recovering"])
    work.cancelRecoveries()
    work.prepare { events.add("prepared") }
    try await events.wait(for: ["recovering", "interrupted", "ended", "prepared"])
  }

  @Test @CompanionActor func aPreparationIsNotCancelledAndARecoveryThatHasNotBegunIsSkipped() async throws {
    let (work, events, gate) = (SleepWork(), Record<String>(), Record<String>())
    work.prepare {
      try? await gate.wait(for: ["open"])
      events.add(Task.isCancelled ? "cancelled" : "first")
    }
    work.recover {
      events.add("recovered")
    } ended: {
      events.add("ended")
    }
    work.cancelRecoveries()
    work.prepare { events.add("second") }
    work.recover {
      events.add("recovered")
    } ended: {
      events.add("ended")
    }
    gate.add("open")
    try await events.wait(for: ["first", "ended", "second", "recovered", "ended"])
  }
}

import Synchronization
import Testing

@testable import Page

@Suite struct PartyLockTests {
  @Test func aPINMakesAnOwner() throws {
    let lock = try locked()
    #expect(!lock.isOwner(nil))
    let (hash, number) = try lock.beginAttempt(from: "192.0.2.2")
    let token = try lock.finishAttempt(number, isRight: true, of: hash, life: PINLock.tokenLife)
    #expect(lock.isOwner(token))
    #expect(!lock.isOwner("x"))
  }

  @Test func theLockIsKept() throws {
    let kept = Mutex<[PINHash?]>([])
    let lock = PartyLock(.init(saved: nil) { hash in kept.withLock { $0.append(hash) } })
    var changes = 0
    lock.onChange = { changes += 1 }
    #expect(!lock.isLocked)
    #expect(status { () throws(Problem) in try lock.requireOwner(nil) } == nil)
    #expect(status { () throws(Problem) in _ = try lock.beginAttempt(from: "192.0.2.2") } == 409)
    #expect(status { () throws(Problem) in try lock.lockAgain() } == 400)
    let hash = try #require(PINHash(of: "1234"))
    let token = lock.lock(hash)
    #expect(lock.isLocked)
    #expect(status { () throws(Problem) in try lock.requireOwner(token) } == nil)
    #expect(status { () throws(Problem) in try lock.requireOwner(nil) } == 403)
    lock.remove()
    #expect(!lock.isLocked)
    #expect(kept.withLock { $0 } == [hash, nil])
    #expect(changes == 2)
  }

  @Test func tooManyAttemptsSayWhenToTryAgain() throws {
    let lock = try locked()
    for _ in 0..<PINLock.maximumAttempts {
      let (hash, number) = try lock.beginAttempt(from: "192.0.2.2")
      #expect(
        status { () throws(Problem) in
          _ = try lock.finishAttempt(number, isRight: false, of: hash, life: PINLock.tokenLife)
        } == 403)
    }
    let problem = #expect(throws: Problem.self) { try lock.beginAttempt(from: "192.0.2.2") }
    #expect(problem?.status == .tooManyRequests)
    #expect((1...60).contains(problem?.retryAfter ?? 0))
  }

  private func locked() throws -> PartyLock {
    let hash: PINHash = try #require(PINHash(of: "1234"))
    return PartyLock(PartyLock.Storage(saved: hash) { _ in })
  }

  private func status(_ body: () throws(Problem) -> Void) -> UInt? {
    do throws(Problem) {
      try body()
      return nil
    } catch {
      return error.status.code
    }
  }
}

import NIOCore
import SpeakerCore

/// The party lock of the running speaker. Guests may add music to the end of the queue and lower the volume. Clients
/// with a token, which they get for the PIN, may do everything. Used on the event loop.
package final class PartyLock: AccessLock {
  /// Stores the PIN's hash across restarts.
  package struct Storage: Sendable {
    let saved: PINHash?
    let keep: @Sendable (PINHash?) -> Void

    /// - Parameters:
    ///   - saved: nil if the speaker is not locked.
    ///   - keep: called with nil when the lock is removed. Must not block.
    package init(saved: PINHash?, keep: @escaping @Sendable (PINHash?) -> Void) {
      self.saved = saved
      self.keep = keep
    }
  }

  private var machine: PINLock
  private let storage: Storage
  private var generator = SystemRandomNumberGenerator()
  /// Called when `isLocked` may have changed.
  var onChange: () -> Void = {}

  init(_ storage: Storage) {
    self.storage = storage
    machine = PINLock(hash: storage.saved)
  }

  package var isLocked: Bool { machine.isLocked }

  package func isOwner(_ token: String?) -> Bool { isLocked && isOpen(token) }

  private func isOpen(_ token: String?) -> Bool { machine.isOpen(token.map { AccessToken(text: $0) }, now: .now) }

  /// - Throws: 403 for a guest.
  func requireOwner(_ token: String?) throws(Problem) {
    guard isOpen(token) else { throw Problem(CommandError.locked) }
  }

  /// - Parameter address: the IP address of the client.
  /// - Throws: 429 after too many wrong PINs, 409 if there is no lock.
  func beginAttempt(from address: String) throws(Problem) -> (hash: PINHash, number: Int) {
    switch machine.begin(from: address, now: .now) {
    case .notLocked: throw .impossible(.notLocked, "The speaker is not locked.")
    case .compare(let hash, let number): return (hash, number)
    case .refused(let wait): throw .tooMany("Too many wrong PINs.", name: .tooManyPINs, wait: wait)
    }
  }

  /// - Parameter life: how long the token is valid without use.
  /// - Returns: a token if the PIN was right.
  /// - Throws: 403.
  func finishAttempt(_ number: Int, isRight: Bool, of hash: PINHash, life: Duration) throws(Problem) -> String {
    let token = AccessToken.random(using: &generator)
    guard machine.finish(number, isRight: isRight, of: hash, token: token, life: life, now: .now) else {
      throw Problem(.forbidden, .wrongPIN, "The PIN is wrong.")
    }
    return token.text
  }

  /// - Returns: a token for the client that has locked.
  func lock(_ hash: PINHash) -> String {
    let token = AccessToken.random(using: &generator)
    machine.lock(hash)
    machine.admit(token, now: .now)
    storage.keep(hash)
    onChange()
    return token.text
  }

  /// Logs everybody out and keeps the PIN.
  /// - Throws: 400 if there is no PIN.
  func lockAgain() throws(Problem) {
    guard machine.isLocked else { throw .wrong("pin", "is missing") }
    machine.lockAgain()
  }

  func remove() {
    machine.remove()
    storage.keep(nil)
    onChange()
  }
}

/// Decides about the party lock: who may do what, how often a PIN may be tried, and how long tokens are valid.
///
/// Pure: the time, hashes and random numbers are parameters.
struct PINLock {
  typealias Instant = ContinuousClock.Instant

  /// The result of asking to try a PIN.
  enum Attempt: Equatable {
    case notLocked
    /// Too many wrong PINs: none is compared before this time is over.
    case refused(retryAfter: Duration)
    /// The PIN may be compared with this hash; `finish` takes the result.
    case compare(PINHash, number: Int)
  }

  /// Maximum wrong PINs of one address in `window`.
  static let maximumAttempts = 5
  /// Maximum wrong PINs of all addresses together, because one person can have many. Does not apply to an address that has
  /// tried none for `memory`, so that a guest cannot lock the owner out.
  static let maximumTotal = 20
  static let window = Duration.seconds(60)
  static let memory = Duration.seconds(3600)
  /// Maximum number of logged-in clients. A further one replaces the one that was idle longest.
  static let maximumTokens = 32
  /// A token expires after this time without use.
  static let tokenLife = Duration.seconds(7 * 24 * 3600)

  private struct Session {
    let token: AccessToken
    /// How long it is valid without use.
    let life: Duration
    var expires: Instant
  }

  /// nil if the speaker is not locked.
  private(set) var hash: PINHash?
  private var sessions: [Session] = []
  /// The wrong PINs, and those that are being compared, the oldest first.
  private var attempts: [(number: Int, address: String, time: Instant)] = []
  private var lastAttempt = 0

  init(hash: PINHash?) { self.hash = hash }

  var isLocked: Bool { hash != nil }

  /// Whether a client may do everything. Renews its token.
  mutating func isOpen(_ token: AccessToken?, now: Instant) -> Bool {
    guard isLocked else { return true }
    sessions.removeAll { $0.expires <= now }
    guard let token else { return false }
    // Compare all, so that the time does not reveal a near match.
    let matches = sessions.indices.filter { sessions[$0].token.isSame(as: token) }
    guard let index = matches.first else { return false }
    sessions[index].expires = now + sessions[index].life
    return true
  }

  // MARK: PINs

  /// - Parameter address: the IP address of the client.
  mutating func begin(from address: String, now: Instant) -> Attempt {
    guard let hash else { return .notLocked }
    attempts.removeAll { $0.time + Self.memory <= now }
    let recent = attempts.filter { $0.time + Self.window > now }
    let own = recent.filter { $0.address == address }
    let isKnown = attempts.contains { $0.address == address }
    for (full, limit) in [(own, Self.maximumAttempts), (isKnown ? recent : [], Self.maximumTotal)] {
      guard full.count >= limit else { continue }
      return .refused(retryAfter: now.duration(to: full[full.count - limit].time + Self.window))
    }
    lastAttempt += 1
    attempts.append((lastAttempt, address, now))
    return .compare(hash, number: lastAttempt)
  }

  /// Handles the result of a comparison.
  /// - Parameters:
  ///   - hash: the hash with which the PIN was compared.
  ///   - token: the token for the client if the PIN was right.
  ///   - life: how long it is valid without use.
  /// - Returns: whether the token is valid: the lock may have changed meanwhile.
  mutating func finish(
    _ number: Int, isRight: Bool, of hash: PINHash, token: AccessToken, life: Duration = tokenLife, now: Instant
  ) -> Bool {
    guard isRight else { return false }
    // A right PIN does not count: many members of a household may unlock in the same minute.
    attempts.removeAll { $0.number == number }
    guard hash == self.hash else { return false }
    admit(token, life: life, now: now)
    return true
  }

  /// Makes a token valid.
  mutating func admit(_ token: AccessToken, life: Duration = tokenLife, now: Instant) {
    if sessions.count >= Self.maximumTokens,
      let oldest = sessions.indices.min(by: { sessions[$0].expires < sessions[$1].expires })
    {
      sessions.remove(at: oldest)
    }
    sessions.append(Session(token: token, life: life, expires: now + life))
  }

  // MARK: Locking

  /// Locks with a PIN, and logs everybody out.
  mutating func lock(_ hash: PINHash) {
    self.hash = hash
    sessions = []
  }

  /// Logs everybody out.
  mutating func lockAgain() { sessions = [] }

  mutating func remove() { self = PINLock(hash: nil) }
}

/// The token that a client sends instead of the PIN: 128 random bits.
struct AccessToken: Sendable, Equatable {
  /// 32 hexadecimal digits.
  let text: String

  static func random(using generator: inout some RandomNumberGenerator) -> AccessToken {
    let halves = [generator.next(), generator.next()] as [UInt64]
    return AccessToken(
      text: halves.map { half in
        let digits = String(half, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
      }.joined())
  }

  func isSame(as other: AccessToken) -> Bool { ConstantTime.isEqual(Array(text.utf8), Array(other.text.utf8)) }
}

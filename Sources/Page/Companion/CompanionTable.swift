/// Decides about the phones of the companion page: which are registered, which are in reach of the beacon, and which
/// get a launch request.
///
/// Pure: the time and the keys of tokens are parameters.
struct CompanionTable {
  typealias Instant = ContinuousClock.Instant

  /// More phones than a household has.
  static let maximumPhones = 32
  /// A phone without contact for this long is forgotten. Only the time while the speaker runs counts.
  static let life = Duration.seconds(30 * 24 * 3600)
  /// In a full table, a phone without contact for this long makes room for a new one. So repeated registrations cannot
  /// push out phones in use.
  static let displaceable = Duration.seconds(24 * 3600)
  /// How long a launch request waits for a phone without an event stream, which must wake up and open one.
  static let launchLife = Duration.seconds(60)

  struct Phone {
    /// The id that others see.
    let id: Int
    let name: String
    let key: TokenKey
    /// The time of the last contact.
    fileprivate(set) var lastUse: Instant
    /// The number of the phone's event streams. An open stream counts as contact.
    fileprivate(set) var streams = 0
    /// How long it stays in reach after its last report or stream; nil if it is not in reach.
    fileprivate(set) var reach: Duration?
    fileprivate var launch: (request: LaunchRequest, expires: Instant)?

    var isInReach: Bool { reach != nil }
    var isConnected: Bool { streams > 0 }

    /// When it is no longer in reach; nil for never.
    fileprivate var reachEnd: Instant? { isConnected ? nil : reach.map { lastUse + $0 } }

    fileprivate func idle(at now: Instant) -> Duration { isConnected ? .zero : lastUse.duration(to: now) }
  }

  /// The ids of the phones that get a launch request.
  struct Launch: Equatable {
    /// Phones with an event stream.
    var delivered: [Int] = []
    /// Phones that get it if they open a stream soon.
    var waiting: [Int] = []
  }

  /// All phones, in the order of registration.
  private(set) var phones: [Phone] = []
  private var lastID = 0

  init() {}

  /// - Parameter saved: the phones of the previous run.
  init(_ saved: [SavedPhone], now: Instant) {
    phones = saved.prefix(Self.maximumPhones).map {
      Phone(id: $0.id, name: $0.name, key: $0.key, lastUse: now - $0.idle)
    }
    lastID = phones.map(\.id).max() ?? 0
    expire(now: now)
  }

  /// The phones to store for the next run. Reach is not stored, because it may change until then.
  func saved(now: Instant) -> [SavedPhone] {
    phones.map { SavedPhone(id: $0.id, name: $0.name, key: $0.key, idle: $0.idle(at: now)) }
  }

  // MARK: Registration

  /// Registers a phone.
  /// - Returns: its id; nil if the table is full.
  mutating func register(name: String, key: TokenKey, now: Instant) -> Int? {
    expire(now: now)
    if phones.count >= Self.maximumPhones {
      let candidates = phones.filter { !$0.isInReach && $0.idle(at: now) >= Self.displaceable }
      guard let oldest = candidates.min(by: { $0.lastUse < $1.lastUse }) else { return nil }
      forget(oldest.id)
    }
    lastID += 1
    phones.append(Phone(id: lastID, name: name, key: key, lastUse: now))
    return lastID
  }

  /// The id of the phone with a token; nil if it is unknown. Counts as contact.
  mutating func identify(_ key: TokenKey, now: Instant) -> Int? {
    expire(now: now)
    // Compare all, so that the time does not reveal a near match.
    let matches = phones.indices.filter { phones[$0].key.isSame(as: key) }
    guard let index = matches.first else { return nil }
    phones[index].lastUse = now
    return phones[index].id
  }

  mutating func forget(_ id: Int) { phones.removeAll { $0.id == id } }

  // MARK: Reach

  /// A phone has entered the region of the beacon.
  /// - Parameter time: how long it stays in reach without a further report.
  mutating func enter(_ id: Int, for time: Duration, now: Instant) {
    change(id) { phone in
      phone.lastUse = now
      phone.reach = time
    }
  }

  /// A phone has left the region.
  mutating func leave(_ id: Int) {
    change(id) { phone in
      phone.reach = nil
      phone.launch = nil
    }
  }

  /// A phone has opened an event stream.
  /// - Returns: a launch request that waited for it.
  mutating func connected(_ id: Int, now: Instant) -> LaunchRequest? {
    expire(now: now)
    var request: LaunchRequest?
    change(id) { phone in
      phone.lastUse = now
      phone.streams += 1
      request = phone.launch?.request
      phone.launch = nil
    }
    return request
  }

  /// An event stream of a phone has ended.
  mutating func disconnected(_ id: Int, now: Instant) {
    change(id) { phone in
      phone.lastUse = now
      phone.streams = max(0, phone.streams - 1)
    }
  }

  // MARK: Launch

  /// Asks the phones in reach to open a page. A later request replaces one that waits.
  /// - Parameter ids: nil for all that are in reach.
  mutating func launch(_ request: LaunchRequest, to ids: Set<Int>?, now: Instant) -> Launch {
    expire(now: now)
    var launch = Launch()
    for index in phones.indices where phones[index].isInReach && ids?.contains(phones[index].id) ?? true {
      if phones[index].isConnected {
        launch.delivered.append(phones[index].id)
      } else {
        launch.waiting.append(phones[index].id)
        phones[index].launch = (request, now + Self.launchLife)
      }
    }
    return launch
  }

  // MARK: Time

  /// Removes phones, reach and launch requests that have expired.
  mutating func expire(now: Instant) {
    phones.removeAll { $0.idle(at: now) >= Self.life }
    for index in phones.indices {
      if let end = phones[index].reachEnd, end <= now { phones[index].reach = nil }
      if !phones[index].isInReach || phones[index].launch.map({ $0.expires <= now }) ?? false {
        phones[index].launch = nil
      }
    }
  }

  /// When the next phone goes out of reach by timeout; nil for never. Forgetting phones needs no alarm.
  var nextDue: Instant? { phones.compactMap(\.reachEnd).min() }

  private mutating func change(_ id: Int, _ body: (inout Phone) -> Void) {
    guard let index = phones.firstIndex(where: { $0.id == id }) else { return }
    body(&phones[index])
  }
}

/// A request to open a page.
struct LaunchRequest: Sendable, Equatable {
  /// `http` or `https`, or a path on the speaker.
  let url: String
  let session: String
}

/// Decides when and how the advertisement is registered with BlueZ.
struct AdvertisementMachine: Equatable {
  /// The values of `LEAdvertisement1.Type`.
  enum Kind: String { case broadcast, peripheral }

  enum Event: Equatable {
    /// The path of an adapter that can advertise; nil if there is none.
    case adapter(String?)
    case registered
    /// BlueZ has refused the advertisement, with the D-Bus error of this name.
    case failed(String)
    /// BlueZ has ended the advertisement.
    case released
    /// The speaker has gone to standby, or come back. It is not advertised in standby.
    case standby(Bool)
    case timer
  }

  enum Action: Equatable {
    case register(adapter: String, Kind)
    /// Unregister the advertisement first: BlueZ still has it, for example after the adapter was switched off.
    case replace(adapter: String, Kind)
    /// End the advertisement. Ignore the reply to a registration that is under way.
    case unregister(adapter: String)
    /// Send `.timer` after this time.
    case wait(Duration)
    /// Whether BlueZ advertises now.
    case advertised(Bool)
    /// Log the problem. Not repeated while it stays the same.
    case report(Problem)
  }

  enum Problem: Equatable {
    /// Other programs use all advertisements that the adapter can send.
    case noInstanceFree
    case tooLong
    case refused(String)
  }

  private enum State: Equatable {
    case idle, registering, registered, waiting
  }

  private var state = State.idle
  private var adapter: String?
  private var isStandby = false
  /// Broadcast first: it sends nothing but the beacon's frame, and accepts no connections.
  private(set) var kind = Kind.broadcast
  /// Whether one kind was refused, so that the other one is tried.
  private var hasFallenBack = false
  /// Whether this attempt has already unregistered the old advertisement.
  private var hasReplaced = false
  /// Whether BlueZ has ended the advertisement before its reply to the registration was handled.
  private var wasReleasedEarly = false
  private var pauses = RetryPauses()
  private var reported: Problem?

  mutating func handle(_ event: Event) -> [Action] {
    switch event {
    case .adapter(let path): changeAdapter(path)
    case .registered: succeed()
    case .failed(let error): state == .registering ? fail(error) : []
    case .released: release()
    case .standby(let isStandby): changeStandby(isStandby)
    case .timer: state == .waiting ? register() : []
    }
  }

  private mutating func changeAdapter(_ path: String?) -> [Action] {
    guard path != adapter else { return [] }
    let ended: [Action] = state == .registered ? [.advertised(false)] : []
    adapter = path
    (kind, hasFallenBack) = (.broadcast, false)
    pauses.reset()
    return ended + register()
  }

  private mutating func changeStandby(_ isStandby: Bool) -> [Action] {
    guard isStandby != self.isStandby else { return [] }
    self.isStandby = isStandby
    guard isStandby else {
      pauses.reset()
      return register()
    }
    defer { state = .idle }
    switch state {
    case .registered: return [.advertised(false)] + (adapter.map { [.unregister(adapter: $0)] } ?? [])
    case .registering: return adapter.map { [.unregister(adapter: $0)] } ?? []
    case .idle, .waiting: return []
    }
  }

  private mutating func register() -> [Action] {
    guard let adapter, !isStandby else {
      state = .idle
      return []
    }
    (state, hasReplaced, wasReleasedEarly) = (.registering, false, false)
    return [.register(adapter: adapter, kind)]
  }

  private mutating func succeed() -> [Action] {
    guard state == .registering else { return [] }
    guard !wasReleasedEarly else { return retry() }
    (state, hasFallenBack, reported) = (.registered, false, nil)
    pauses.reset()
    return [.advertised(true)]
  }

  private mutating func release() -> [Action] {
    switch state {
    case .registered: return [.advertised(false)] + retry()
    case .registering: wasReleasedEarly = true
    case .idle, .waiting: break
    }
    return []
  }

  private mutating func fail(_ error: String) -> [Action] {
    let problem: Problem
    switch error {
    case "org.bluez.Error.NotPermitted": problem = .noInstanceFree
    case "org.bluez.Error.InvalidLength": problem = .tooLong
    case "org.bluez.Error.AlreadyExists" where !hasReplaced:
      (hasReplaced, wasReleasedEarly) = (true, false)
      return adapter.map { [.replace(adapter: $0, kind)] } ?? []
    default: problem = .refused(error)
    }
    // Some adapters refuse one kind (ukBaz/python-bluezero#271).
    if problem != .noInstanceFree {
      kind = kind == .broadcast ? .peripheral : .broadcast
      hasFallenBack.toggle()
      if hasFallenBack { return register() }
    }
    let report: [Action] = problem == reported ? [] : [.report(problem)]
    reported = problem
    return report + retry()
  }

  private mutating func retry() -> [Action] {
    state = .waiting
    return [.wait(pauses.next())]
  }
}

/// Decides the course of a pairing window.
struct PairingMachine: Equatable {
  enum Outcome: Sendable, Equatable {
    case paired(String)
    case timedOut
    case cancelled
    case failed(String)
  }

  enum Phase: Equatable {
    case opening
    case open
    /// Pairing with the device at this path. Discovery has ended.
    case pairing(String)
    case closed(Outcome)
  }

  enum Event: Equatable {
    /// The agent is registered and discovery runs.
    case opened
    case device(String, DeviceFacts)
    case removed(String)
    /// A person has chosen a device by number, name or address.
    case choose(String)
    /// The reply to `pair`; nil for success.
    case pairReply(String?)
    /// BlueZ asks through the agent.
    case question(String, PairingQuestion)
    /// BlueZ no longer waits for the answer.
    case questionCancelled
    case answer(Bool)
    case timer
    case cancel
    /// BlueZ or the adapter is missing, or refuses.
    case lost(String)
  }

  /// The properties of a device in an event. Nil means no change.
  struct DeviceFacts: Equatable {
    var address: String?
    var name: String?
    var icon: String?
    var isPaired: Bool?
  }

  enum Action: Equatable {
    case stopDiscovery
    case pair(String)
    case cancelPairing(String)
    /// Trust and connect it.
    case finish(String)
    /// Answer the question that BlueZ waits for.
    case reply(Bool)
    /// Send `.timer` after this time.
    case wait(Duration)
    /// Undo all changes to BlueZ.
    case close
  }

  static let window = Duration.seconds(30)
  private static let limit = 64

  private(set) var phase = Phase.opening
  private(set) var devices: [PairingDevice] = []
  private(set) var question: PairingQuestion?
  /// The path of the device that the question is about.
  private(set) var asker: String?
  /// The number, name or address of a device to pair as soon as it is found.
  private var wish: String?
  private var lastNumber = 0

  /// - Parameter wish: pairs this device as soon as it is found.
  init(wish: String? = nil) { self.wish = wish }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Devices to choose from.
  var listed: [PairingDevice] { devices.filter(\.isListed) }

  func device(_ path: String?) -> PairingDevice? { devices.first { $0.path == path } }

  mutating func handle(_ event: Event) -> [Action] {
    guard !isClosed else { return [] }
    switch event {
    case .opened:
      guard phase == .opening else { return [] }
      phase = .open
      return [.wait(Self.window)] + fulfilWish()
    case .device(let path, let facts): return note(path, facts)
    case .removed(let path):
      devices.removeAll { $0.path == path }
      return phase == .pairing(path) ? close(.failed("The device has gone.")) : []
    case .choose(let text):
      wish = text
      return fulfilWish()
    case .pairReply(let problem):
      guard case .pairing(let path) = phase else { return [] }
      if let problem { return close(.failed(problem)) }
      return succeed(path)
    case .question(let path, let question): return ask(path, question)
    case .questionCancelled:
      (question, asker) = (nil, nil)
      return []
    case .answer(let isYes): return answer(isYes)
    case .timer: return close(.timedOut)
    case .cancel: return close(.cancelled)
    case .lost(let problem): return close(.failed(problem))
    }
  }

  // MARK: Devices

  private mutating func note(_ path: String, _ facts: DeviceFacts) -> [Action] {
    var index = devices.firstIndex { $0.path == path }
    if index == nil {
      guard devices.count < Self.limit else { return [] }
      lastNumber += 1
      devices.append(PairingDevice(number: lastNumber, path: path))
      index = devices.indices.last
    }
    guard let index else { return [] }
    let wasPaired = devices[index].isPaired
    devices[index].address = facts.address ?? devices[index].address
    devices[index].name = facts.name ?? devices[index].name
    devices[index].icon = facts.icon ?? devices[index].icon
    devices[index].isPaired = facts.isPaired ?? wasPaired
    // The device has paired from its side, after a person has answered a question.
    if phase == .pairing(path), devices[index].isPaired, !wasPaired { return succeed(path) }
    return fulfilWish()
  }

  private mutating func fulfilWish() -> [Action] {
    guard phase == .open, let wish, let device = devices.first(where: { $0.matches(wish) }) else { return [] }
    self.wish = nil
    phase = .pairing(device.path)
    if device.isPaired { return [.stopDiscovery] + succeed(device.path) }
    // Restart the timeout: a person may have to type a number.
    return [.stopDiscovery, .wait(Self.window), .pair(device.path)]
  }

  // MARK: Questions

  private mutating func ask(_ path: String, _ question: PairingQuestion) -> [Action] {
    switch phase {
    case .opening, .closed: return question.needsAnswer ? [.reply(false)] : []
    case .pairing(let chosen) where chosen != path: return question.needsAnswer ? [.reply(false)] : []
    case .pairing where question == .authorize:
      // A person has chosen this device already.
      return [.reply(true)]
    case .pairing, .open: break
    }
    // One question at a time.
    guard self.question?.needsAnswer != true else { return question.needsAnswer ? [.reply(false)] : [] }
    (self.question, asker) = (question, path)
    return []
  }

  private mutating func answer(_ isYes: Bool) -> [Action] {
    guard let question, question.needsAnswer, let asker else { return [] }
    (self.question, self.asker) = (nil, nil)
    guard isYes, phase == .open else { return [.reply(isYes)] }
    phase = .pairing(asker)
    return [.reply(true), .stopDiscovery, .wait(Self.window)]
  }

  // MARK: The end

  private mutating func succeed(_ path: String) -> [Action] {
    let name = device(path)?.title ?? "the device"
    return [.finish(path)] + close(.paired(name))
  }

  private mutating func close(_ outcome: Outcome) -> [Action] {
    var actions: [Action] = []
    if question?.needsAnswer == true { actions.append(.reply(false)) }
    if case .pairing(let path) = phase, !outcome.isSuccess { actions.append(.cancelPairing(path)) }
    (phase, question, asker) = (.closed(outcome), nil, nil)
    return actions + [.close]
  }
}

extension PairingMachine.Outcome {
  fileprivate var isSuccess: Bool { if case .paired = self { true } else { false } }
}

/// Decides the course of a pairing window.
struct PairingMachine: Equatable {
  enum Outcome: Sendable, Equatable {
    case paired(String)
    case timedOut
    case cancelled
    /// The device could not be paired.
    case failed(String)
    /// Bluetooth does not work.
    case unavailable(String)
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
    /// A person has chosen a device by number, name or address. Ignored unless `canChoose`.
    case choose(String)
    /// The reply to `pair`; nil for success.
    case pairReply(String?)
    /// BlueZ asks something about the device at the path. Each request gets one `reply` with its number.
    case requested(Int, String, Request)
    /// The number that a person must type on the device at the path.
    case numberShown(String, String)
    /// BlueZ no longer waits for the answer.
    case requestCancelled
    case answer(Bool)
    case timer
    case cancel
    /// BlueZ or the adapter is missing, or refuses.
    case lost(String)
  }

  /// What BlueZ asks about a device.
  enum Request: Equatable {
    /// Does the device show this number?
    case confirmation(passkey: String)
    /// May it be paired?
    case authorization
    /// The PIN of a device from before Bluetooth 2.1 (2007), whichever side has begun the pairing.
    case pin
    /// May it use a service of this machine?
    case service
  }

  enum Reply: Equatable {
    case accept
    case pin(String)
    case reject
  }

  /// What an event says about a device. Nil means no change.
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
    /// Answer the request with this number.
    case reply(Int, Reply)
    /// Send `.timer` after this time.
    case wait(Duration)
    /// Undo all changes to BlueZ.
    case close
  }

  private struct Waiting: Equatable {
    let number: Int
    let consent: Reply
  }

  static let window = Duration.seconds(30)
  private static let limit = 64
  /// The PIN of devices that have a fixed one.
  static let fixedPIN = "0000"

  private(set) var phase = Phase.opening
  private(set) var devices: [PairingDevice] = []
  private(set) var question: PairingQuestion?
  /// The path of the device that `question` is about.
  private(set) var questionedDevice: String?
  /// The request that waits for a person's answer: its number, and the reply if the answer is yes.
  private var waiting: Waiting?
  /// The path of the device that a person has chosen or accepted. No other may pair or use services.
  private(set) var accepted: String?
  /// The number, name or address of a device to pair as soon as it is found.
  private var wantedDevice: String?
  private var lastNumber = 0

  /// - Parameter wantedDevice: pairs this device as soon as it is found.
  init(wantedDevice: String? = nil) { self.wantedDevice = wantedDevice }

  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Devices to choose from.
  var listed: [PairingDevice] { devices.filter(\.isListed) }

  /// Whether a person can choose a device now. A text that matches none, such as a mistyped number, does not replace the
  /// device to wait for.
  func canChoose(_ text: String) -> Bool { phase == .open && devices.contains { $0.matches(text) } }

  func device(_ path: String?) -> PairingDevice? { devices.first { $0.path == path } }

  mutating func handle(_ event: Event) -> [Action] {
    if case .requested(let number, let path, let request) = event { return ask(number, path, request) }
    guard !isClosed else { return [] }
    switch event {
    case .opened:
      guard phase == .opening else { return [] }
      phase = .open
      return [.wait(Self.window)] + pairWantedDevice()
    case .device(let path, let facts): return note(path, facts)
    case .removed(let path):
      devices.removeAll { $0.path == path }
      return phase == .pairing(path) ? close(.failed("The device has gone.")) : []
    case .choose(let text): return canChoose(text) ? pair(text) : []
    case .pairReply(let problem):
      guard case .pairing(let path) = phase else { return [] }
      if let problem { return close(.failed(problem)) }
      return succeed(path)
    case .requested: return []
    case .numberShown(let path, let number):
      guard waiting == nil, phase == .open || phase == .pairing(path) else { return [] }
      (question, questionedDevice) = (.type(passkey: number), path)
      return []
    case .requestCancelled: return refuse()
    case .answer(let isYes): return answer(isYes)
    case .timer: return close(.timedOut)
    case .cancel: return close(.cancelled)
    case .lost(let problem): return close(.unavailable(problem))
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
    return pairWantedDevice()
  }

  private mutating func pairWantedDevice() -> [Action] { wantedDevice.map { pair($0) } ?? [] }

  private mutating func pair(_ text: String) -> [Action] {
    guard phase == .open, let device = devices.first(where: { $0.matches(text) }) else { return [] }
    wantedDevice = nil
    (phase, accepted) = (.pairing(device.path), device.path)
    if device.isPaired { return [.stopDiscovery] + succeed(device.path) }
    // Restart the timeout: a person may have to type a number.
    return [.stopDiscovery, .wait(Self.window), .pair(device.path)]
  }

  // MARK: Requests

  private mutating func ask(_ number: Int, _ path: String, _ request: Request) -> [Action] {
    let consent = request == .pin ? Reply.pin(Self.fixedPIN) : .accept
    switch request {
    case .authorization, .pin, .service:
      if path == accepted { return [.reply(number, consent)] }
    case .confirmation: break
    }
    // One question at a time. A service follows a pairing, so the person has been asked before.
    guard request != .service, waiting == nil, phase == .open || phase == .pairing(path) else {
      return [.reply(number, .reject)]
    }
    (waiting, questionedDevice) = (Waiting(number: number, consent: consent), path)
    question = if case .confirmation(let passkey) = request { .confirm(passkey: passkey) } else { .authorize }
    return []
  }

  private mutating func answer(_ isYes: Bool) -> [Action] {
    guard isYes, let waiting, let questionedDevice else { return waiting == nil ? [] : refuse() }
    (self.waiting, question, self.questionedDevice) = (nil, nil, nil)
    let reply = Action.reply(waiting.number, waiting.consent)
    guard phase == .open else { return [reply] }
    (phase, accepted) = (.pairing(questionedDevice), questionedDevice)
    return [reply, .stopDiscovery, .wait(Self.window)]
  }

  /// Ends the question, and rejects the request that waits for its answer.
  private mutating func refuse() -> [Action] {
    defer { (waiting, question, questionedDevice) = (nil, nil, nil) }
    return waiting.map { [.reply($0.number, .reject)] } ?? []
  }

  // MARK: The end

  private mutating func succeed(_ path: String) -> [Action] {
    let name = device(path)?.title ?? "the device"
    return [.finish(path)] + close(.paired(name))
  }

  private mutating func close(_ outcome: Outcome) -> [Action] {
    var actions = refuse()
    if !outcome.isSuccess {
      if case .pairing(let path) = phase { actions.append(.cancelPairing(path)) }
      accepted = nil
    }
    phase = .closed(outcome)
    return actions + [.close]
  }
}

extension PairingMachine.Outcome {
  fileprivate var isSuccess: Bool { if case .paired = self { true } else { false } }
}

/// The agent that BlueZ asks while the window is open (doc/agent-api.txt of 5.66).
@CompanionActor final class PairingAgent {
  nonisolated static let path = "/org/swiftlet/pairing"
  /// A person sees numbers and answers yes or no. So a keyboard gets a number to type, a phone shows one to compare,
  /// and a remote control without any input needs neither.
  nonisolated static let capability = "DisplayYesNo"
  /// The PIN of devices from before Bluetooth 2.1 (2007), which have a fixed one.
  private nonisolated static let oldPIN = "0000"

  private let handle: @CompanionActor (PairingMachine.Event) -> Void
  private var waiting: CheckedContinuation<Bool, Never>?
  /// Devices that a person has accepted.
  private var accepted: Set<String> = []

  init(_ handle: @escaping @CompanionActor (PairingMachine.Event) -> Void) { self.handle = handle }

  deinit { waiting?.resume(returning: false) }

  /// Answers the question that BlueZ waits for.
  func reply(_ isYes: Bool) {
    let reply = waiting
    waiting = nil
    reply?.resume(returning: isYes)
  }

  var interface: BusInterface {
    let device = BusInterface.Argument("device", "o")
    return BusInterface(
      BluezName.agent,
      methods: [
        .init("Release") { _ throws(BusFault) in [] },
        .init("RequestPinCode", in: [device], out: [.init("pincode", "s")]) { _ throws(BusFault) in
          [.string(Self.oldPIN)]
        },
        .init("DisplayPinCode", in: [device, .init("pincode", "s")]) { [weak self] call throws(BusFault) in
          self?.show(call, call.arguments.last?.string ?? "")
          return []
        },
        // The window cannot enter a passkey, and its capability says so.
        .init("RequestPasskey", in: [device], out: [.init("passkey", "u")]) { _ throws(BusFault) in throw Self.rejected
        },
        .init(
          "DisplayPasskey", in: [device, .init("passkey", "u"), .init("entered", "q")]
        ) { [weak self] call throws(BusFault) in
          self?.show(call, Self.passkey(call))
          return []
        },
        .init("RequestConfirmation", in: [device, .init("passkey", "u")]) { [weak self] call throws(BusFault) in
          try await self?.ask(call, .confirm(passkey: Self.passkey(call))) ?? []
        },
        .init("RequestAuthorization", in: [device]) { [weak self] call throws(BusFault) in
          try await self?.ask(call, .authorize) ?? []
        },
        .init("AuthorizeService", in: [device, .init("uuid", "s")]) { [weak self] call throws(BusFault) in
          guard self?.accepted.contains(Self.device(call)) == true else { throw Self.rejected }
          return []
        },
        .init("Cancel") { [weak self] _ throws(BusFault) in
          self?.reply(false)
          self?.handle(.questionCancelled)
          return []
        },
      ])
  }

  private func show(_ call: BusCall, _ text: String) {
    accepted.insert(Self.device(call))
    handle(.question(Self.device(call), .type(passkey: String(text.prefix(16)))))
  }

  private func ask(_ call: BusCall, _ question: PairingQuestion) async throws(BusFault) -> [BusValue] {
    // BlueZ asks one question at a time.
    guard waiting == nil else { throw Self.rejected }
    let device = Self.device(call)
    let isYes = await withCheckedContinuation { continuation in
      waiting = continuation
      handle(.question(device, question))
    }
    guard isYes else { throw Self.rejected }
    accepted.insert(device)
    return []
  }

  private static func device(_ call: BusCall) -> String { call.arguments.first?.path ?? "" }

  /// The passkey as six digits.
  private static func passkey(_ call: BusCall) -> String {
    let digits = String(call.arguments.dropFirst().first?.integer ?? 0)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
  }

  private nonisolated static let rejected = BusFault("org.bluez.Error.Rejected", "This device is not accepted.")
}

/// The agent that BlueZ asks while the window is open (doc/agent-api.txt of 5.66).
///
/// It translates calls into events of `PairingMachine`, which decides.
@CompanionActor final class PairingAgent {
  nonisolated static let path = "/org/swiftlet/pairing"
  /// A person sees numbers and answers yes or no. So a keyboard gets a number to type, a phone shows one to compare,
  /// and a remote control without any input needs neither.
  nonisolated static let capability = "DisplayYesNo"

  private let handle: @CompanionActor (PairingMachine.Event) -> Void
  /// The calls that wait for a reply, by the number of their request.
  private var waiting: [Int: CheckedContinuation<PairingMachine.Reply, Never>] = [:]
  private var lastNumber = 0

  init(_ handle: @escaping @CompanionActor (PairingMachine.Event) -> Void) { self.handle = handle }

  /// Answers the call of BlueZ with this number.
  func reply(_ number: Int, _ reply: PairingMachine.Reply) {
    waiting.removeValue(forKey: number)?.resume(returning: reply)
  }

  var interface: BusInterface {
    let device = BusInterface.Argument("device", "o")
    return BusInterface(
      BluezName.agent,
      methods: [
        .init("Release") { _ throws(BusFault) in [] },
        .init("RequestPinCode", in: [device], out: [.init("pincode", "s")]) { [weak self] call throws(BusFault) in
          guard case .pin(let pin)? = await self?.ask(call, .pin) else { throw Self.rejected }
          return [.string(pin)]
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
          try await Self.check(self?.ask(call, .confirmation(passkey: Self.passkey(call))))
        },
        .init("RequestAuthorization", in: [device]) { [weak self] call throws(BusFault) in
          try await Self.check(self?.ask(call, .authorization))
        },
        .init("AuthorizeService", in: [device, .init("uuid", "s")]) { [weak self] call throws(BusFault) in
          try await Self.check(self?.ask(call, .service))
        },
        .init("Cancel") { [weak self] _ throws(BusFault) in
          self?.handle(.requestCancelled)
          return []
        },
      ])
  }

  private func show(_ call: BusCall, _ number: String) {
    handle(.numberShown(Self.device(call), String(number.prefix(16))))
  }

  private func ask(_ call: BusCall, _ request: PairingMachine.Request) async -> PairingMachine.Reply {
    lastNumber += 1
    let number = lastNumber
    return await withCheckedContinuation { continuation in
      waiting[number] = continuation
      handle(.requested(number, Self.device(call), request))
    }
  }

  /// - Returns: the empty result of an accepted call.
  private nonisolated static func check(_ reply: PairingMachine.Reply?) throws(BusFault) -> [BusValue] {
    guard reply == .accept else { throw rejected }
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

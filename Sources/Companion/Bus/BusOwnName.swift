/// Requests a name on the bus, with other names as fallback, until the bus grants one.
///
/// Repeats a refused request with growing pauses, because the bus does not announce a changed policy. Repeats it at once when
/// the owner of a taken name releases it.
@CompanionActor final class BusOwnName {
  typealias Reply = @CompanionActor (Result<[BusValue], BusError>) -> Void
  /// Sends RequestName with the arguments.
  typealias Send = @CompanionActor ([BusValue], @escaping Reply) -> Void
  /// Calls the body when the name loses its owner.
  typealias Watch = @CompanionActor (_ name: String, @escaping @CompanionActor @Sendable () -> Void) -> BusToken?

  private(set) var owned: String?
  private let candidates: [String]
  private let send: Send
  private let watch: Watch
  private let changed: @CompanionActor @Sendable (Result<String, BusError>?) -> Void
  private var pauses: RetryPauses
  private var retry: CompanionTimer?
  /// Only after a refusal.
  private var watches: [BusToken] = []
  private var isRequesting = false
  /// DBUS_NAME_FLAG_DO_NOT_QUEUE
  private static let doNotQueue: UInt32 = 4

  init(
    _ candidates: [String], pauses: RetryPauses, send: @escaping Send, watch: @escaping Watch,
    changed: @escaping @CompanionActor @Sendable (Result<String, BusError>?) -> Void
  ) {
    self.candidates = candidates
    self.pauses = pauses
    self.send = send
    self.watch = watch
    self.changed = changed
  }

  func request() {
    guard !isRequesting, owned == nil else { return }
    isRequesting = true
    request(candidates[...])
  }

  private func request(_ rest: ArraySlice<String>) {
    guard let name = rest.first else { return }
    send([.string(name), .uint32(Self.doNotQueue)]) { [weak self] result in
      guard let self else { return }
      switch result {
      // 1: owner now; 4: owner already.
      case .success([.uint32(1)]), .success([.uint32(4)]): granted(name)
      case .failure(.notConnected), .failure(.disconnected): isRequesting = false
      case .success where rest.count > 1: request(rest.dropFirst())
      case .success: refused(.remote(.failed("The name \(name) is taken.")))
      case .failure(let error): refused(error)
      }
    }
  }

  private func granted(_ name: String) {
    (isRequesting, owned) = (false, name)
    (retry, watches) = (nil, [])
    pauses.reset()
    changed(.success(name))
  }

  private func refused(_ error: BusError) {
    isRequesting = false
    if watches.isEmpty { watches = candidates.compactMap { watch($0) { [weak self] in self?.request() } } }
    retry = CompanionTimer(after: pauses.next()) { [weak self] in self?.request() }
    changed(.failure(error))
  }

  /// Called when the connection has ended. `request()` follows when there is another one.
  func lose() {
    retry = nil
    guard owned != nil else { return }
    owned = nil
    changed(nil)
  }
}

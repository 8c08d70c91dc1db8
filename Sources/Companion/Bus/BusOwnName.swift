/// Requests a name on the bus, with other names as fallback.
@CompanionActor final class BusOwnName {
  typealias Reply = @CompanionActor (Result<[BusValue], BusError>) -> Void

  private(set) var owned: String?
  private let candidates: [String]
  private let changed: @CompanionActor @Sendable (Result<String, BusError>?) -> Void
  /// DBUS_NAME_FLAG_DO_NOT_QUEUE
  private static let doNotQueue: UInt32 = 4

  init(_ candidates: [String], _ changed: @escaping @CompanionActor @Sendable (Result<String, BusError>?) -> Void) {
    self.candidates = candidates
    self.changed = changed
  }

  /// - Parameter send: sends RequestName with the arguments.
  func request(_ send: @escaping @CompanionActor ([BusValue], @escaping Reply) -> Void) {
    request(candidates[...], send)
  }

  private func request(
    _ rest: ArraySlice<String>, _ send: @escaping @CompanionActor ([BusValue], @escaping Reply) -> Void
  ) {
    guard let name = rest.first else { return }
    send([.string(name), .uint32(Self.doNotQueue)]) { [weak self] result in
      guard let self else { return }
      switch result {
      // 1: owner now; 4: owner already.
      case .success([.uint32(1)]), .success([.uint32(4)]):
        owned = name
        changed(.success(name))
      case .failure(.notConnected), .failure(.disconnected): break
      case .success where rest.count > 1: request(rest.dropFirst(), send)
      case .success: changed(.failure(.remote(.failed("The name \(name) is taken."))))
      case .failure(let error): changed(.failure(error))
      }
    }
  }

  /// Called when the connection has ended.
  func lose() {
    guard owned != nil else { return }
    owned = nil
    changed(nil)
  }
}

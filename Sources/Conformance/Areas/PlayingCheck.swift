extension Check {
  /// A check that plays through AVTransport.
  static func playing(
    _ id: String, _ requirement: String, area: Area = .playback, mode: Mode = .standard, limit: Duration? = nil,
    source: String, needs prerequisites: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (TransportDriver) async throws(Finding) -> Void
  ) -> Check {
    Check(
      id, area, .practice, requirement, source: source,
      needs: [.service(TransportDriver.service), .service("ConnectionManager")] + prerequisites, changes: [.transport],
      mode: mode, limit: limit, steps: steps
    ) { context async throws(Finding) in try await procedure(context.transport) }
  }
}

extension Prerequisite {
  /// An action of AVTransport.
  static func transport(_ action: String) -> Prerequisite { .action(TransportDriver.service, action) }

  static let transportEvents = Prerequisite.eventsOf(TransportDriver.service)
}

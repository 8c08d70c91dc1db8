extension Check {
  /// A check that plays through AVTransport.
  static func playing(
    _ id: String, _ requirement: String, area: Area = .playback, source: String,
    needs prerequisites: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (TransportDriver) async throws(Finding) -> Void
  ) -> Check {
    Check(
      id, area, .practice, requirement, source: source,
      needs: [.service(TransportDriver.service), .service("ConnectionManager")] + prerequisites, changes: [.transport],
      steps: steps
    ) { context async throws(Finding) in try await procedure(context.transport) }
  }
}

extension Prerequisite {
  /// An action of AVTransport.
  static func transport(_ action: String) -> Prerequisite { .action(TransportDriver.service, action) }

  static let transportEvents = Prerequisite.eventsOf(TransportDriver.service)
}

/// Keeps a subscription, watch, export or name of a `Bus` until it is cancelled or released.
package final class BusToken: Sendable {
  private let end: @CompanionActor @Sendable () -> Void

  init(_ end: @escaping @CompanionActor @Sendable () -> Void) { self.end = end }

  @CompanionActor package func cancel() { end() }

  deinit {
    let end = end
    Task { @CompanionActor in end() }
  }
}

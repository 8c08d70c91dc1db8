import UPnP

/// The events of a service as an asynchronous sequence.
///
/// ```swift
/// for await event in transport.events() {
///   if case .change(let state, _) = event { print(state) }
/// }
/// ```
///
/// Each iteration has a subscription of its own. It begins with the first call of `next`, renews itself, and ends when the
/// loop is left, the task is cancelled, or the control point stops. A slow loop gets changes merged per variable.
public struct ServiceEvents<Values: EventedValues>: AsyncSequence, Sendable {
  public typealias Element = ServiceEvent<Values>
  public typealias Failure = Never

  let service: RemoteService
  let policy: EventPolicy

  public func makeAsyncIterator() -> Iterator { Iterator(WatcherHandle(service, policy)) }

  public struct Iterator: AsyncIteratorProtocol {
    private let handle: WatcherHandle
    private var state = Values()
    private var isStarted = false

    fileprivate init(_ handle: WatcherHandle) { self.handle = handle }

    public mutating func next() async -> ServiceEvent<Values>? { await next(isolation: nil) }

    /// - Returns: nil after the task was cancelled, and when the control point stops.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> ServiceEvent<Values>? {
      if !isStarted {
        isStarted = true
        await handle.start()
      }
      switch await handle.next() {
      case nil: return nil
      case .initial(let variables):
        state = Values()
        for variable in variables { _ = state.set(variable) }
        return .initial(state)
      case .change(let variables):
        var changes = Values()
        for variable in variables where changes.set(variable) { _ = state.set(variable) }
        return .change(state: state, changes: changes)
      case .missed(let count): return .missed(count)
      case .lapsed(let reason): return .lapsed(reason)
      }
    }
  }
}

/// Ends the subscription when the last copy of its iterator is gone.
private final class WatcherHandle: Sendable {
  private let service: RemoteService
  private let policy: EventPolicy
  private let mailbox = EventMailbox()

  init(_ service: RemoteService, _ policy: EventPolicy) {
    self.service = service
    self.policy = policy
  }

  deinit { leave() }

  func start() async { await service.controlPoint.watch(service.description, service.scpd, policy, mailbox) }

  func next() async -> EventElement? {
    await withTaskCancellationHandler {
      await mailbox.next()
    } onCancel: {
      leave()
    }
  }

  private func leave() {
    mailbox.finish()
    Task { [service, mailbox] in await service.controlPoint.endWatch(mailbox) }
  }
}

extension RemoteService {
  /// The evented variables as text, for services without a generated client.
  public func events(_ policy: EventPolicy = .standard) -> ServiceEvents<EventedVariables> {
    ServiceEvents(service: self, policy: policy)
  }
}

extension ServiceClient {
  /// The evented variables: the initial state, changes, gaps and lapses.
  public func events(_ policy: EventPolicy = .standard) -> ServiceEvents<Values> {
    ServiceEvents(service: service, policy: policy)
  }
}

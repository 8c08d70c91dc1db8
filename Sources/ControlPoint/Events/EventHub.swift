import Logging
import NIOCore
import UPnP

/// The watchers of a control point, and the listener that they share. Used on its event loop only.
final class EventHub {
  /// Time limit of `stop` for requests that are unanswered, including those that end the subscriptions.
  private static let stopTimeout = TimeAmount.seconds(3)

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let listener: EventListener
  private let requests: EventRequests
  private var watchers: [ObjectIdentifier: EventWatcher] = [:]
  /// BOOTIDs of the devices that were announced, by UDN.
  private var bootIDs: [String: Int?] = [:]
  private var whenStopped: EventLoopPromise<Void>?

  init(eventLoop: any EventLoop, logger: Logger, requests: EventRequests) {
    self.eventLoop = eventLoop
    self.logger = logger
    self.requests = requests
    listener = EventListener(eventLoop: eventLoop, logger: logger)
  }

  /// Starts to watch a service, until the mailbox is finished and `end` is called.
  func begin(
    _ service: DeviceDescription.Service, _ scpd: ServiceDescription, _ policy: EventPolicy, _ mailbox: EventMailbox
  ) {
    guard whenStopped == nil else { return mailbox.finish() }
    // The watcher left before the watch began.
    guard !mailbox.isFinished else { return }
    let number = ObjectIdentifier(mailbox)
    let watcher = EventWatcher(
      service, plan: PollPlan(scpd), policy: policy, mailbox: mailbox, eventLoop: eventLoop, listener: listener,
      logger: logger, requests: requests)
    watcher.onEnd = { [weak self] in self?.remove(number) }
    watchers[number] = watcher
    watcher.start()
  }

  /// Ends the subscription.
  func end(_ mailbox: EventMailbox) { watchers[ObjectIdentifier(mailbox)]?.leave() }

  private func remove(_ number: ObjectIdentifier) {
    watchers[number] = nil
    if watchers.isEmpty { whenStopped?.succeed() }
  }

  /// Ends all subscriptions.
  /// - Returns: completes when all devices have answered, or after three seconds.
  func stop() -> EventLoopFuture<Void> {
    if let whenStopped { return whenStopped.futureResult }
    let promise = eventLoop.makePromise(of: Void.self)
    whenStopped = promise
    for watcher in Array(watchers.values) { watcher.leave() }
    if watchers.isEmpty { promise.succeed() }
    let timeout = eventLoop.scheduleTask(in: Self.stopTimeout) { promise.succeed() }
    promise.futureResult.whenComplete { _ in timeout.cancel() }
    return promise.futureResult
  }

  // MARK: Hints

  func deviceChanged(_ change: DeviceTable.Change) {
    switch change {
    case .gone(let device, _):
      bootIDs[device.udn] = nil
      hint(.departed, device)
    case .seen(let device):
      let former = bootIDs.updateValue(device.bootID, forKey: device.udn)
      if let former {
        if former != device.bootID { hint(.restarted, device) }
      } else {
        hint(.appeared, device)
      }
    }
  }

  private func hint(_ hint: SubscriptionMachine.Hint, _ device: DiscoveredDevice) {
    for watcher in Array(watchers.values) where watcher.host == device.location.host { watcher.hint(hint) }
  }

  func networkChanged() { for watcher in Array(watchers.values) { watcher.networkChanged() } }
}

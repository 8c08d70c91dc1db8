import Logging
import NIOCore
import UPnP

/// Announces the devices on every interface in use and answers searches for them (UDA 1.1 §1).
///
/// Used on its event loop only.
final class SSDPServer {
  /// Pause before sockets that failed are opened again.
  private static let retryDelay = TimeAmount.seconds(5)

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let writer: SSDPWriter
  private let group: SocketAddress?
  private var schedule: SSDPSchedule
  private var responder: SearchResponder
  /// Two queues, so that a flood in one does not delay the other.
  private var onLinkAnswers = AnswerQueue(.onLink)
  private var offLinkAnswers = AnswerQueue(.offLink)
  private var links: [NetworkInterface.ID: SSDPLink] = [:]
  private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
  private var retry: Scheduled<Void>?
  private var stopped: EventLoopPromise<Void>?
  private var left: EventLoopPromise<Void>?
  private var random = SystemRandomNumberGenerator()
  /// Called when BOOTID.UPNP.ORG changes. Store it: the next run must start with a higher one.
  var onBootID: ((Int) -> Void)?
  /// Called once, after the first complete announcement.
  var onAnnounced: (() -> Void)?

  /// - Parameters:
  ///   - eventLoop: runs the timers and sockets; call every method on it.
  ///   - advertisements: the root devices.
  init(
    eventLoop: any EventLoop, advertisements: [Advertisement], settings: SSDPSettings, logger: Logger
  ) {
    self.eventLoop = eventLoop
    self.logger = logger
    writer = SSDPWriter(settings: settings)
    group = try? SocketAddress(ipAddress: SSDPWriter.group, port: SSDPWriter.port)
    schedule = SSDPSchedule(devices: advertisements, maxAge: settings.maxAge, bootID: settings.bootID)
    responder = SearchResponder(devices: advertisements)
  }

  /// The current BOOTID.UPNP.ORG.
  var bootID: Int { schedule.bootID }

  /// Announces on an interface that appeared, or leaves one that vanished.
  func use(_ change: InterfaceChange) {
    guard stopped == nil else { return }
    switch change {
    case .appeared(let interface):
      if links[interface.id] == nil { open(interface) }
      changeSchedule { $0.add(interface.id, now: $1) }
    case .vanished(let interface, let canSend):
      dropAnswers { $0.interface == interface.id }
      changeSchedule { $0.remove(interface.id, canSend: canSend, now: $1) }
    }
  }

  /// Announces changed devices with the next BOOTID (UDA 1.1 §1.2.4). If a description changed, its configID must differ.
  func update(_ advertisements: [Advertisement]) {
    guard stopped == nil else { return }
    responder.devices = advertisements
    changeSchedule { $0.update(advertisements, now: $1) }
  }

  /// Sends byebye and leaves every interface, until `use(_:)` names one again.
  /// - Returns: succeeds after the last byebye, within a fraction of a second, also if an interface is used again before.
  func leave() -> EventLoopFuture<Void> {
    guard stopped == nil else { return eventLoop.makeSucceededVoidFuture() }
    let promise = left ?? eventLoop.makePromise(of: Void.self)
    left = promise
    dropAnswers { _ in true }
    changeSchedule { $0.stop(now: $1) }
    return promise.futureResult
  }

  /// Sends byebye and closes every interface. The server cannot be started again.
  /// - Returns: succeeds after the last byebye, within a fraction of a second.
  func stop() -> EventLoopFuture<Void> {
    if let stopped { return stopped.futureResult }
    let promise = eventLoop.makePromise(of: Void.self)
    stopped = promise
    retry?.cancel()
    dropAnswers { _ in true }
    changeSchedule { $0.stop(now: $1) }
    return promise.futureResult
  }

  private func changeSchedule(_ change: (inout SSDPSchedule, NIODeadline) -> Void) {
    let before = schedule.bootID
    change(&schedule, .now())
    if schedule.bootID != before { onBootID?(schedule.bootID) }
    run()
  }

  private func open(_ interface: NetworkInterface) {
    let id = interface.id
    let link = SSDPLink(
      interface, eventLoop: eventLoop, logger: logger,
      onDatagram: { [weak self] in self?.receive($0, on: id) }, onLoss: { [weak self] in self?.retryLater() })
    links[id] = link
    if !link.open(ttl: writer.settings.multicastTTL) { retryLater() }
  }

  private func retryLater() {
    guard retry == nil, stopped == nil else { return }
    retry = eventLoop.assumeIsolated().scheduleTask(in: Self.retryDelay) { [weak self] in
      guard let self else { return }
      retry = nil
      var isComplete = true
      for link in links.values where !link.open(ttl: writer.settings.multicastTTL) { isComplete = false }
      if !isComplete { retryLater() }
    }
  }

  private func receive(_ datagram: SSDPLink.Datagram, on id: NetworkInterface.ID) {
    let now = NIODeadline.now()
    guard let interface = links[id]?.interface, let answersFrom = schedule.answersFrom(id),
      let searcher = IPAddress(datagram.sender), let port = datagram.sender.port, port > 0
    else { return }
    let isOnLink = interface.network?.contains(searcher) ?? false
    // Ignores unicast searches from outside the site, whose addresses are most likely forged.
    guard datagram.delivery == .multicast || isOnLink || searcher.isLocalIPv4,
      let message = SSDPMessage(datagram.bytes.readableBytesView),
      let request = SearchRequest(message, delivery: datagram.delivery)
    else { return }
    for found in responder.answers(to: request, random: &random) {
      let answer = AnswerQueue.Answer(
        announcement: found.announcement, searcher: datagram.sender, interface: id,
        deadline: max(now, answersFrom) + request.patience)
      let due = max(now + found.delay, answersFrom)
      if isOnLink { onLinkAnswers.add(answer, at: due) } else { offLinkAnswers.add(answer, at: due) }
    }
    run()
  }

  private func dropAnswers(where condition: (AnswerQueue.Answer) -> Bool) {
    onLinkAnswers.removeAll(where: condition)
    offLinkAnswers.removeAll(where: condition)
  }

  /// Performs the actions that are due and sets the timer for the next deadline.
  private func run() {
    let now = NIODeadline.now()
    let hadAnnounced = schedule.hasAnnounced
    for action in schedule.due(now) { perform(action) }
    if schedule.hasAnnounced, !hadAnnounced { onAnnounced?() }
    onLinkAnswers.send(at: now, send)
    offLinkAnswers.send(at: now, send)
    if schedule.isIdle { stopped?.succeed() }
    if !schedule.isLeaving {
      left?.succeed()
      left = nil
    }
    let next = [schedule.next, onLinkAnswers.next, offLinkAnswers.next].compactMap(\.self).min()
    guard timer?.deadline != next else { return }
    timer?.task.cancel()
    timer = next.map { deadline in
      let task = eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [weak self] in
        self?.timer = nil
        self?.run()
      }
      return (deadline, task)
    }
  }

  /// Sends an answer and returns its size in bytes.
  private func send(_ answer: AnswerQueue.Answer) -> Int {
    let text = writer.response(
      answer.announcement, bootID: schedule.bootID, address: answer.interface.address, date: HTTPDate.now())
    links[answer.interface]?.send(text, to: answer.searcher)
    return text.utf8.count
  }

  private func perform(_ action: SSDPSchedule.Action) {
    switch action {
    case .send(let notification, let announcement, let id):
      guard let group else { return }
      links[id]?.send(writer.notify(notification, announcement, address: id.address), to: group)
    case .rejoin(let id): links[id]?.rejoin()
    case .close(let id): links.removeValue(forKey: id)?.close()
    }
  }
}

import Logging
import NIOCore

/// Announces the devices on every interface in use and answers searches for them (UDA 1.1 §1).
///
/// Lives on its event loop, and is to be called there only.
public final class SSDPServer {
  /// Pending answers beyond this are not taken on: nobody can make us hold more.
  private static let maxPendingAnswers = 4096
  /// How long until sockets that could not be opened, or that broke, are tried again.
  private static let retryDelay = TimeAmount.seconds(5)

  private struct Answer {
    var announcement: Announcement
    var asker: SocketAddress
    var interface: NetworkInterface.ID
  }

  private let eventLoop: any EventLoop
  private let logger: Logger
  private let writer: SSDPWriter
  private let group: SocketAddress?
  private var schedule: SSDPSchedule
  private var responder: SearchResponder
  private var limiter = SearchRateLimiter()
  private var answers = Agenda<Answer>()
  private var links: [NetworkInterface.ID: SSDPLink] = [:]
  private var timer: (deadline: NIODeadline, task: Scheduled<Void>)?
  private var retry: Scheduled<Void>?
  private var stopped: EventLoopPromise<Void>?
  private var random = SystemRandomNumberGenerator()
  /// Told whenever BOOTID.UPNP.ORG goes up, so that it can be kept for the next run.
  public var onBootID: ((Int) -> Void)?
  /// Told once, when everything has been announced for the first time.
  public var onAnnounced: (() -> Void)?

  /// - Parameters:
  ///   - eventLoop: the one that it is called on, and on which it runs its timers and sockets.
  ///   - advertisements: the root devices.
  public init(
    eventLoop: any EventLoop, advertisements: [Advertisement], settings: SSDPSettings, logger: Logger
  ) {
    self.eventLoop = eventLoop
    self.logger = logger
    writer = SSDPWriter(settings: settings)
    group = try? SocketAddress(ipAddress: SSDPWriter.group, port: SSDPWriter.port)
    schedule = SSDPSchedule(devices: advertisements, maxAge: settings.maxAge, bootID: settings.bootID)
    responder = SearchResponder(devices: advertisements)
  }

  /// BOOTID.UPNP.ORG as it is announced now.
  public var bootID: Int { schedule.bootID }

  /// Announces on an interface that is there now, or leaves one.
  public func use(_ change: InterfaceChange) {
    guard stopped == nil else { return }
    switch change {
    case .appeared(let interface):
      if links[interface.id] == nil { open(interface) }
      changeSchedule { $0.add(interface.id, now: $1) }
    case .vanished(let interface, let canSend):
      answers.removeAll { $0.interface == interface.id }
      changeSchedule { $0.remove(interface.id, canSend: canSend, now: $1) }
    }
  }

  /// Announces the devices anew with the next BOOTID (UDA 1.1 §1.2.4): they have changed, their descriptions too if their
  /// configID is another.
  public func update(_ advertisements: [Advertisement]) {
    guard stopped == nil else { return }
    responder.devices = advertisements
    changeSchedule { $0.update(advertisements, now: $1) }
  }

  /// Leaves every interface, after which nothing can be done with this object.
  /// - Returns: done once the last byebye is sent, in a fraction of a second.
  public func stop() -> EventLoopFuture<Void> {
    if let stopped { return stopped.futureResult }
    let promise = eventLoop.makePromise(of: Void.self)
    stopped = promise
    retry?.cancel()
    answers.removeAll { _ in true }
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
      let asker = datagram.sender.ipAddress, let port = datagram.sender.port, port > 0,
      datagram.delivery == .multicast || isNear(asker, to: interface),
      let message = SSDPMessage(datagram.bytes.readableBytesView),
      let request = SearchRequest(message, delivery: datagram.delivery)
    else { return }
    let found = responder.answers(to: request, random: &random)
    guard !found.isEmpty, answers.count + found.count <= Self.maxPendingAnswers, limiter.admit(asker, at: now)
    else { return }
    for answer in found {
      answers.add(
        Answer(announcement: answer.announcement, asker: datagram.sender, interface: id),
        at: max(now + answer.delay, answersFrom))
    }
    run()
  }

  /// Whether a unicast search comes from the network that we are on, or from within the site. Those from elsewhere carry
  /// a forged address more often than not, whose owner would get our answers.
  private func isNear(_ asker: String, to interface: NetworkInterface) -> Bool {
    guard let address = IPAddress(asker) else { return false }
    return address.isLocalIPv4 || interface.network?.contains(address) ?? false
  }

  /// Does what is due and sets the timer for what comes next.
  private func run() {
    let now = NIODeadline.now()
    let hadAnnounced = schedule.hasAnnounced
    for action in schedule.due(now) { perform(action) }
    if schedule.hasAnnounced, !hadAnnounced { onAnnounced?() }
    var date: String?
    while let answer = answers.popDue(now) {
      let text = date ?? HTTPDate.now()
      date = text
      links[answer.interface]?.send(
        writer.response(
          answer.announcement, bootID: schedule.bootID, address: answer.interface.address, date: text),
        to: answer.asker)
    }
    if schedule.isIdle { stopped?.succeed() }
    let next = [schedule.next, answers.next].compactMap { $0 }.min()
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

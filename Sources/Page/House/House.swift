import ControlPoint
import Logging
import NIOCore
import UPnP

/// Finds the devices in the house while a page shows them. Otherwise there is no control point, and no socket.
///
/// An actor on the event loop.
actor House {
  /// The kinds of devices that pages show.
  enum Interest: Hashable, CaseIterable {
    case servers, speakers
  }

  /// Maximum descriptions that are read at the same time.
  private static let parallelReads = 8
  /// Maximum number of devices. A description is a few kilobytes, but may be up to a megabyte.
  private static let maximumDevices = 256
  /// Time until most devices have answered the first search (MX is 1 s).
  private static let searchTime = TimeAmount.milliseconds(1500)
  /// Time until slow devices, too, have answered and been read.
  private static let patience = TimeAmount.seconds(5)
  /// Delays before a description is read again. A device that was just switched on announces itself before it answers.
  private static let retryDelays: [TimeAmount] = [.seconds(2), .seconds(10)]

  private let settings: HouseSettings
  private let eventLoop: any EventLoop
  private let executor: any SerialExecutor
  private let logger: Logger
  private var keepAlive: [Interest: KeepAlive] = [:]
  private var run: Run?
  private var alarm: Scheduled<Void>?
  private var observers: [@Sendable () -> Void] = []
  private var isStopped = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The state of one control point, from its start to its end.
  private struct Run {
    let id: Int
    let controlPoint: UPnPControlPoint
    let task: Task<Void, Never>
    let began: NIODeadline
    var devices: [String: DiscoveredDevice] = [:]
    var descriptions: [String: DeviceDescription] = [:]
    let reads = TaskLimiter(limit: parallelReads, waitingLimit: maximumDevices)
  }

  private var runs = 0

  init(settings: HouseSettings, eventLoop: any EventLoop, logger: Logger) {
    self.settings = settings
    self.eventLoop = eventLoop
    executor = eventLoop.executor
    self.logger = logger
  }

  // MARK: What pages show

  func pageOpened(_ interest: Interest) {
    keepAlive[interest, default: KeepAlive()].pageOpened()
    update()
  }

  func pageClosed(_ interest: Interest) {
    keepAlive[interest, default: KeepAlive()].pageClosed(now: .now())
    update()
  }

  func requested(_ interest: Interest) {
    keepAlive[interest, default: KeepAlive()].requested(now: .now())
    update()
  }

  func isNeeded(_ interest: Interest) -> Bool { !isStopped && keepAlive[interest]?.isNeeded(now: .now()) ?? false }

  /// Calls the body on the event loop when devices have appeared, changed or gone, and when an interest begins or ends.
  func observe(_ body: @escaping @Sendable () -> Void) { observers.append(body) }

  // MARK: Devices

  /// The control point while it runs.
  var controlPoint: UPnPControlPoint? { run?.controlPoint }

  /// The descriptions of all devices, in a stable order.
  var descriptions: [DeviceDescription] {
    (run?.descriptions ?? [:]).sorted { $0.key < $1.key }.map(\.value)
  }

  /// Waits until a search that has just begun has found most devices.
  func settle() async {
    guard let run else { return }
    let remaining = run.began + Self.searchTime - .now()
    if remaining > .zero { try? await Task.sleep(for: .nanoseconds(remaining.nanoseconds)) }
  }

  /// Whether the control point has begun so recently that a device may still be missing.
  var isSearching: Bool { run.map { .now() < $0.began + Self.patience } ?? false }

  /// Ends the control point for good. Takes at most three seconds.
  func stop() async {
    isStopped = true
    alarm?.cancel()
    await end()?.value
  }

  // MARK: Life cycle

  private func update() {
    let now = NIODeadline.now()
    let isNeeded = Interest.allCases.contains { self.isNeeded($0) }
    if isNeeded, run == nil { begin() } else if !isNeeded { end() }
    alarm?.cancel()
    alarm = keepAlive.values.compactMap { $0.deadline(now: now) }.min().map { deadline in
      eventLoop.scheduleTask(deadline: deadline) { [weak self] in self?.assumeIsolated { $0.update() } }
    }
    notify()
  }

  private func begin() {
    var quiet = logger
    // Log less: the device host has logged the interfaces already.
    quiet.logLevel = max(logger.logLevel, .notice)
    let controlPoint = UPnPControlPoint(
      settings: ControlPointSettings(settings), eventLoop: eventLoop, logger: quiet)
    runs += 1
    let id = runs
    let task = Task { [weak self, logger] in
      do throws(ControlPointError) {
        try await controlPoint.start()
      } catch {
        logger.warning("Cannot search for other devices: \(error)")
      }
      for await change in await controlPoint.devices(.rootDevice) {
        guard let self else { return }
        await self.handle(change, of: id)
      }
    }
    run = Run(id: id, controlPoint: controlPoint, task: task, began: .now())
    logger.debug("Searching for servers and speakers")
  }

  @discardableResult
  private func end() -> Task<Void, Never>? {
    guard let run else { return nil }
    self.run = nil
    run.task.cancel()
    logger.debug("No page shows servers or speakers any more")
    let controlPoint = run.controlPoint
    return Task { await controlPoint.stop() }
  }

  private func notify() { for observer in observers { observer() } }

  // MARK: Descriptions

  private func handle(_ change: DiscoveryChange, of id: Int) {
    guard var run, run.id == id else { return }
    switch change {
    case .appeared(let device), .updated(let device):
      guard run.devices[device.udn] != nil || run.devices.count < Self.maximumDevices else { return }
      run.devices[device.udn] = device
      self.run = run
      read(device, of: id)
    case .gone(let device, _):
      run.devices[device.udn] = nil
      let wasKnown = run.descriptions.removeValue(forKey: device.udn) != nil
      self.run = run
      if wasKnown { notify() }
    }
  }

  private func read(_ device: DiscoveredDevice, of id: Int, attempt: Int = 0) {
    guard let run, isWanted(device, id) else { return }
    Task {
      guard await run.reads.enter() else { return }
      defer { run.reads.leave() }
      guard isWanted(device, id) else { return }
      let result: Result<DeviceDescription, ControlPointError>
      do throws(ControlPointError) {
        result = .success(try await run.controlPoint.description(at: device.location))
      } catch {
        result = .failure(error)
      }
      finish(device, result, of: id, attempt)
    }
  }

  /// Whether the device is still there, at the same address.
  private func isWanted(_ device: DiscoveredDevice, _ id: Int) -> Bool {
    run?.id == id && run?.devices[device.udn]?.location == device.location
  }

  private func finish(
    _ device: DiscoveredDevice, _ result: Result<DeviceDescription, ControlPointError>, of id: Int, _ attempt: Int
  ) {
    guard isWanted(device, id) else { return }
    switch result {
    case .success(let description):
      guard run?.descriptions.updateValue(description, forKey: device.udn) != description else { return }
      notify()
    case .failure(let error):
      logger.debug("The description at \(device.location): \(error)")
      guard attempt < Self.retryDelays.count else { return }
      eventLoop.scheduleTask(in: Self.retryDelays[attempt]) { [weak self] in
        self?.assumeIsolated { $0.read(device, of: id, attempt: attempt + 1) }
      }
    }
  }
}

import Glibc

/// Reads one open device and fires the triggers of its keys, until the device is gone.
@CompanionActor final class ButtonPad {
  /// Bytes per read: 64 records.
  private static let batch = 64 * 24
  /// Maximum reads per turn of the loop, so that a device that never pauses cannot starve the other companions.
  private static let maximumReads = 16

  private let node: InputNode
  private var bank: ButtonBank
  private var events = InputEvents()
  private let fire: @CompanionActor (ButtonBank.Firing) -> Void
  private let ended: @CompanionActor () -> Void
  private var watch: DescriptorWatch?
  private var timer: (deadline: ContinuousClock.Instant, timer: CompanionTimer)?

  /// - Parameters:
  ///   - bindings: the bindings of this device.
  ///   - ended: called once when the device is gone; not after `stop()`.
  init(
    node: InputNode, bindings: [ButtonBinding], fire: @escaping @CompanionActor (ButtonBank.Firing) -> Void,
    ended: @escaping @CompanionActor () -> Void
  ) {
    self.node = node
    bank = ButtonBank(bindings)
    self.fire = fire
    self.ended = ended
    watch = DescriptorWatch(node.descriptor, events: POLLIN) { [weak self] _ in self?.ready() }
  }

  /// Closes the device.
  func stop() {
    guard watch != nil else { return }
    watch?.cancel()
    (watch, timer) = (nil, nil)
    node.close()
  }

  private func ready() {
    guard watch != nil else { return }
    let isThere = read()
    schedule()
    guard !isThere else { return }
    let last = bank.reset()
    stop()
    for firing in last { fire(firing) }
    ended()
  }

  /// - Returns: whether the device is still there.
  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: Self.batch)
    for _ in 0..<Self.maximumReads {
      let count = Glibc.read(node.descriptor, &buffer, buffer.count)
      if count < 0 { return errno == EAGAIN || errno == EINTR }
      if count == 0 { return false }
      for item in events.read(buffer[..<count], now: node.now, instant: .now) { use(item) }
      if count < buffer.count { return true }
    }
    return true
  }

  private func use(_ item: InputEvents.Item) {
    switch item {
    case .change(let change): fireAll(bank.change(change))
    case .lost: if let down = node.downKeys() { fireAll(bank.synchronize(down: down, at: .now)) }
    }
  }

  private func fireAll(_ firings: [ButtonBank.Firing]) { for firing in firings { fire(firing) } }

  private func schedule() {
    guard let deadline = bank.deadline, watch != nil else {
      timer = nil
      return
    }
    guard timer?.deadline != deadline else { return }
    timer = (
      deadline,
      CompanionTimer(at: deadline) { [weak self] in
        guard let self, watch != nil else { return }
        timer = nil
        // Read first: events in the device's buffer happened before the deadline.
        ready()
        guard watch != nil else { return }
        fireAll(bank.advance(to: .now))
        schedule()
      }
    )
  }
}

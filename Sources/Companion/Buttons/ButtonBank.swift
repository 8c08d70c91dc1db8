/// Decides which triggers the keys of one device fire. Pure: changes of keys and times in, triggers out.
struct ButtonBank {
  typealias Instant = ContinuousClock.Instant

  /// A key and a trigger that something is bound to.
  struct Firing: Equatable {
    let key: ButtonKey
    let trigger: ButtonTrigger
    let actions: [CompanionAction]
  }

  /// Maximum steps that one event of a dial counts for. Nobody turns faster, but a broken device may report more.
  static let maximumSteps = 20

  private let bindings: [ButtonBinding]
  private var machines: [ButtonKey: ButtonMachine] = [:]

  /// - Parameter bindings: the bindings of this device.
  init(_ bindings: [ButtonBinding]) { self.bindings = bindings }

  var deadline: Instant? { machines.values.compactMap(\.deadline).min() }

  mutating func change(_ change: InputChange) -> [Firing] {
    switch change.kind {
    case .key(let code, let isDown):
      return use(.key(code)) { isDown ? $0.press(at: change.time) : $0.release(at: change.time) }
    case .steps(let axis, let count):
      let key = ButtonKey.step(axis: axis, isUp: count > 0)
      let steps = min(Int(count.magnitude), Self.maximumSteps)
      return Array(repeating: firings(key, [.click]), count: steps).flatMap(\.self)
    }
  }

  /// Fires the triggers whose time has come.
  mutating func advance(to time: Instant) -> [Firing] {
    machines.keys.sorted().flatMap { key in use(key) { $0.advance(to: time) } }
  }

  /// Catches up on presses and releases after events were lost.
  /// - Parameter down: the keys that are down now.
  mutating func synchronize(down: Set<UInt16>, at time: Instant) -> [Firing] {
    let known = machines.filter(\.value.isDown).keys.compactMap { key in
      if case .key(let code) = key { code } else { nil }
    }
    let changes = Set(known).symmetricDifference(down).sorted()
    return changes.flatMap { code in
      change(InputChange(time: time, kind: .key(code, isDown: down.contains(code))))
    }
  }

  /// Forgets everything, because the device is gone.
  mutating func reset() -> [Firing] {
    machines.keys.sorted().flatMap { key in use(key) { $0.reset() } }
  }

  private mutating func use(_ key: ButtonKey, _ body: (inout ButtonMachine) -> [ButtonTrigger]) -> [Firing] {
    let triggers = triggers(of: key)
    guard !triggers.isEmpty else { return [] }
    var machine = machines[key] ?? ButtonMachine(triggers)
    let fired = body(&machine)
    machines[key] = machine.isIdle ? nil : machine
    return firings(key, fired)
  }

  private func triggers(of key: ButtonKey) -> Set<ButtonTrigger> {
    Set(bindings.filter { $0.key == key || $0.key == nil && key.isForAnyKey }.map(\.trigger))
  }

  private func firings(_ key: ButtonKey, _ triggers: [ButtonTrigger]) -> [Firing] {
    triggers.compactMap { trigger in
      let bindings = bindings.filter { $0.trigger == trigger }
      let own = bindings.filter { $0.key == key }
      let used = own.isEmpty && key.isForAnyKey ? bindings.filter { $0.key == nil } : own
      return used.isEmpty ? nil : Firing(key: key, trigger: trigger, actions: used.map(\.action))
    }
  }
}

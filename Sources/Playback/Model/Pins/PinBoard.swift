/// The pins of this speaker, kept over restarts. On the player's executor.
public final class PinBoard {
  public private(set) var pins: PinSet
  private let keep: (PinSet) -> Void
  private var observers: [() -> Void] = []

  /// - Parameter keep: told of every change.
  public init(_ pins: PinSet = PinSet(), keep: @escaping (PinSet) -> Void = { _ in }) {
    self.pins = pins
    self.keep = keep
  }

  /// Calls the body whenever the pins have changed.
  public func observe(_ body: @escaping () -> Void) { observers.append(body) }

  /// Changes the pins; what leaves them as they were is nothing that anybody is told.
  public func change(_ step: (inout PinSet) throws(PinError) -> Void) throws(PinError) {
    let before = pins
    try step(&pins)
    guard pins != before else { return }
    keep(pins)
    for observer in observers { observer() }
  }
}

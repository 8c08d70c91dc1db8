/// A value that comes once, now or later, to whoever asks for it. On one thread.
public final class Deferred<Value> {
  private enum State {
    case awaited
    case wanted((Value) -> Void)
    case known(Value)
    case handedOver
  }

  private var state = State.awaited

  public init() {}

  /// Gives the value. A second one is nobody's.
  public func complete(with value: Value) {
    switch state {
    case .awaited: state = .known(value)
    case .wanted(let body):
      state = .handedOver
      body(value)
    case .known, .handedOver: break
    }
  }

  /// Calls the body with the value, at once if that is known. For one who asks.
  func whenComplete(_ body: @escaping (Value) -> Void) {
    switch state {
    case .awaited: state = .wanted(body)
    case .known(let value):
      state = .handedOver
      body(value)
    case .wanted, .handedOver: break
    }
  }
}

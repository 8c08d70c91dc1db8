import NIOCore

/// One element of a sequence of events.
public enum ServiceEvent<Values: EventedValues>: Sendable, Equatable {
  /// All evented variables. It comes first, and again after `lapsed`.
  case initial(Values)
  /// Some variables changed: all variables now, and those that this event contains.
  case change(state: Values, changes: Values)
  /// This many events were lost or unreadable. The state may be outdated until the variables change again.
  case missed(Int)
  /// No events arrive. The watcher polls if the policy says so, and subscribes again in any case.
  case lapsed(LapseReason)
}

/// Why a device's events stopped, or never began.
public enum LapseReason: Sendable, Hashable, CustomStringConvertible {
  /// The device no longer has the subscription, usually because it restarted.
  case lost
  /// The device accepted the subscription, but sent no initial event (UDA 1.1 §4.3).
  case silent
  /// The service has no event URL, and cannot be polled. The sequence ends.
  case notEvented
  /// A subscription, its renewal, or a poll failed.
  case failed(ControlPointError)

  public var description: String {
    switch self {
    case .lost: "The device dropped the subscription."
    case .silent: "The device accepted the subscription, but sends no events."
    case .notEvented: "The service sends no events and cannot be polled."
    case .failed(let error): error.description
    }
  }
}

/// The source of the values of a sequence of events.
public enum EventPolicy: Sendable, Hashable {
  case eventsOnly
  /// Calls the service's getters at this interval while it sends no events.
  case pollWhenEventsFail(interval: TimeAmount)
  /// Calls the service's getters at this interval, and does not subscribe.
  case pollOnly(interval: TimeAmount)

  /// Polls every second while the service sends no events.
  public static let standard = pollWhenEventsFail(interval: .seconds(1))

  /// Shorter intervals are raised to this one.
  static let minimumInterval = TimeAmount.milliseconds(100)

  /// Nil if the policy excludes polling.
  var interval: TimeAmount? {
    switch self {
    case .eventsOnly: nil
    case .pollWhenEventsFail(let interval), .pollOnly(let interval): max(interval, Self.minimumInterval)
    }
  }
}

/// An event before its variables get the types of a generated client.
enum EventElement: Sendable, Hashable {
  case initial([EventedVariable])
  case change([EventedVariable])
  case missed(Int)
  case lapsed(LapseReason)
}

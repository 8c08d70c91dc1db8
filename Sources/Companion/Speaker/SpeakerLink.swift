import NIOCore
import SpeakerCore

/// Connects the companions, which have a thread of their own, to the speaker on the event loop.
package final class SpeakerLink: Sendable {
  package typealias Observer = @CompanionActor @Sendable (SpeakerState) -> Void
  package typealias Reply = @CompanionActor @Sendable (CommandError?) -> Void

  private final class Parts {
    let control: SpeakerControl
    let feed: StateFeed
    var observers: [Observer] = []
    /// Whether a call of the observers is scheduled.
    var isDue = false

    init(_ control: SpeakerControl, _ feed: StateFeed) {
      self.control = control
      self.feed = feed
    }
  }

  private let eventLoop: any EventLoop
  private let parts: NIOLoopBound<Parts>
  private let rates: CommandRates

  /// Must be called on the event loop.
  package init(eventLoop: any EventLoop, control: SpeakerControl, feed: StateFeed) {
    self.eventLoop = eventLoop
    parts = NIOLoopBound(Parts(control, feed), eventLoop: eventLoop)
    rates = control.rates
    feed.observe { [weak self] _ in self?.changed() }
  }

  /// Performs a command on the event loop, unless its sender has sent too many.
  /// - Parameter reply: called with nil for success.
  package func send(_ command: SpeakerCommand, from origin: CommandOrigin, _ reply: @escaping Reply = { _ in }) {
    guard rates.admit(origin) else {
      Task { @CompanionActor in reply(.tooManyCommands) }
      return
    }
    eventLoop.execute { [parts] in
      parts.value.control.perform(command, from: origin) { result in
        let error: CommandError? = if case .failure(let error) = result { error } else { nil }
        Task { @CompanionActor in reply(error) }
      }
    }
  }

  /// Calls the body with the present state, and again after every change. Changes in one turn of the event loop are
  /// coalesced. The steady advance of the position is not a change.
  package func observe(_ body: @escaping Observer) {
    eventLoop.execute { [parts] in
      parts.value.observers.append(body)
      let state = parts.value.feed.state
      Task { @CompanionActor in body(state) }
    }
  }

  private func changed() {
    guard !parts.value.observers.isEmpty, !parts.value.isDue else { return }
    parts.value.isDue = true
    eventLoop.execute { [parts] in
      parts.value.isDue = false
      let (state, observers) = (parts.value.feed.state, parts.value.observers)
      Task { @CompanionActor in for observer in observers { observer(state) } }
    }
  }
}

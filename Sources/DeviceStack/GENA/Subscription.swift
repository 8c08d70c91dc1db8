import NIOCore
import UPnP

/// One subscriber's claim on the events of one service instance.
struct Subscription {
  let id: SID
  /// Which `EventSource` it is for, by its number in the `EventingContext`.
  let source: Int
  let callbacks: [CallbackURL]
  /// Who subscribed, for the limit on subscriptions from one address.
  let asker: IPAddress
  /// The address of ours that was subscribed on: events leave from there.
  let local: IPAddress
  var expires: NIODeadline
  var queue: SubscriberQueue

  /// Where the next attempt goes.
  var callback: CallbackURL { callbacks[Int(queue.callback)] }

  /// When something is to be done for it, if nothing happens before.
  var deadline: NIODeadline { queue.restsUntil.map { min($0, expires) } ?? expires }

  var authority: Authority {
    Authority(address: callback.address, port: callback.port, local: local)
  }
}

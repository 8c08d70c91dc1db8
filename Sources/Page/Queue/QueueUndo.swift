import DeviceStack
import NIOCore
import SpeakerCore

/// Changes of the queue that can be undone: the last three, for two minutes. Pure.
struct QueueUndo {
  private static let maximum = 3
  private static let time = TimeAmount.minutes(2)

  private var entries: [(token: String, change: QueueChange, end: NIODeadline)] = []
  private var last = 0
  /// Differs in every run, so that tokens of an earlier run are unknown.
  private let run: UInt32

  init(run: UInt32 = .random(in: 0...UInt32.max)) { self.run = run }

  /// - Returns: the token for `take`.
  mutating func keep(_ change: QueueChange, now: NIODeadline) -> String {
    drop(now: now)
    if entries.count == Self.maximum { entries.removeFirst() }
    last += 1
    let token = "\(run)-\(last)"
    entries.append((token, change, now + Self.time))
    return token
  }

  /// Replaces a kept change that has continued, and renews its time. Ignored if the token is unknown, used or too old.
  mutating func update(_ token: String, to change: QueueChange, now: NIODeadline) {
    guard take(token, now: now) != nil else { return }
    entries.append((token, change, now + Self.time))
  }

  /// Takes a change; nil if the token is unknown, used or too old.
  mutating func take(_ token: String, now: NIODeadline) -> QueueChange? {
    drop(now: now)
    return entries.firstIndex { $0.token == token }.map { entries.remove(at: $0).change }
  }

  /// When the oldest change can be forgotten; nil if there is none.
  var nextEnd: NIODeadline? { entries.first?.end }

  /// Forgets changes that are too old, with their memory.
  mutating func drop(now: NIODeadline) { entries.removeAll { $0.end <= now } }
}

/// Keeps changes of the queue, to be undone by their tokens. Used on the event loop.
final class QueueHistory {
  private let eventLoop: any EventLoop
  private var undo = QueueUndo()
  private let alarm: Alarm

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    alarm = Alarm(eventLoop: eventLoop)
    alarm.onElapsed = { [weak self] in self?.forget() }
  }

  /// - Returns: the token that undoes what a command has removed or replaced; nil if that is nothing.
  func keep(_ result: CommandResult) -> String? { result.undo ?? result.change.flatMap { keep($0) } }

  /// - Returns: the token for `take`; nil if nothing was removed. Such a change does not push out the last ones.
  func keep(_ change: QueueChange) -> String? {
    let token = change.isEmpty ? nil : undo.keep(change, now: eventLoop.now)
    forget()
    return token
  }

  /// Replaces a kept change that has continued.
  func update(_ token: String, to change: QueueChange) {
    undo.update(token, to: change, now: eventLoop.now)
    forget()
  }

  func take(_ token: String) throws(Problem) -> QueueChange {
    guard let change = undo.take(token, now: eventLoop.now) else {
      throw .unknown(.undoExpired, "This can no longer be undone.")
    }
    return change
  }

  /// Frees the memory of changes that can no longer be undone.
  private func forget() {
    undo.drop(now: eventLoop.now)
    if let end = undo.nextEnd { alarm.arm(in: .nanoseconds((end - eventLoop.now).nanoseconds)) }
  }
}

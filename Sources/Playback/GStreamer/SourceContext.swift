import CGStreamer
import Synchronization

/// What the streaming threads of one source may touch: a few numbers under a lock, and the mailbox.
final class SourceContext: Sendable {
  let id: Int
  let mailbox: Mailbox
  /// Where the decoder's pad is linked to.
  let input: ElementReference
  let settings: PlayerSettings
  private let level = Mutex(Level())

  private struct Level {
    var bytesPerSecond: Int64 = 0
    /// Bytes that went into the buffer and out of it.
    var filled: Int64 = 0
    var taken: Int64 = 0
    var isComplete = false
    /// Where in the track the last sample ends that was decoded, in nanoseconds.
    var end: Int64 = 0
    /// Whether the server has sent anything of the item itself.
    var hasReceived = false
    /// Whether the samples came as they are, without a decoder.
    var isRaw = false
    /// How much was asked for, in nanoseconds.
    var awaited: Int64?

    var nanoseconds: Int64 {
      bytesPerSecond > 0
        ? Int64((Double(filled - taken) * 1e9 / Double(bytesPerSecond)).rounded()) : 0
    }

    mutating func isFilledNow() -> Bool {
      guard let awaited, isComplete || nanoseconds >= awaited else { return false }
      self.awaited = nil
      return true
    }
  }

  init(id: Int, mailbox: Mailbox, input: ElementReference, settings: PlayerSettings) {
    self.id = id
    self.mailbox = mailbox
    self.input = input
    self.settings = settings
  }

  func post(_ event: SourceEvent) { mailbox.post(.source(id: id, event)) }

  /// Whether all of the track is decoded.
  var isComplete: Bool { level.withLock(\.isComplete) }

  /// Whether the server has sent anything of the item itself.
  var hasReceived: Bool {
    get { level.withLock(\.hasReceived) }
    set { level.withLock { $0.hasReceived = newValue } }
  }

  /// Whether the samples came as they are, without a decoder.
  var isRaw: Bool {
    get { level.withLock(\.isRaw) }
    set { level.withLock { $0.isRaw = newValue } }
  }

  /// How much sound lies ready.
  var buffered: Duration { .nanoseconds(level.withLock(\.nanoseconds)) }

  /// Posts `filled` as soon as so much lies ready.
  func awaitFill(_ amount: Duration) {
    let isFilled = level.withLock { level in
      level.awaited = amount.nanoseconds
      return level.isFilledNow()
    }
    if isFilled { post(.filled) }
  }

  func forgetFill() { level.withLock { $0.awaited = nil } }

  func setBytesPerSecond(_ rate: Int64) { level.withLock { $0.bytesPerSecond = rate } }

  /// Where in the track the last sample ends that was decoded.
  var end: Duration { .nanoseconds(level.withLock(\.end)) }

  /// - Parameter end: where in the track the last of them ends, if it says so.
  func filled(bytes: Int, end: Int64?) {
    let isFilled = level.withLock { level in
      level.filled += Int64(bytes)
      if let end { level.end = end }
      return level.isFilledNow()
    }
    if isFilled { post(.filled) }
  }

  func taken(bytes: Int) { level.withLock { $0.taken += Int64(bytes) } }

  func completed() {
    let isFilled = level.withLock { level in
      level.isComplete = true
      return level.isFilledNow()
    }
    post(.decodedToEnd)
    if isFilled { post(.filled) }
  }

  /// A seek has thrown away what lay ready.
  func flushed() {
    level.withLock { level in
      level.filled = 0
      level.taken = 0
      level.isComplete = false
    }
  }
}

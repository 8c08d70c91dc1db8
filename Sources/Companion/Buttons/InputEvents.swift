import CLinux

/// A key that went down or up, or a dial that was turned.
struct InputChange: Equatable {
  enum Kind: Equatable {
    case key(UInt16, isDown: Bool)
    /// Steps of an axis, never 0.
    case steps(axis: UInt16, count: Int32)
  }

  let time: ContinuousClock.Instant
  let kind: Kind
}

/// Reads the records of an input device (`struct input_event`). Pure: bytes and time in, changes out.
struct InputEvents {
  enum Item: Equatable {
    case change(InputChange)
    /// The kernel's buffer was full and events are lost: ask which keys are down.
    case lost
  }

  /// Presses older than this are ignored: the person has given up waiting.
  static let maximumAge = Duration.seconds(1)

  private static let size = MemoryLayout<input_event>.stride

  /// The bytes of an incomplete record.
  private var rest: [UInt8] = []
  /// Whether events are ignored until the next SYN_REPORT, because some were lost.
  private var isLosing = false

  /// - Parameters:
  ///   - now: the present time of the clock that the records use.
  ///   - instant: the same time on the continuous clock.
  mutating func read(_ bytes: some Sequence<UInt8>, now: Duration, instant: ContinuousClock.Instant) -> [Item] {
    rest += bytes
    let count = rest.count / Self.size
    let items = (0..<count).compactMap { index -> Item? in
      let record = rest.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: index * Self.size, as: input_event.self) }
      return read(record, now: now, instant: instant)
    }
    rest.removeFirst(count * Self.size)
    return items
  }

  private mutating func read(_ record: input_event, now: Duration, instant: ContinuousClock.Instant) -> Item? {
    let (type, code) = (Int32(record.type), Int32(record.code))
    if type == EV_SYN, code == SYN_DROPPED {
      isLosing = true
      return nil
    }
    guard !isLosing else {
      guard type == EV_SYN, code == SYN_REPORT else { return nil }
      isLosing = false
      return .lost
    }
    let time = Duration.seconds(record.time.tv_sec) + .microseconds(record.time.tv_usec)
    let age = max(.zero, now - time)
    let isStale = age > Self.maximumAge
    let kind: InputChange.Kind
    switch (type, record.value) {
    // A late release still counts: the key must not stay down.
    case (EV_KEY, 0) where record.code <= ButtonKey.lastKey: kind = .key(record.code, isDown: false)
    case (EV_KEY, 1) where record.code <= ButtonKey.lastKey && !isStale: kind = .key(record.code, isDown: true)
    // The value 2, the device's own repetition, is ignored: see `ButtonMachine.repeatPeriod`.
    case (EV_REL, let value) where value != 0 && !isStale && KeyNames.name(ofAxis: record.code) != nil:
      kind = .steps(axis: record.code, count: value)
    default: return nil
    }
    return .change(InputChange(time: instant - age, kind: kind))
  }
}

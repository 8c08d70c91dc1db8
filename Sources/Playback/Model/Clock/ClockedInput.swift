/// Sound that arrives while it is made and is heard in time with its sender's clock, such as that of another room.
///
/// A receiver adds blocks, and the engine takes them. Any thread.
package final class ClockedInput: Sendable {
  /// Some milliseconds of sound in one format.
  package struct Block: Sendable, Equatable {
    /// Hertz.
    package var rate: Int
    /// 1 or 2.
    package var channels: Int
    /// Interleaved. Full scale is that of 32 bits.
    package var samples: [Int32]
    /// Place of the first frame in the stream: the frames since it began, including those that were lost.
    package var start: Int64
    /// Whether nothing before the block belongs to it, so that `start` counts anew.
    package var isFirst: Bool
    /// When it arrived, in nanoseconds of CLOCK_MONOTONIC; nil if that tells nothing, since it was sent again.
    package var arrival: Int64?
    /// From sending to hearing, in nanoseconds.
    package var latency: Int64

    package init(
      rate: Int, channels: Int, samples: [Int32], start: Int64, isFirst: Bool = false, arrival: Int64?, latency: Int64
    ) {
      self.rate = rate
      self.channels = channels
      self.samples = samples
      self.start = start
      self.isFirst = isFirst
      self.arrival = arrival
      self.latency = latency
    }

    var frames: Int64 { Int64(samples.count / channels) }
    var end: Int64 { start + frames }
  }

  package enum Piece: Sendable, Equatable {
    case block(Block)
    /// The sender is silent from here on: it was paused or stopped.
    case pause
  }

  fileprivate struct State {
    var pieces: [Piece] = []
    var frames: Int64 = 0
    var isClosed = false
    var onSound: (@Sendable () -> Void)?
    var onClose: (@Sendable () -> Void)?
  }

  /// Seconds of sound that wait while nobody takes it, for example while the device is being opened.
  private static let longestWait: Int64 = 2

  private let state = Monitor(State())

  package init() {}

  // MARK: For the receiver

  /// Calls the body once the input is closed; at once if it is. Nothing needs to be added afterwards.
  package func onClose(_ body: @escaping @Sendable () -> Void) {
    let isClosed = state.withLock { state in
      if !state.isClosed { state.onClose = body }
      return state.isClosed
    }
    if isClosed { body() }
  }

  package func add(_ piece: Piece) {
    let onSound = state.update { state -> (@Sendable () -> Void)? in
      guard !state.isClosed else { return nil }
      if case .block(let block) = piece {
        if state.frames > Self.longestWait * Int64(block.rate) { state.drop() }
        state.frames += block.frames
      }
      state.pieces.append(piece)
      guard case .block = piece else { return nil }
      defer { state.onSound = nil }
      return state.onSound
    }
    onSound?()
  }

  // MARK: For the engine

  /// Calls the body when there is sound, once.
  package func awaitSound(_ body: @escaping @Sendable () -> Void) {
    let hasSound = state.withLock { state in
      let hasSound = state.pieces.contains { if case .block = $0 { true } else { false } }
      if !hasSound { state.onSound = body }
      return hasSound
    }
    if hasSound { body() }
  }

  /// Removes and returns all pieces up to the next pause.
  package func take() -> [Piece] {
    state.withLock { state in
      let taken = Array(state.pieces.prefix(through: state.pieces.firstIndex(of: .pause) ?? state.pieces.count - 1))
      state.pieces.removeFirst(taken.count)
      state.count()
      return taken
    }
  }

  /// Waits until something has been added or the input is closed, at most for `timeout`.
  package func wait(timeout: Duration) {
    _ = state.wait(timeout: timeout) { $0.pieces.isEmpty && !$0.isClosed ? nil : true }
  }

  /// Ends the input.
  package func close() {
    let onClose = state.update { state in
      defer { state = State(isClosed: true) }
      return state.onClose
    }
    onClose?()
  }
}

extension ClockedInput.State {
  /// Drops the oldest half.
  fileprivate mutating func drop() {
    pieces.removeFirst(pieces.count / 2)
    count()
  }

  fileprivate mutating func count() {
    frames = pieces.reduce(0) { sum, piece in if case .block(let block) = piece { sum + block.frames } else { sum } }
  }
}

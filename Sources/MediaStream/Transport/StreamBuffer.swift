import PlaybackModel

/// The unread bytes of a stream. The connection adds bytes; the reader waits for them.
final class StreamBuffer: Sendable {
  /// Bytes buffered before the connection pauses. Decoded sound is buffered elsewhere, so this only has to keep the
  /// connection busy.
  static let limit = 256 << 10
  /// Bytes that the kernel may hold for the connection. When a server closes, all of them arrive at once.
  static let window = 2 << 20

  struct State {
    /// Number of the present `start`. What arrives for earlier ones is dropped.
    var generation = 0
    var ring: ByteRing?
    /// Titles, each with the number of bytes before it.
    var titles: [(place: Int, text: String)] = []
    /// Bytes written and read since the start.
    var (written, read) = (0, 0)
    var answer: StreamAnswer?
    /// Set when nothing more arrives.
    var end: Result<Void, StreamFailure>?
    var isInterrupted = false
    /// Whether the connection waits until the buffer has room.
    var isPaused = false

    var isFull: Bool { written - read >= StreamBuffer.limit }
  }

  let state = Monitor(State())

  /// Discards everything for a new request.
  /// - Returns: its generation.
  func restart() -> Int {
    state.update { state in
      state.generation += 1
      state.ring?.removeAll()
      state.titles = []
      (state.written, state.read) = (0, 0)
      state.answer = nil
      state.end = nil
      state.isPaused = false
      return state.generation
    }
  }

  // MARK: The connection

  /// Applies a change if the generation is still the present one, and wakes the reader.
  func update(_ generation: Int, _ change: (inout State) -> Void) {
    state.update { state in
      if state.generation == generation { change(&state) }
    }
  }

  /// - Returns: whether the connection should go on reading. If not, it is resumed later.
  func pauseIfFull(_ generation: Int) -> Bool {
    state.withLock { state in
      guard state.generation == generation else { return false }
      state.isPaused = state.isFull
      return !state.isPaused
    }
  }

  // MARK: The reader

  /// Makes waiting calls return, until the next `setInterrupted(false)`.
  func setInterrupted(_ isInterrupted: Bool) { state.update { $0.isInterrupted = isInterrupted } }

  /// Waits until something can be read.
  func wait(timeout: Duration? = nil) -> StreamReader.Arrival {
    let arrival: StreamReader.Arrival? = state.wait(timeout: timeout) { state in
      if state.isInterrupted { return .interrupted }
      if let title = state.titles.first, title.place <= state.read {
        state.titles.removeFirst()
        return .title(title.text)
      }
      let available = (state.titles.first?.place ?? state.written) - state.read
      if available > 0 { return .bytes(available) }
      switch state.end {
      case .success: return .end
      case .failure(let failure): return .failed(failure)
      case nil: return nil
      }
    }
    return arrival ?? .interrupted
  }

  /// Takes bytes that `wait` has announced.
  /// - Returns: whether the connection waits for room and should be resumed.
  func read(into target: UnsafeMutableRawBufferPointer) -> Bool {
    state.withLock { state in
      state.ring?.read(into: target)
      state.read += target.count
      guard state.isPaused, state.written - state.read <= Self.limit / 2 else { return false }
      state.isPaused = false
      return true
    }
  }
}

extension StreamBuffer.State {
  mutating func write(_ bytes: UnsafeRawBufferPointer) {
    if ring == nil { ring = ByteRing(capacity: StreamBuffer.limit + StreamConnection.readSize) }
    ring?.write(bytes)
    written += bytes.count
  }
}

import NIOCore
import PlaybackModel

/// The unread bytes of a stream. The connection adds bytes; the reader waits for them.
final class StreamBuffer: Sendable {
  /// Bytes buffered before the connection pauses. It resumes when half of them have been taken, so that a fast server
  /// wakes the process rarely.
  static let limit = 2 << 20
  /// Bytes that the kernel may hold for the connection. When a server closes, all of them arrive at once.
  static let window = 2 << 20

  /// Smallest number of bytes between two titles.
  static let titleDistance = 512
  /// Size in bytes of the buffers that collect small reads.
  fileprivate static let chunk = 32 << 10

  struct State {
    /// Number of the current request. Data of earlier ones is dropped.
    var generation = 0
    /// The unread bytes, as they were received: GStreamer uses them without a copy.
    var chunks = CircularBuffer<ByteBuffer>()
    /// Titles, each with the number of bytes before it, and with the size of those that it replaces.
    var titles = CircularBuffer<(place: Int, text: String, size: Int)>()
    /// Size of the titles in bytes.
    var titleSize = 0
    /// Bytes written and read since the start.
    var (written, read) = (0, 0)
    var answer: StreamAnswer?
    /// Set when nothing more arrives.
    var end: Result<Void, StreamFailure>?
    var isInterrupted = false
    /// Whether the connection waits until the buffer has room.
    var isPaused = false

    /// Size of everything that is unread. A server may send few bytes between long titles.
    var size: Int { written - read + titleSize }
  }

  let state = Monitor(State())

  /// Discards everything for a new request.
  /// - Returns: its generation.
  func restart() -> Int {
    state.update { state in
      state.generation += 1
      state.chunks.removeAll()
      state.titles.removeAll()
      state.titleSize = 0
      (state.written, state.read) = (0, 0)
      state.answer = nil
      state.end = nil
      state.isPaused = false
      return state.generation
    }
  }

  // MARK: The connection

  /// Applies a change if it is for the current request, and wakes the reader.
  func update(_ generation: Int, _ change: (inout State) -> Void) {
    state.update { state in
      if state.generation == generation { change(&state) }
    }
  }

  /// - Returns: whether the connection should go on reading. If not, it is resumed later.
  func pauseIfFull(_ generation: Int) -> Bool {
    state.withLock { state in
      guard state.generation == generation else { return false }
      state.isPaused = state.size >= Self.limit
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
        state.titleSize -= title.size
        return .title(title.text)
      }
      if state.isReadable { return .bytes }
      switch state.end {
      case .success: return .end
      case .failure(let failure): return .failed(failure)
      case nil: return nil
      }
    }
    return arrival ?? .interrupted
  }

  /// Takes the first of the bytes that `wait` has announced.
  /// - Returns: the bytes, and whether the connection waits for room and should be resumed.
  func take() -> (bytes: ByteBuffer, resumes: Bool) {
    state.withLock { state in
      let bytes = state.take()
      guard state.isPaused, state.size <= Self.limit / 2 else { return (bytes, false) }
      state.isPaused = false
      return (bytes, true)
    }
  }
}

extension StreamBuffer.State {
  /// Whether bytes precede the next title.
  var isReadable: Bool { (titles.first?.place ?? written) > read }

  mutating func write(_ bytes: ByteBuffer) {
    written += bytes.readableBytes
    // A slice keeps the memory of its whole read. Small ones are collected instead.
    if bytes.readableBytes * 2 >= bytes.storageCapacity {
      chunks.append(bytes)
    } else if let last = chunks.indices.last, chunks[last].writableBytes >= bytes.readableBytes {
      chunks[last].writeImmutableBuffer(bytes)
    } else {
      var chunk = ByteBufferAllocator().buffer(capacity: max(bytes.readableBytes, StreamBuffer.chunk))
      chunk.writeImmutableBuffer(bytes)
      chunks.append(chunk)
    }
  }

  /// Places a title after the bytes written so far. A title that follows another one closely replaces it, since each title splits
  /// the bytes: a server may send one before every byte.
  mutating func write(title: String) {
    let size = title.utf8.count
    titleSize += size
    if let last = titles.indices.last, written - titles[last].place < StreamBuffer.titleDistance {
      titles[last].text = title
      titles[last].size += size
    } else {
      titles.append((written, title, size))
    }
  }

  mutating func take() -> ByteBuffer {
    guard let first = chunks.indices.first else { return ByteBuffer() }
    let count = min(chunks[first].readableBytes, (titles.first?.place ?? written) - read)
    let bytes = chunks[first].readSlice(length: count) ?? ByteBuffer()
    if chunks[first].readableBytes == 0 { chunks.removeFirst() }
    read += count
    return bytes
  }
}

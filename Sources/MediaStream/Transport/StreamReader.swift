import NIOCore
import NIOPosix
import PlaybackModel

/// Reads an HTTP stream in order, or from any place if the server supports ranges.
///
/// All methods may be called on any thread. `next` waits. One thread at a time may read.
package final class StreamReader: Sendable {
  package enum Arrival: Sendable, Equatable {
    /// Bytes can be taken.
    case bytes
    /// A title begins here (ICY).
    case title(String)
    case end
    case failed(StreamFailure)
    /// `interrupt` was called.
    case interrupted
  }

  /// A thread and event loop for all streams, so that a flood of sound delays nothing else.
  private static let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)

  private let buffer = StreamBuffer()
  private let connection: StreamConnection

  package init(_ request: StreamRequest) {
    connection = StreamConnection(request, buffer: buffer, eventLoop: Self.group.next())
  }

  deinit { connection.close() }

  /// Requests the stream, or a part of it. Discards bytes that are still buffered.
  /// - Parameter end: offset of the end; nil for the end of the stream.
  package func start(at offset: Int = 0, end: Int? = nil) {
    connection.start(at: offset, end: end, generation: buffer.restart())
  }

  /// The answer to the last `start`; nil before it arrives.
  package var answer: StreamAnswer? { buffer.state.withLock(\.answer) }

  /// Waits for the next bytes, title or end.
  package func next() -> Arrival { buffer.wait() }

  /// Takes the first of the bytes that `next` has announced.
  package func take() -> StreamBytes {
    let (bytes, resumes) = buffer.take()
    if resumes { connection.resume() }
    return bytes.withUnsafeReadableBytesWithStorageManagement { bytes, owner in
      StreamBytes(bytes: bytes, owner: owner.takeUnretainedValue())
    }
  }

  /// Makes `next` return `interrupted` until `endInterruption`.
  package func interrupt() { buffer.setInterrupted(true) }

  package func endInterruption() { buffer.setInterrupted(false) }

  package func close() { connection.close() }
}

/// Bytes in memory that nothing changes while `owner` exists.
package struct StreamBytes {
  package let bytes: UnsafeRawBufferPointer
  package let owner: AnyObject
}

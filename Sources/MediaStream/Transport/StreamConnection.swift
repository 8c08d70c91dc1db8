import NIOCore
import NIOPosix
import PlaybackModel

/// Performs the decisions of `RequestMachine`: one connection at a time, which fills a buffer.
final class StreamConnection: @unchecked Sendable {
  // @unchecked Sendable is safe: mutable state is used only on the event loop.

  /// Maximum bytes per read.
  static let readSize = 1 << 20

  private let request: StreamRequest
  private let buffer: StreamBuffer
  private let eventLoop: any EventLoop
  private var machine: RequestMachine
  private var generation = 0
  /// Number of the current connection. Events of earlier ones are ignored.
  private var attempt = 0
  private var link: ChannelLink?
  private var head: ResponseHeadParser?
  private var body: BodyDecoder?
  private var hasReceived = false
  private var watchdog = Watchdog()
  private var timer: Scheduled<Void>?

  init(_ request: StreamRequest, buffer: StreamBuffer, eventLoop: any EventLoop) {
    self.request = request
    self.buffer = buffer
    self.eventLoop = eventLoop
    machine = RequestMachine(request)
  }

  // MARK: On any thread

  func start(at offset: Int, end: Int?, generation: Int) {
    eventLoop.execute { [self] in
      self.generation = generation
      abandon()
      perform(machine.start(at: offset, end: end))
    }
  }

  /// The buffer has room again.
  func resume() {
    eventLoop.execute { [self] in readMore() }
  }

  func close() {
    eventLoop.execute { [self] in abandon() }
  }

  // MARK: On the event loop

  private func perform(_ step: RequestMachine.Step) {
    switch step {
    case .request(let exchange): open(exchange)
    case .awaitHead: head = ResponseHeadParser()
    case .deliver(let answer, let framing, let titleInterval):
      head = nil
      body = BodyDecoder(framing, titleInterval: titleInterval)
      buffer.update(generation) { $0.answer = answer }
    case .finish: finish(.success(()))
    case .fail(let failure): finish(.failure(failure))
    }
  }

  private func finish(_ end: Result<Void, StreamFailure>) {
    abandon()
    buffer.update(generation) { $0.end = end }
  }

  /// Closes the connection, or the attempt to open one.
  private func abandon() {
    attempt += 1
    link?.close()
    link = nil
    head = nil
    body = nil
    timer?.cancel()
    timer = nil
  }

  private func open(_ exchange: RequestMachine.Exchange) {
    abandon()
    let attempt = attempt
    head = ResponseHeadParser()
    hasReceived = false
    watch()
    ChannelLinks.open(exchange.url, proxy: request.proxy, timeout: request.timeout, on: eventLoop) { result in
      guard attempt == self.attempt else {
        if case .success(let link) = result { link.close() }
        return
      }
      switch result {
      case .success(let link):
        self.link = link
        link.start(Receiver(connection: self, attempt: attempt), sending: exchange.text)
        self.readMore()
      case .failure(let failure): self.perform(self.machine.failed(failure))
      }
    }
  }

  private func readMore() {
    guard let link, buffer.pauseIfFull(generation) else { return watchdog.rest() }
    watch()
    link.read()
  }

  fileprivate func received(_ bytes: ByteBuffer, _ attempt: Int) {
    guard attempt == self.attempt else { return }
    hasReceived = true
    var bytes = bytes
    while head != nil {
      switch bytes.withUnsafeReadableBytes({ head?.read($0) }) {
      case .needsMore, nil: return readMore()
      case .malformed: return perform(machine.failed(.malformed))
      case .head(let head, let consumed):
        perform(machine.answered(head))
        // A redirect has closed this connection.
        guard attempt == self.attempt else { return }
        bytes.moveReaderIndex(forwardBy: consumed)
      }
    }
    deliver(bytes, attempt)
  }

  private func deliver(_ bytes: ByteBuffer, _ attempt: Int) {
    let pieces = bytes.withUnsafeReadableBytes { body?.read($0) } ?? []
    buffer.update(generation) { state in
      for piece in pieces {
        switch piece {
        case .sound(let range):
          let count = machine.received(range.count)
          if let sound = bytes.getSlice(at: bytes.readerIndex + range.lowerBound, length: count) { state.write(sound) }
        case .title(let text): state.write(title: text)
        }
      }
    }
    switch body?.state {
    case .complete: perform(machine.ended(.complete))
    case .malformed: perform(machine.ended(.malformed))
    default: if machine.isComplete { perform(.finish) } else { readMore() }
    }
  }

  /// The connection ended.
  /// - Parameter isClean: whether the server closed it; false if it broke.
  fileprivate func ended(isClean: Bool, _ attempt: Int) {
    guard attempt == self.attempt else { return }
    guard let body else {
      return perform(machine.failed(hasReceived ? .malformed : .nothingSent))
    }
    perform(machine.ended(isClean && body.endsWithConnection ? .complete : .early))
  }

  // MARK: Timeouts

  private func watch() {
    watchdog.start(now: .now())
    guard timer == nil else { return }
    schedule(request.timeout)
  }

  private func schedule(_ delay: Duration) {
    timer = eventLoop.scheduleTask(in: TimeAmount(delay)) { [self] in
      timer = nil
      guard let waited = watchdog.waited(now: .now()) else { return }
      guard waited >= TimeAmount(request.timeout) else {
        return schedule(request.timeout - .nanoseconds(waited.nanoseconds))
      }
      perform(body == nil ? machine.failed(.timedOut) : machine.ended(.early))
    }
  }
}

/// Measures how long a connection has been waiting for the server.
private struct Watchdog {
  private var since: NIODeadline?

  mutating func start(now: NIODeadline) { since = now }

  /// Stops measuring: nothing is awaited.
  mutating func rest() { since = nil }

  func waited(now: NIODeadline) -> TimeAmount? { since.map { now - $0 } }
}

/// Forwards the events of one connection.
struct Receiver {
  fileprivate let connection: StreamConnection
  fileprivate let attempt: Int

  func received(_ bytes: ByteBuffer) { connection.received(bytes, attempt) }
  func ended(isClean: Bool) { connection.ended(isClean: isClean, attempt) }
}

import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

struct HTTPConnectionMachineTests {
  typealias Action = HTTPConnectionMachine.Action

  private static let limits: HTTPLimits = {
    var limits = HTTPLimits()
    (limits.head, limits.uri, limits.body) = (100, 20, 4)
    return limits
  }()

  private static func machine() -> HTTPConnectionMachine { HTTPConnectionMachine(limits: limits, now: seconds(0)) }

  private static func seconds(_ count: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(count) }

  private static let start = seconds(0)

  private static func head(
    _ method: HTTPMethod, uri: String = "/", version: HTTPVersion = .http1_1, _ headers: HTTPHeaders = [:]
  ) -> HTTPRequestHead {
    HTTPRequestHead(version: version, method: method, uri: uri, headers: headers)
  }

  private static func string(_ count: Int) -> String { String(repeating: "x", count: count) }

  private static let none = ByteBuffer()

  private static func refusal(_ status: HTTPResponseStatus) -> [Action] { [.refuse(status), .finish] }

  // MARK: Requests

  @Test(
    arguments: [
      (head(.GET), []),
      (head(.POST, ["content-length": "4"]), []),
      (head(.POST, ["Content-Length": "5"]), refusal(.payloadTooLarge)),
      (head(.POST, ["Content-Length": "99999999999999999999"]), refusal(.payloadTooLarge)),
      (head(.POST), refusal(.lengthRequired)),
      (head(.POST, ["Transfer-Encoding": "chunked"]), []),
      (head(.SUBSCRIBE), []),
      (head(.GET, uri: "/" + string(19)), []),
      (head(.GET, uri: "/" + string(20)), refusal(.uriTooLong)),
      (head(.GET, ["A": string(93), "B": ""]), refusal(.requestHeaderFieldsTooLarge)),
      (head(.GET, ["A": string(94)]), []),
      (head(.GET, ["A": string(95)]), refusal(.requestHeaderFieldsTooLarge)),
      (head(.GET, ["Host": "a", "HOST": "b"]), refusal(.badRequest)),
      (head(.GET, ["Host": "a, b"]), refusal(.badRequest)),
      (head(.POST, ["Expect": "100-Continue", "Content-Length": "4"]), [.sendContinue]),
      (head(.POST, ["Expect": "100-continue", "Content-Length": "5"]), refusal(.payloadTooLarge)),
      (head(.POST, ["Expect": "something", "Content-Length": "4"]), []),
      (head(.POST, version: .http1_0, ["Expect": "100-continue", "Content-Length": "4"]), []),
    ] as [(HTTPRequestHead, [Action])])
  func headsAreHeldToTheLimits(head: HTTPRequestHead, actions: [Action]) {
    var machine = Self.machine()
    #expect(machine.head(head, now: Self.start) == actions)
  }

  @Test func bodiesAreAssembledRequestAfterRequest() {
    var machine = Self.machine()
    for _ in 1...2 {
      let head = Self.head(.POST, ["Transfer-Encoding": "chunked"])
      #expect(machine.head(head, now: Self.start) == [])
      #expect(machine.body(ByteBuffer(string: "ab"), now: Self.start) == [])
      #expect(machine.body(ByteBuffer(string: "cd"), now: Self.start) == [])
      #expect(
        machine.end(now: Self.start) == [.handle(head, ByteBuffer(string: "abcd"), keepAlive: true)])
      #expect(machine.answered(now: Self.start) == [])
    }
  }

  @Test func aBodyInPartsIsHeldToTheLimit() {
    var machine = Self.machine()
    #expect(machine.head(Self.head(.POST, ["Transfer-Encoding": "chunked"]), now: Self.start) == [])
    #expect(machine.body(ByteBuffer(string: "abc"), now: Self.start) == [])
    #expect(machine.body(ByteBuffer(string: "de"), now: Self.start) == Self.refusal(.payloadTooLarge))
  }

  @Test(
    arguments: [
      (head(.GET), true), (head(.GET, ["Connection": "close"]), false), (head(.GET, version: .http1_0), false),
      (head(.GET, version: .http1_0, ["Connection": "keep-alive"]), true),
      (head(.GET, ["Upgrade": "h2c"]), false), (head(.CONNECT), false),
    ] as [(HTTPRequestHead, Bool)])
  func connectionsAreKeptAliveOrFinished(head: HTTPRequestHead, keepAlive: Bool) {
    var machine = Self.machine()
    #expect(machine.ask(head) == [.handle(head, Self.none, keepAlive: keepAlive)])
    #expect(machine.answered(now: Self.start) == (keepAlive ? [] : [.finish]))
  }

  @Test func nothingIsHandledAfterARefusal() {
    var machine = Self.machine()
    #expect(machine.head(Self.head(.POST), now: Self.start) == Self.refusal(.lengthRequired))
    let isParsed = machine.received(ByteBuffer(string: "x"))
    #expect(!isParsed)
    #expect(machine.body(ByteBuffer(string: "abcde"), now: Self.start) == [])
    #expect(machine.end(now: Self.start) == [])
    #expect(machine.ask(Self.head(.GET)) == [])
    #expect(machine.parserFailed(.invalidMethod, now: Self.start) == [])
    #expect(machine.inputClosed(now: Self.start) == [])
  }

  // MARK: Bytes

  /// Each case is read in pieces that contain no complete head.
  @Test(
    arguments: [
      (["G"], []), ([string(84)], []), ([string(85)], refusal(.uriTooLong)),
      ([string(42), string(43)], refusal(.uriTooLong)),
      (["\r\n" + string(162)], []), (["\r\n" + string(163)], refusal(.requestHeaderFieldsTooLarge)),
    ] as [([String], [Action])])
  func incompleteHeadsAreHeldToTheLimits(pieces: [String], actions: [Action]) {
    var machine = Self.machine()
    var last: [Action] = []
    for piece in pieces {
      #expect(last == [])
      let isParsed = machine.received(ByteBuffer(string: piece))
      #expect(isParsed)
      last = machine.parsed(now: Self.start)
    }
    #expect(last == actions)
  }

  /// Bytes behind the end of a request, which may contain the next request line, are not counted until more arrive.
  @Test(arguments: [(true, [Action]()), (false, refusal(.uriTooLong))])
  func pipelinedBytesDoNotCountAsAURI(isBehind: Bool, actions: [Action]) {
    var machine = Self.machine()
    _ = machine.received(ByteBuffer(string: "GET / HTTP/1.1\r\n\r\n" + (isBehind ? "GET / HTTP/1.1\r\nX:" : "")))
    _ = machine.ask(Self.head(.GET))
    _ = machine.answered(now: Self.start)
    #expect(machine.parsed(now: Self.start) == [])
    _ = machine.received(ByteBuffer(string: Self.string(85)))
    #expect(machine.parsed(now: Self.start) == actions)
  }

  @Test(
    arguments: [
      ("M-POST / HTTP/1.1\r\n", .invalidMethod, .notImplemented),
      ("\u{1}\u{2}", .invalidMethod, .badRequest),
      ("GET /\r\n", .invalidVersion, .httpVersionNotSupported),
      ("GET / HTTP/1.1\n", .invalidVersion, .badRequest),
      ("GET / HTTP/1.1\r\n", .headerOverflow, .requestHeaderFieldsTooLarge),
      ("GET / HTTP/1.1\r\n", .invalidHeaderToken, .badRequest),
    ] as [(String, HTTPParserError, HTTPResponseStatus)])
  func parserErrorsAreRefused(bytes: String, error: HTTPParserError, status: HTTPResponseStatus) {
    var machine = Self.machine()
    _ = machine.received(ByteBuffer(string: bytes))
    #expect(machine.parserFailed(error, now: Self.start) == Self.refusal(status))
  }

  // MARK: Answers

  @Test func pipelinedRequestsAreHandledOneAfterTheOther() {
    var machine = Self.machine()
    let (first, second) = (Self.head(.GET, uri: "/1"), Self.head(.GET, uri: "/2"))
    #expect(machine.ask(first) == [.handle(first, Self.none, keepAlive: true)])
    #expect(machine.deferred() == [.read(false)])
    #expect(machine.ask(second) == [])
    #expect(machine.inputClosed(now: Self.start) == [])
    #expect(
      machine.answered(now: Self.start) == [.read(true), .handle(second, Self.none, keepAlive: true)])
    #expect(machine.answered(now: Self.start) == [.finish])
    // The client has closed its side, so there is no need to linger.
    #expect(machine.flushed(now: Self.start) == [.close])
  }

  @Test func aClientThatDoesNotReadIsNotReadFrom() {
    var machine = Self.machine()
    let head = Self.head(.GET)
    #expect(machine.writabilityChanged(false, now: Self.start) == [.read(false)])
    #expect(machine.ask(head) == [])
    #expect(
      machine.writabilityChanged(true, now: Self.start) == [.read(true), .handle(head, Self.none, keepAlive: true)])
    #expect(machine.writabilityChanged(false, now: Self.start) == [.read(false)])
    #expect(machine.answered(now: Self.start) == [])
  }

  @Test func aRefusalWaitsForTheAnswerBefore() {
    var machine = Self.machine()
    _ = machine.ask(Self.head(.GET))
    _ = machine.deferred()
    #expect(machine.head(Self.head(.POST), now: Self.start) == [])
    #expect(machine.answered(now: Self.start) == [.read(true)] + Self.refusal(.lengthRequired))
  }

  @Test func aClientThatClosesItsSideIsClosed() {
    var machine = Self.machine()
    #expect(machine.inputClosed(now: Self.start) == [.finish])
    #expect(machine.inputClosed(now: Self.start) == [])
    #expect(machine.ask(Self.head(.GET)) == [])
    var inBody = Self.machine()
    _ = inBody.head(Self.head(.POST, ["Content-Length": "4"]), now: Self.start)
    #expect(inBody.inputClosed(now: Self.start) == Self.refusal(.badRequest))
  }

  // MARK: Contents

  @Test func aTransferMayTakeTheStalledTimeForEachPiece() {
    var limits = HTTPLimits()
    (limits.idle, limits.stalled) = (.seconds(10), .seconds(100))
    var machine = HTTPConnectionMachine(limits: limits, now: Self.seconds(0))
    #expect(machine.ask(Self.head(.GET)) == [.handle(Self.head(.GET), Self.none, keepAlive: true)])
    #expect(machine.transferring(now: Self.seconds(5)) == [.read(false)])
    #expect(machine.isBusy(now: Self.seconds(90)) && !machine.isStreaming)
    #expect(machine.elapsed(now: Self.seconds(104)) == [])
    machine.transferMoved(now: Self.seconds(104))
    #expect(machine.deadline == Self.seconds(204))
    #expect(machine.elapsed(now: Self.seconds(203)) == [])
    #expect(machine.elapsed(now: Self.seconds(204)) == [.reset])
    #expect(machine.answered(now: Self.seconds(204)) == [.read(true)])
    #expect(machine.deadline == Self.seconds(214))
  }

  /// The arrival time of a request that began during a transfer starts after it.
  @Test func aRequestThatBeganDuringATransferHasItsWholeTime() {
    var limits = HTTPLimits()
    limits.arrival = .seconds(10)
    var machine = HTTPConnectionMachine(limits: limits, now: Self.seconds(0))
    _ = machine.ask(Self.head(.GET))
    #expect(machine.transferring(now: Self.start) == [.read(false)])
    let isPassedOn = machine.received(ByteBuffer(string: "GET /b"))
    #expect(isPassedOn)
    #expect(machine.parsed(now: Self.start) == [])
    machine.readComplete(now: Self.start)
    #expect(machine.elapsed(now: Self.seconds(30)) == [])
    #expect(machine.answered(now: Self.seconds(30)) == [.read(true)])
    #expect(machine.elapsed(now: Self.seconds(39)) == [])
    #expect(machine.elapsed(now: Self.seconds(40)) == Self.refusal(.requestTimeout))
  }

  // MARK: Streams

  private static let piece = ByteBuffer(string: "event")

  /// A machine that streams an answer.
  private static func streaming() -> HTTPConnectionMachine {
    var limits = limits
    limits.backlog = 12
    var machine = HTTPConnectionMachine(limits: limits, now: seconds(0))
    _ = machine.ask(head(.GET))
    #expect(machine.streaming(now: start) == [])
    return machine
  }

  @Test func aStreamIsNeitherIdleNorClosedToMakeRoom() {
    var machine = Self.streaming()
    #expect(machine.isStreaming)
    #expect(machine.isBusy(now: Self.seconds(3600)))
    #expect(machine.deadline == .distantFuture)
    #expect(machine.elapsed(now: Self.seconds(3600)) == [])
  }

  @Test func piecesAreSentAndTheStreamFinishes() {
    var machine = Self.streaming()
    #expect(machine.piece(Self.piece, now: Self.start) == [.sendPiece(Self.piece)])
    machine.pieceSent(5, now: Self.start)
    #expect(machine.streamEnded(now: Self.start) == [.finish])
    #expect(machine.piece(Self.piece, now: Self.start) == [])
    #expect(machine.streamEnded(now: Self.start) == [])
    #expect(machine.flushed(now: Self.start) == [.closeOutput])
  }

  /// The backlog may be 12 bytes, or one piece.
  @Test(
    arguments: [
      ([5, 5], [], true), ([5, 5, 5], [], false), ([5, 5, 5], [5], true), ([12], [], true), ([13], [], true),
      ([1, 13], [], false), ([13], [13], true),
    ] as [([Int], [Int], Bool)])
  func aClientThatTakesItsPiecesTooSlowlyIsClosed(pieces: [Int], taken: [Int], isKept: Bool) {
    var machine = Self.streaming()
    var last: [Action] = []
    for (index, size) in pieces.enumerated() {
      if index == pieces.count - 1 { for bytes in taken { machine.pieceSent(bytes, now: Self.start) } }
      last = machine.piece(ByteBuffer(string: Self.string(size)), now: Self.start)
    }
    #expect(last == (isKept ? [.sendPiece(ByteBuffer(string: Self.string(pieces.last ?? 0)))] : [.reset]))
  }

  @Test func aClientThatTakesNothingIsClosedInTime() {
    var machine = Self.streaming()
    _ = machine.piece(Self.piece, now: Self.seconds(100))
    _ = machine.piece(Self.piece, now: Self.seconds(130))
    #expect(machine.deadline == Self.seconds(160))
    // Each piece that the client accepts restarts the timeout.
    machine.pieceSent(5, now: Self.seconds(150))
    #expect(machine.elapsed(now: Self.seconds(160)) == [])
    #expect(machine.deadline == Self.seconds(210))
    #expect(machine.elapsed(now: Self.seconds(210)) == [.reset])
    machine.pieceSent(5, now: Self.seconds(210))
    #expect(machine.deadline == .distantFuture)
  }

  @Test func furtherRequestsBehindAStreamAreIgnored() {
    var machine = Self.streaming()
    let isParsed = machine.received(ByteBuffer(string: "GET / HTTP/1.1"))
    #expect(!isParsed)
    #expect(machine.ask(Self.head(.GET)) == [])
    // The connection is still read, to notice its end.
    #expect(machine.writabilityChanged(false, now: Self.start) == [])
    #expect(machine.inputClosed(now: Self.start) == [.close])
  }

  @Test func requestsThatWaitedAreDroppedWhenAStreamBegins() {
    var machine = Self.machine()
    _ = machine.ask(Self.head(.GET))
    #expect(machine.ask(Self.head(.GET, uri: "/2")) == [])
    #expect(machine.streaming(now: Self.start) == [])
    #expect(machine.streamEnded(now: Self.start) == [.finish])
  }

  @Test func aClientThatHasClosedItsSideGetsNoStream() {
    var machine = Self.machine()
    _ = machine.ask(Self.head(.GET))
    #expect(machine.inputClosed(now: Self.start) == [])
    #expect(machine.streaming(now: Self.start) == [.close])
  }

  // MARK: Time

  @Test func anIdleConnectionIsClosed() {
    var machine = Self.machine()
    #expect(machine.deadline == Self.seconds(60))
    _ = machine.ask(Self.head(.GET), at: Self.seconds(50))
    _ = machine.answered(now: Self.seconds(50))
    #expect(machine.elapsed(now: Self.seconds(60)) == [])
    #expect(machine.deadline == Self.seconds(110))
    #expect(machine.elapsed(now: Self.seconds(110)) == [.close])
  }

  @Test func anIncompleteRequestIsRefusedInTime() {
    var machine = Self.machine()
    for second in 20...29 as ClosedRange<Int64> {
      _ = machine.received(ByteBuffer(string: "x"))
      #expect(machine.parsed(now: Self.seconds(second)) == [])
      machine.readComplete(now: Self.seconds(second))
      #expect(machine.deadline == Self.seconds(30))
      #expect(machine.elapsed(now: Self.seconds(second)) == [])
    }
    #expect(machine.elapsed(now: Self.seconds(30)) == Self.refusal(.requestTimeout))
    #expect(machine.flushed(now: Self.seconds(31)) == [.closeOutput])
    #expect(machine.deadline == Self.seconds(33))
    #expect(machine.elapsed(now: Self.seconds(32)) == [])
    #expect(machine.elapsed(now: Self.seconds(33)) == [.close])
  }

  @Test func inputOfARefusedClientIsReadUntilTheClose() {
    var machine = Self.machine()
    _ = machine.head(Self.head(.POST), now: Self.start)
    #expect(machine.writabilityChanged(false, now: Self.start) == [.read(false)])
    #expect(machine.flushed(now: Self.start) == [.closeOutput, .read(true)])
  }

  @Test func busyConnectionsAreKnown() {
    var machine = Self.machine()
    // The connection is new, so its first request is probably on the way.
    #expect(machine.isBusy(now: .uptimeNanoseconds(999_999_999)))
    #expect(!machine.isBusy(now: Self.seconds(1)))
    _ = machine.received(ByteBuffer(string: "G"))
    #expect(machine.isBusy(now: Self.seconds(2)))
    _ = machine.ask(Self.head(.GET), at: Self.seconds(2))
    #expect(machine.isBusy(now: Self.seconds(2)))
    _ = machine.answered(now: Self.seconds(2))
    #expect(!machine.isBusy(now: Self.seconds(2)))
    #expect(machine.idleSince == Self.seconds(2))
    _ = machine.head(Self.head(.POST, ["Content-Length": "4"]), now: Self.seconds(3))
    #expect(machine.isBusy(now: Self.seconds(3)))
  }
}

extension HTTPConnectionMachine {
  /// A complete request without a body.
  fileprivate mutating func ask(_ request: HTTPRequestHead, at time: NIODeadline = .uptimeNanoseconds(0)) -> [Action] {
    head(request, now: time) + end(now: time)
  }
}

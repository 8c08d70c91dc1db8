import Testing

@testable import Conformance

@Suite struct WireLogTests {
  @Test func readsOfOneAnswerAreOneMessage() {
    let log = WireLog()
    let first = log.stream("TCP 192.0.2.7:80")
    let second = log.stream("event")
    first.sent("GET".utf8)
    first.received("HTTP".utf8)
    second.received("NOTIFY".utf8)
    first.received("/1.1".utf8)
    first.sent("HEAD".utf8)
    first.received("200".utf8)
    first.closed()
    let messages = log.exchange.first
    #expect(
      messages.map { String(decoding: $0.bytes, as: UTF8.self) } == ["GET", "HTTP/1.1", "NOTIFY", "HEAD", "200", ""])
    #expect(messages.map(\.direction) == [.sent, .received, .received, .sent, .received, .closed])
  }

  @Test func theLogIsBounded() {
    let log = WireLog()
    for number in 0..<100 { log.stream("UDP").sent("\(number)".utf8) }
    let stream = log.stream("TCP")
    for _ in 0..<100 { stream.received([UInt8](repeating: 0x61, count: 1000)) }
    let exchange = log.exchange
    #expect(exchange.first.map { String(decoding: $0.bytes, as: UTF8.self) } == (0..<8).map(String.init))
    #expect(exchange.last.count == 32)
    #expect(exchange.leftOut == 61)
    #expect(exchange.last.last?.length == 100_000)
    #expect(exchange.last.last?.bytes.count == 4096)
  }
}

@Suite struct PeerResultTests {
  @Test func resultsAreRead() {
    let text = """
      # made by a script
      pass uda/1/ignored before the first peer
      peer gmediarender 0.1
      pass uda/1.3.2/mx-empty avt/2.2/states

      fail uda/4.1.1/foreign-callback status 200; not 412
      maybe uda/x
      peer rygel
      skip avt/2.4.2/next it plays no music
      """
    #expect(
      PeerResult.read(text) == [
        PeerResult(check: "uda/1.3.2/mx-empty", peer: "gmediarender 0.1", verdict: .pass, note: ""),
        PeerResult(check: "avt/2.2/states", peer: "gmediarender 0.1", verdict: .pass, note: ""),
        PeerResult(
          check: "uda/4.1.1/foreign-callback", peer: "gmediarender 0.1", verdict: .fail, note: "status 200; not 412"),
        PeerResult(check: "avt/2.4.2/next", peer: "rygel", verdict: .skip, note: "it plays no music"),
      ])
  }
}

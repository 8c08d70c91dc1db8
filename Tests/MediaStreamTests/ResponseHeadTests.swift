import Testing

@testable import MediaStream

struct ResponseHeadTests {
  private func parse(_ text: String, pieces size: Int? = nil) -> ResponseHeadParser.Result {
    var parser = ResponseHeadParser()
    let bytes = Array(text.utf8)
    var result = ResponseHeadParser.Result.needsMore
    for start in stride(from: 0, to: bytes.count, by: size ?? bytes.count) {
      let piece = Array(bytes[start..<min(start + (size ?? bytes.count), bytes.count)])
      result = piece.withUnsafeBytes { parser.read($0) }
      if result != .needsMore { break }
    }
    return result
  }

  private func head(_ lines: String...) throws -> ResponseHead {
    guard case .head(let head, _) = parse(lines.joined(separator: "\r\n") + "\r\n\r\n") else {
      throw StreamFailure.malformed
    }
    return head
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK", 200), ("HTTP/1.0 206 Partial Content", 206), ("ICY 200 OK", 200), ("HTTP/1.1 404", 404),
    ("http/1.1 200 ok", 200), ("HTTP/1.1  200 OK", 200), ("\r\nHTTP/1.1 200 OK", 200), ("icy 401 no", 401),
  ])
  func statusLines(_ line: String, status: Int) throws {
    let text = line + "\r\nA: b\r\n\r\nbody"
    for size in [1, 3, 1000] {
      guard case .head(let head, _) = parse(text, pieces: size) else {
        Issue.record("\(line) in pieces of \(size)")
        continue
      }
      #expect(head.status == status)
      #expect(head["a"] == "b")
    }
  }

  @Test(arguments: [
    "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "HTTP/1.1 +20 OK\r\n\r\n", "ID3\u{3}",
    "220 ftp.example ESMTP\r\n\r\n", "<html>", "ICY\r\n\r\n",
  ])
  func otherAnswersAreMalformed(_ text: String) { #expect(parse(text) == .malformed) }

  @Test func aHeadMayEndItsLinesWithLineFeedsOnly() {
    let expected = ResponseHead(["HTTP/1.1 200 OK", "Content-Length: 3"])
    #expect(parse("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc") == expected.map { .head($0, consumed: 35) })
  }

  @Test func foldedAndBrokenLines() throws {
    let head = try head("HTTP/1.1 200 OK", "X: one", "  two", "without a colon", "Y :\t three ", ": nameless")
    #expect(head["x"] == "one two")
    #expect(head["y"] == "three")
  }

  /// Regression: such bytes became replacement characters, and the server did not find the file.
  @Test func aLocationInLatin1KeepsItsBytes() throws {
    let bytes = Array("HTTP/1.1 302 X\r\nLocation: /caf".utf8) + [0xE9] + Array("\r\nServer: é\r\n\r\n".utf8)
    var parser = ResponseHeadParser()
    guard case .head(let head, _) = bytes.withUnsafeBytes({ parser.read($0) }) else { throw StreamFailure.malformed }
    #expect(head["location"] == "/caf%E9")
    #expect(head["server"] == "é")
  }

  @Test func aHeadIsLimited() {
    #expect(parse("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 50_000)) == .malformed)
    #expect(parse("HTTP/1.1 200 " + String(repeating: "a", count: 300_000)) == .malformed)
    // Browsers accept heads of this size.
    #expect(parse("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 20_000) + "\r\n") != .malformed)
  }

  @Test(
    arguments: [
      (["5"], 5), (["0"], 0), ([" 5\t"], 5), (["5", "5"], 5), (["5, 5"], 5), (["007"], 7),
      (["1099511627775"], (1 << 40) - 1),
      (["5", "6"], nil), (["5, 6"], nil), (["5,"], nil), (["5", "x"], nil), ([""], nil), (["+5"], nil), (["-5"], nil),
      (["5 6"], nil), (["0x5"], nil), (["5.0"], nil), (["٥"], nil), (["1099511627776"], nil),
      (["9223372036854775807"], nil),
      (["9223372036854775808"], nil), (["18446744073709551614"], nil), (["18446744073709551615"], nil),
      (["99999999999999999999999"], nil), ([], nil),
    ] as [([String], Int?)])
  func contentLength(_ values: [String], length: Int?) throws {
    let lines = ["HTTP/1.1 200 OK"] + values.map { "Content-Length: \($0)" }
    #expect(try #require(ResponseHead(lines)).contentLength == length)
  }

  @Test(
    arguments: [
      ("bytes 5-9/100", 5, 100), ("bytes 5-9/*", 5, nil), ("bytes */100", nil, 100), ("bytes=5-9/100", 5, 100),
      ("BYTES: 5-9/100", 5, 100), ("bytes 5-9", 5, nil), ("bytes -1-9/100", nil, 100), ("lines 5-9/100", nil, nil),
      ("bytes 0-1/18446744073709551614", 0, nil), ("", nil, nil),
    ] as [(String, Int?, Int?)])
  func contentRange(_ value: String, start: Int?, size: Int?) throws {
    let range = try head("HTTP/1.1 206 Partial Content", "Content-Range: \(value)").contentRange
    #expect(range.start == start)
    #expect(range.size == size)
  }

  @Test(arguments: [
    (["chunked"], true), (["Chunked"], true), (["gzip, chunked"], true), (["identity"], false), ([], false),
    (["chunked, gzip"], false),
  ])
  func chunkedEncoding(_ values: [String], isChunked: Bool) throws {
    let head = try #require(ResponseHead(["HTTP/1.1 200 OK"] + values.map { "Transfer-Encoding: \($0)" }))
    #expect(head.isChunked == isChunked)
  }

  @Test(
    arguments: [("16000", 16_000), ("0", nil), ("-1", nil), ("x", nil), ("99999999999999999999", nil)]
      as [(String, Int?)])
  func titleInterval(_ value: String, interval: Int?) throws {
    #expect(try head("ICY 200 OK", "icy-metaint:\(value)").titleInterval == interval)
  }
}

@testable import MediaStream

/// What a media server sends: the head of an answer and its body, with chunks and titles. The first byte chooses the
/// framing.
enum AnswerTarget {
  private struct Outcome: Equatable {
    var head: ResponseHead?
    var isMalformed = false
    var sound: [UInt8] = []
    var titles: [String] = []
    var state = BodyDecoder.State.reading
  }

  static func test(_ input: UnsafeRawBufferPointer) {
    guard let first = input.first else { return }
    let bytes = UnsafeRawBufferPointer(rebasing: input.dropFirst())
    let interval = first & 1 == 0 ? nil : Int(first >> 1) + 1
    let whole = decode(bytes, interval, pieces: max(bytes.count, 1))
    // The split into packets must not change anything.
    let size = 1 + Int(input.reduce(UInt8(0)) { $0 &+ $1 }) % 61
    check(decode(bytes, interval, pieces: size) == whole, "pieces of \(size) change the answer")
    check(whole.sound.count <= bytes.count, "more sound than bytes")
    if let length = whole.head?.contentLength {
      check((0..<ResponseHead.longest).contains(length), "the length \(length)")
      check(whole.head?.isChunked == true || whole.sound.count <= length, "more sound than announced")
    }
    if let range = whole.head?.contentRange {
      check([range.start, range.size].allSatisfy { $0.map { $0 >= 0 } ?? true }, "the range \(range)")
    }
    if let head = whole.head { check((100...999).contains(head.status), "the status \(head.status)") }
    resolve(whole.head)
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer, _ interval: Int?, pieces size: Int) -> Outcome {
    var parser: ResponseHeadParser? = ResponseHeadParser()
    var decoder: BodyDecoder?
    var outcome = Outcome()
    for start in stride(from: 0, to: bytes.count, by: size) {
      var piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + size, bytes.count)])
      switch parser?.read(piece) {
      case .needsMore: continue
      case .malformed:
        outcome.isMalformed = true
        return outcome
      case .head(let head, let consumed):
        parser = nil
        outcome.head = head
        let framing: BodyDecoder.Framing =
          head.isChunked ? .chunked : head.contentLength.map { .length($0) } ?? .untilClose
        decoder = BodyDecoder(framing, titleInterval: interval)
        piece = UnsafeRawBufferPointer(rebasing: piece[consumed...])
      case nil: break
      }
      for part in decoder?.read(piece) ?? [] {
        switch part {
        case .sound(let range): outcome.sound += piece[range]
        case .title(let title): outcome.titles.append("\(outcome.sound.count) \(title)")
        }
      }
    }
    outcome.state = decoder?.state ?? .reading
    return outcome
  }

  /// A Location header leads to an address that can be requested, and cannot change the request.
  private static func resolve(_ head: ResponseHead?) {
    guard let location = head?["location"],
      let url = StreamURL("http://192.0.2.1/a/b?c")?.resolve(location)
    else { return }
    check(url.target.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "asks for \(url.target)")
    check(url.target.hasPrefix("/"), "the target \(url.target)")
    check(!url.authority.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "the host \(url.authority)")
    let request = StreamRequest(url: url, userAgent: "fuzz")
    let plain = request.text(for: url, from: 1, to: nil, cookies: nil, credentials: nil)
    let full = request.text(for: url, from: 1, to: nil, cookies: head?["set-cookie"] ?? "", credentials: "x")
    func lines(_ text: String) -> Int { text.utf8.count { $0 == UInt8(ascii: "\n") } }
    check(lines(full) == lines(plain) + 2, "another header in \(full)")
  }
}

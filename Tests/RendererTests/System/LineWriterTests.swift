import Glibc
import Testing

@testable import Renderer

@Suite(.timeLimit(.minutes(1)))
struct LineWriterTests {
  @Test func fullPipeBlocksNothingAndLosesNothing() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.input)
    for number in 1...3 { writer.write("line \(number)") }
    #expect(pipe.read(lines: 4) == [pipe.filling[...], "line 1", "line 2", "line 3"])
    writer.finish(within: 30)
  }

  @Test func linesBeyondTheCapacityAreDropped() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.input)
    for number in 0..<LineWriter.capacity + 10 { writer.write("line \(number)") }
    #expect(pipe.read(lines: LineWriter.capacity + 1).last == "line \(LineWriter.capacity - 1)")
    writer.finish(within: 30)
    // Later lines are written again.
    writer.write("more")
    #expect(pipe.read(lines: 1) == ["more"])
  }

  @Test func finishTimesOut() throws {
    let pipe = try FullPipe()
    let writer = LineWriter(descriptor: pipe.input)
    writer.write("never read in time")
    writer.finish(within: 1)
    #expect(pipe.read(lines: 2).last == "never read in time")
  }
}

/// A pipe with room for one line.
private struct FullPipe {
  let filling = String(repeating: "x", count: 4095)
  let input: CInt
  private let output: CInt

  init() throws {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    (output, input) = (ends[0], ends[1])
    let setPipeSize: CInt = 1031  // F_SETPIPE_SZ
    try #require(fcntl(input, setPipeSize, 4096) == 4096)
    try #require(write(input, filling + "\n", 4096) == 4096)
  }

  /// Reads this many lines, or up to the end.
  func read(lines count: Int) -> [Substring] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while bytes.count(where: { $0 == UInt8(ascii: "\n") }) < count {
      let length = Glibc.read(output, &buffer, buffer.count)
      guard length > 0 else { break }
      bytes += buffer[..<length]
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  }
}

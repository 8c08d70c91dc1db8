import Foundation
import Glibc
import Logging
import Testing

@testable import Renderer

@Suite struct LogOutputTests {
  /// A pipe that the test reads.
  private final class Pipe {
    let write: Int32
    private let read: Int32

    init() throws {
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (read, write) = (ends[0], ends[1])
      _ = fcntl(read, F_SETFL, O_NONBLOCK)
    }

    deinit {
      close(read)
      close(write)
    }

    /// Everything in the pipe.
    func lines() -> [String] {
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let count = Glibc.read(read, &bytes, bytes.count)
      return String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n").map(String.init)
    }
  }

  @Test(arguments: [
    (Logger.Level.debug, "<7>"), (.info, "<6>"), (.notice, "<5>"), (.warning, "<4>"), (.error, "<3>"),
    (.critical, "<2>"),
  ])
  func journalGetsPriorities(level: Logger.Level, prefix: String) throws {
    let pipe = try Pipe()
    LogOutput(level: .trace, descriptor: pipe.write, isJournal: true).logger().log(level: level, "Something happened")
    #expect(pipe.lines() == [prefix + "Something happened"])
  }

  @Test func otherReadersGetTheTime() throws {
    let pipe = try Pipe()
    LogOutput(level: .info, descriptor: pipe.write).logger().warning("Something happened")
    let line = try #require(pipe.lines().first)
    #expect(line.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} warning: Something happened/) != nil)
  }

  @Test func metadataIsWrittenAtDebugOnly() throws {
    let pipe = try Pipe()
    let logger = LogOutput(level: .debug, descriptor: pipe.write, isJournal: true).logger()
    logger.debug("Step", metadata: ["b": "2", "a": "1"])
    logger.info("Fact", metadata: ["a": "1"])
    #expect(pipe.lines() == ["<7>Step a=1 b=2", "<6>Fact"])
  }

  @Test func levelAppliesToLoggersWithoutTheirOwn() throws {
    let pipe = try Pipe()
    let output = LogOutput(level: .info, descriptor: pipe.write, isJournal: true)
    let logger = output.logger()
    var quiet = logger
    quiet.logLevel = .warning
    logger.debug("1")
    output.level = .debug
    logger.debug("2")
    quiet.debug("3")
    #expect(pipe.lines() == ["<7>2"])
  }

  @Test(arguments: [
    ("\u{9B}31mred", " 31mred"),
    ("a\nb\r\u{1B}[31mc\u{7F}\u{9B}1m", "a b  [31mc  1m"),
    (String(repeating: "ä", count: 600), String(repeating: "ä", count: 500) + "…"),
  ])
  func dataFromPeersIsOneShortLine(text: String, line: String) throws {
    #expect(LogLine(level: .info, text: text).text == line)
  }

  @Test func slowReaderDoesNotBlock() throws {
    let pipe = try Pipe()
    let output = LogOutput(level: .debug, descriptor: pipe.write, isJournal: true)
    let logger = output.logger()
    // Write more lines than the pipe holds.
    for number in 0..<10_000 { logger.debug("Line \(number) \(String(repeating: "x", count: 200))") }
    let taken = pipe.lines().count
    #expect(taken < 10_000)
    logger.info("Awake")
    #expect(pipe.lines() == ["<4>\(10_000 - taken) log lines were dropped because nothing read them", "<6>Awake"])
  }

  @Test func keepsTheLastProblems() throws {
    let pipe = try Pipe()
    let output = LogOutput(level: .info, descriptor: pipe.write)
    for number in 1...12 { output.logger().warning("\(number)") }
    output.logger().notice("no problem")
    #expect(output.problems.map(\.text) == (3...12).map { "\($0)" })
  }
}

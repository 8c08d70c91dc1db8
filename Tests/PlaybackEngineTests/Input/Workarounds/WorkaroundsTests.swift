import PlaybackTestKit
import Testing

@testable import PlaybackEngine

struct WorkaroundsTests {
  /// This file is Tests/PlaybackEngineTests/Input/Workarounds/WorkaroundsTests.swift.
  private static let root = #filePath.split(separator: "/").dropLast(5).map { "/" + $0 }.joined()

  private static func read(_ path: String) throws -> String {
    String(decoding: try readFile(root + "/" + path), as: UTF8.self)
  }

  @Test(arguments: Workaround.all.map(\.file)) func theFileSaysThatItIsAWorkaround(_ file: String) throws {
    #expect(try Self.read("Sources/Playback/" + file).contains("Workaround: "))
  }

  @Test func thePageShowsTheList() throws {
    let lines = try Self.read("docs/gstreamer-workarounds.md").split(separator: "\n").filter { $0.hasPrefix("|") }
    let rows = Workaround.all.map { "| \($0.defect) | `\($0.file)` | \($0.versions.rawValue) |" }
    #expect(lines.dropFirst(2).map(String.init) == rows)
  }
}

import Foundation
import Testing

@testable import Playback

@Suite struct StateFolderTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "swiftlet-\(UUID())").path(
    percentEncoded: false)

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  @Test func makesTheFolderAndThoseAboveIt() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path + "/a/b//")
    #expect(folder.path == path + "/a/b")
    try folder.write("text", to: "file")
    #expect(try folder.read("file") == "text")
  }

  @Test func replacesAFileWhole() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    #expect(try folder.read("file") == nil)
    let long = String(repeating: "0123456789", count: 10_000)
    try folder.write(long, to: "file")
    #expect(try folder.read("file") == long)
    try folder.write("", to: "file")
    #expect(try folder.read("file") == "")
    #expect(try files() == ["file"])
  }

  @Test func setsAFileAside() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    try folder.write("broken", to: "file")
    let aside = try folder.setAside("file")
    #expect(try folder.read(aside) == "broken")
    #expect(try folder.read("file") == nil)
  }

  @Test func whatWasSetAsideBeforeStays() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    // More than fit into one second.
    for number in 0..<50 {
      try folder.write("\(number)", to: "file")
      _ = try folder.setAside("file")
    }
    #expect(Set(try files().map { try folder.read($0) }) == Set((0..<50).map { "\($0)" }))
  }

  @Test func saysWhatIsWrong() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(filePath: path))
    #expect(throws: StateError.self) { try StateFolder(path: path) }
    let error = #expect(throws: StateError.self) { try StateFolder(path: path + "/below") }
    #expect(error?.description == "Cannot make \(path)/below: not a directory.")
  }

  @Test func isOneProgramsAloneForAsLongAsThatHasIt() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var first: StateFolder? = try StateFolder(path: path).locked()
    let error = #expect(throws: StateError.self) { try StateFolder(path: path).locked() }
    #expect(error?.description == "Another program keeps its state in \(path), process \(getpid()).")
    let copy = first
    first = nil
    #expect(throws: StateError.self) { try StateFolder(path: path).locked() }
    #expect(copy?.path == path)
  }

  @Test func whoeverComesAfterHasTheFolder() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    for _ in 0..<2 { try StateFolder(path: path).locked().write("text", to: "file") }
    #expect(try StateFolder(path: path).read("file") == "text")
  }

  @Test func aFileThatCannotBeReadIsNotTakenForNone() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    try FileManager.default.createDirectory(atPath: path + "/file", withIntermediateDirectories: false)
    #expect(throws: StateError.self) { try folder.read("file") }
  }
}

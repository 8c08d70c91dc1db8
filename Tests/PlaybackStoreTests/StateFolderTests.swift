import Foundation
import Testing

@testable import PlaybackStore

@Suite struct StateFolderTests {
  private let path = FileManager.default.temporaryDirectory.appending(path: "swiftlet-\(UUID())").path(
    percentEncoded: false)

  private func files() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }

  private func write(_ text: String, to name: String) throws {
    try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"))
  }

  private func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: "\(path)/\(name)")), as: UTF8.self)
  }

  @Test func createsFolderAndParents() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path + "/a/b//")
    #expect(folder.path == path + "/a/b")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path + "/a") == ["b"])
  }

  @Test func setsFileAsideWithCompanions() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    for name in ["file", "file-wal", "other"] { try write(name, to: name) }
    let aside = try folder.setAside("file", with: ["-wal", "-shm"])
    #expect(try files() == [aside, aside + "-wal", "other"])
    #expect(try read(aside) == "file")
    #expect(try read(aside + "-wal") == "file-wal")
  }

  @Test func earlierFilesSetAsideStay() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try StateFolder(path: path)
    // Several files per second, so that names with the same timestamp are numbered.
    for number in 0..<50 {
      try write("\(number)", to: "file")
      _ = try folder.setAside("file")
    }
    #expect(Set(try files().map(read)) == Set((0..<50).map { "\($0)" }))
  }

  @Test func saysWhatIsWrong() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    try Data().write(to: URL(filePath: path))
    #expect(throws: StateError.self) { try StateFolder(path: path) }
    let error = #expect(throws: StateError.self) { try StateFolder(path: path + "/below") }
    #expect(error?.description == "Cannot create \(path)/below: not a directory.")
  }

  @Test func lockIsExclusive() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    var first: StateFolder? = try StateFolder(path: path).locked()
    let error = #expect(throws: StateError.self) { try StateFolder(path: path).locked() }
    #expect(error?.description == "Another program uses the state folder \(path): process \(getpid()).")
    let copy = first
    first = nil
    #expect(throws: StateError.self) { try StateFolder(path: path).locked() }
    #expect(copy?.path == path)
  }

  @Test func lockIsReleasedWhenOwnerDies() throws {
    defer { try? FileManager.default.removeItem(atPath: path) }
    for _ in 0..<2 { _ = try StateFolder(path: path).locked() }
  }
}

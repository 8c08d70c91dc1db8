import Foundation
import Testing

/// A folder that is deleted after the test.
final class TemporaryFolder {
  let path: String

  init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "swiftlet-\(Foundation.UUID())")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path(percentEncoded: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Creates missing folders.
  func write(_ text: String, to file: String) {
    let url = URL(filePath: path).appending(path: file)
    try? FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    #expect(throws: Never.self) { try text.write(to: url, atomically: false, encoding: .utf8) }
  }

  func read(_ file: String) -> String? { try? String(contentsOfFile: "\(path)/\(file)", encoding: .utf8) }

  var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }
}

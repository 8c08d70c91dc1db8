import FuzzTargets
import Glibc
import Testing

/// Replays the corpus that every fuzzing run starts with. It includes every input that has ever violated a property.
@Suite(.serialized) struct CorpusTests {
  @Test(arguments: FuzzTarget.allCases) func holdsForEveryKnownInput(target: FuzzTarget) throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(2).joined(separator: "/") + "/Corpus/\(target.rawValue)"
    let names = try #require(Self.names(in: folder))
    #expect(!names.isEmpty)
    for name in names {
      let input = try #require(Self.bytes(of: "\(folder)/\(name)"))
      let violations = input.withUnsafeBytes(target.test)
      #expect(violations == [], "\(name)")
    }
  }

  private static func names(in folder: String) -> [String]? {
    guard let directory = opendir(folder) else { return nil }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  private static func bytes(of path: String) -> [UInt8]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return bytes
  }
}

import Glibc

/// A folder that is deleted on deinit.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    var template = Array("/tmp/swiftlet-test-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw SetupError("mkdtemp: \(errno)") }
    path = String(cString: made)
  }

  deinit {
    for name in names { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  /// The files in it, sorted by name.
  package var names: [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// A copy of the files, as a kill at this moment would leave them.
  package func copy() throws -> TemporaryFolder {
    let copy = try TemporaryFolder()
    for name in names { try copy.write(name, read(name)) }
    return copy
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    guard let file = fopen("\(path)/\(name)", "w") else { throw SetupError("fopen: \(errno)") }
    defer { fclose(file) }
    guard fwrite(bytes, 1, bytes.count, file) == bytes.count else { throw SetupError("fwrite: \(errno)") }
  }

  package func read(_ name: String) throws -> [UInt8] { try readFile("\(path)/\(name)") }
}

package func readFile(_ path: String) throws -> [UInt8] {
  guard let file = fopen(path, "r") else { throw SetupError("\(path): \(errno)") }
  defer { fclose(file) }
  fseek(file, 0, SEEK_END)
  var bytes = [UInt8](repeating: 0, count: ftell(file))
  rewind(file)
  let count = fread(&bytes, 1, bytes.count, file)
  bytes.removeLast(bytes.count - count)
  return bytes
}

import Glibc

/// Reads files of the project, such as docs with tables that tests compare.
enum ProjectFile {
  struct Missing: Error { var path: String }

  /// - Parameter path: relative to the project folder.
  static func text(_ path: String) throws -> String {
    let root = #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    guard let file = fopen("\(root)/\(path)", "r") else { throw Missing(path: path) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    while case let byte = fgetc(file), byte != EOF { bytes.append(UInt8(byte)) }
    return String(decoding: bytes, as: UTF8.self)
  }
}

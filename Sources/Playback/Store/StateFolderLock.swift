import Glibc

/// The mark that a running program has a state folder for itself. It goes with the program, however that ends.
final class StateFolderLock: Sendable {
  private static let file = "lock"

  private let descriptor: Int32

  /// - Throws: where another program has it, which is named.
  init(folder: String) throws(StateError) {
    let path = "\(folder)/\(Self.file)"
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw StateError(doing: "write", path: path) }
    // A file system that knows no locks is no reason not to run.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK else {
      defer { close(descriptor) }
      throw StateError(taken: folder, by: Self.owner(descriptor))
    }
    let owner = Array("\(getpid())\n".utf8)
    ftruncate(descriptor, 0)
    // Without it only the name of the owner is missing.
    _ = pwrite(descriptor, owner, owner.count, 0)
  }

  deinit { close(descriptor) }

  private static func owner(_ descriptor: Int32) -> Int? {
    var bytes = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Int(String(decoding: bytes.prefix(max(count, 0)).prefix { $0 != 0x0A }, as: UTF8.self))
  }
}

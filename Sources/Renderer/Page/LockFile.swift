import Glibc
import Logging
import Page

/// Stores the PIN of the party lock as a hash in a file of its own, so that an owner who forgot the PIN can delete it.
enum LockFile {
  static let name = "page.lock"

  /// Reads the file, which need not exist. Blocks on the disk.
  static func storage(_ file: StateFile, logger: Logger) -> PartyLock.Storage {
    PartyLock.Storage(saved: read(file, logger: logger)) { hash in file.keep(hash.map { $0.text + "\n" } ?? "") }
  }

  private static func read(_ file: StateFile, logger: Logger) -> PINHash? {
    guard access(file.path, F_OK) == 0 else { return nil }
    let text = try? ConfigurationFile(path: file.path).text
    if text == "" { return nil }
    if let line = text?.split(separator: "\n").first, let hash = PINHash(text: String(line)) { return hash }
    let other = file.setAside() ?? file.path
    logger.warning(
      "Cannot read the PIN of the party lock, so the speaker is not locked. The file is now \(other).")
    return nil
  }
}

import Glibc
import Logging
import PlaybackStore
import ServiceLifecycle
import Synchronization

/// A small text file in the state folder, replaced as a whole.
///
/// `keep` returns at once. The service writes at most once a second, so that a kill loses at most the last second. A
/// full or broken disk is logged once; the text is written when the disk works again.
final class StateFile: Service {
  private static let interval = Duration.seconds(1)
  private static let retryInterval = Duration.seconds(5)

  let path: String
  private let folder: StateFolder
  private let logger: Logger
  private let latest = Mutex("")
  /// Coalesces changes until they are written.
  private let changes: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation

  init(_ name: String, in folder: StateFolder, logger: Logger) {
    path = "\(folder.path)/\(name)"
    self.folder = folder
    self.logger = logger
    (changes, changed) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
  }

  /// Renames a damaged file instead of overwriting it. Blocks on the disk.
  /// - Returns: the new path; nil if that fails, which is logged.
  func setAside() -> String? {
    do throws(StateError) {
      let name = path.dropFirst(folder.path.count + 1)
      return try "\(folder.path)/\(folder.setAside(String(name)))"
    } catch {
      logger.warning("\(error)")
      return nil
    }
  }

  /// Replaces the text. Returns at once, on any thread.
  func keep(_ text: String) {
    latest.withLock { $0 = text }
    changed.yield()
  }

  func run() async {
    await withGracefulShutdownHandler {
      // The stream still delivers changes from before the shutdown.
      for await _ in changes { await write() }
    } onGracefulShutdown: { [changed] in
      changed.finish()
    }
  }

  /// Writes the text. Retries until it succeeds or the program ends.
  private func write() async {
    var report = WriteReport(of: path, logger: logger)
    while true {
      do throws(StateError) {
        try FileReplacement.write(latest.withLock(\.self), to: path)
        report.note(nil)
        await pause(Self.interval)
        return
      } catch {
        report.note(error)
        guard await pause(Self.retryInterval) else { return }
      }
    }
  }

  /// - Returns: false if the program ends.
  @discardableResult
  private func pause(_ time: Duration) async -> Bool {
    do {
      return try await cancelWhenGracefulShutdown {
        try await Task.sleep(for: time)
        return true
      }
    } catch {
      return false
    }
  }
}

/// Replaces a file so that a reader, or a start after a power cut, sees either the old text or the new one.
enum FileReplacement {
  /// Only the owner can read the new file. Blocks until it survives a power cut.
  static func write(_ text: String, to path: String) throws(StateError) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw StateError(doing: "write", path: temporary) }
    let isWritten = put(Array(text.utf8), into: descriptor) && fsync(descriptor) == 0
    let reason = errno
    close(descriptor)
    guard isWritten, rename(temporary, path) == 0 else {
      if !isWritten { errno = reason }
      let error = StateError(doing: "write", path: path)
      unlink(temporary)
      throw error
    }
    syncFolder(of: path)
  }

  private static func put(_ bytes: [UInt8], into descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Makes the rename survive a power cut. Some file systems cannot; then the old text may return.
  private static func syncFolder(of path: String) {
    guard let slash = path.lastIndex(of: "/") else { return }
    let descriptor = open(String(path[...slash]), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }
}

import CLinux
import Glibc

/// Watches folders for changed files (inotify(7)).
final class FolderWatch {
  enum Event: Equatable {
    /// Files in the folder have changed.
    case files(folder: Int64)
    /// A folder in the folder has appeared or disappeared.
    case subfolder(folder: Int64, name: String)
    /// Events were lost.
    case overflow
  }

  private static let mask = UInt32(
    IN_CREATE | IN_CLOSE_WRITE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE | IN_ATTRIB | IN_ONLYDIR | IN_EXCL_UNLINK)

  let descriptor: Int32
  private var folders: [Int32: Int64] = [:]
  /// Whether the system allows no more watches.
  private(set) var isFull = false

  init() { descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC)) }

  deinit { if descriptor >= 0 { close(descriptor) } }

  var isEmpty: Bool { folders.isEmpty }

  /// Watches an open folder. Adding one again has no effect.
  func add(_ folder: OpenFolder, id: Int64) {
    // The path of the descriptor leads to the very folder that is open.
    let watch = inotify_add_watch(descriptor, "/proc/self/fd/\(folder.descriptor)", Self.mask)
    if watch >= 0 { folders[watch] = id } else if errno == ENOSPC || errno == ENOMEM { isFull = true }
  }

  /// Reads the waiting events.
  func events() -> [Event] {
    var events: [Event] = []
    var buffer = [UInt8](repeating: 0, count: 16384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return events }
      buffer.withUnsafeBytes { events += parse(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  private func parse(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    var events: [Event] = []
    var offset = 0
    let header = MemoryLayout<inotify_event>.size
    while offset + header <= bytes.count {
      let event = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      let name = bytes[(offset + header)..<min(offset + header + Int(event.len), bytes.count)].prefix { $0 != 0 }
      offset += header + Int(event.len)
      if event.mask & UInt32(IN_Q_OVERFLOW) != 0 {
        events.append(.overflow)
      } else if event.mask & UInt32(IN_IGNORED) != 0 {
        folders[event.wd] = nil
      } else if let folder = folders[event.wd] {
        // An event without a name is about the folder itself, such as other rights.
        let isFolder = event.mask & UInt32(IN_ISDIR) != 0 && !name.isEmpty
        events.append(
          isFolder ? .subfolder(folder: folder, name: String(decoding: name, as: UTF8.self)) : .files(folder: folder))
      }
    }
    return events
  }
}

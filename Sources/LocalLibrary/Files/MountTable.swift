import Glibc

/// The mounted file systems, by mount point (proc_pid_mountinfo(5)).
struct MountTable: Equatable {
  static let path = "/proc/self/mountinfo"

  struct Mount: Equatable {
    var type: String
    var source: String
    /// The folder of the file system that is mounted.
    var root: String
  }

  /// File systems of other machines, whose changes inotify does not report.
  private static let remoteTypes: Set = ["nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "fuse.sshfs", "fuse.rclone"]

  private(set) var mounts: [String: Mount] = [:]

  /// Whether the kernel does not see all changes at a mount point.
  func isRemote(_ mountPoint: String) -> Bool {
    mounts[mountPoint].map { Self.remoteTypes.contains($0.type) } ?? false
  }

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 2 else { continue }
      // The last mount hides earlier ones at the same place.
      mounts[Self.unescaped(fields[4])] = Mount(
        type: String(fields[dash + 1]), source: Self.unescaped(fields[dash + 2]), root: Self.unescaped(fields[3]))
    }
  }

  /// The mount point of the file system that contains a path.
  func mountPoint(of path: String) -> String {
    var path = path[...]
    while !path.isEmpty, mounts[String(path)] == nil { path = path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }
    return path.isEmpty ? "/" : String(path)
  }

  /// Identifies a disk, so that its files are recognised when it returns. Names such as /dev/sdb1 change, so that a disk is known
  /// by its size.
  /// - Parameter blocks: the size of the file system.
  func volume(at mountPoint: String, blocks: UInt64) -> Int64 {
    let mount = mounts[mountPoint] ?? Mount(type: "", source: "", root: "")
    let name = mount.source.hasPrefix("/dev/") ? "\(blocks)" : "\(mount.source)\u{1F}\(mount.root)"
    return LibraryID.hash("volume", [mountPoint, mount.type, name].joined(separator: "\u{1F}"))
  }

  /// Mount points below a folder, or above it, that differ from another table.
  func changes(from other: MountTable, near folder: String) -> Set<String> {
    let points = Set(mounts.keys).union(other.mounts.keys)
    return points.filter { point in
      mounts[point] != other.mounts[point]
        && (LibrarySettings.isBelow(point, folder) || LibrarySettings.isBelow(folder, point))
    }
  }

  /// Blanks and backslashes are written as `\040` and `\134`.
  private static func unescaped(_ field: Substring) -> String {
    guard field.contains("\\") else { return String(field) }
    var bytes: [UInt8] = []
    var rest = Array(field.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), rest.count >= 3,
        let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
      {
        bytes.append(code)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

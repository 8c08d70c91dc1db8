import Glibc

/// Distinguishes this machine from one with a copy of its SD card, by the board's serial number and the permanent addresses
/// of network cards.
struct MachineIdentity: Equatable {
  /// `board:SERIAL` and `mac:ADDRESS`.
  var marks: Set<String>

  /// Whether the two have a mark in common. True if either has none.
  func isSameMachine(as stored: MachineIdentity) -> Bool {
    marks.isEmpty || stored.marks.isEmpty || !marks.isDisjoint(with: stored.marks)
  }

  /// - Parameter root: the parent folder of `/sys`; another one in tests.
  static func current(root: String = "") -> MachineIdentity {
    var marks: Set<String> = []
    // Do not read the link /proc/device-tree: the service sees only processes in /proc.
    for file in ["/sys/firmware/devicetree/base/serial-number", "/sys/class/dmi/id/product_uuid"] {
      if let serial = firstLine(root + file), !serial.isEmpty { marks.insert("board:\(serial)") }
    }
    let interfaces = root + "/sys/class/net"
    for name in entries(of: interfaces) {
      // Only cards have `device`; 0 is a permanent address (Documentation/ABI/testing/sysfs-class-net).
      guard access("\(interfaces)/\(name)/device", F_OK) == 0,
        firstLine("\(interfaces)/\(name)/addr_assign_type") == "0",
        let address = firstLine("\(interfaces)/\(name)/address"), address != "00:00:00:00:00:00"
      else { continue }
      marks.insert("mac:\(address)")
    }
    return MachineIdentity(marks: marks)
  }

  private static func firstLine(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let bytes = buffer.prefix { $0 > 0x20 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func entries(of folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

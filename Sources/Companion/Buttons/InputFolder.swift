import Glibc

/// Lists, opens and watches input devices. Tests use a source without a kernel.
protocol InputSource: Sendable {
  /// All connected devices, even those that this user may not read.
  func list() -> [InputDevice]
  func open(_ device: InputDevice, grabs: Bool) throws(InputError) -> InputNode
  /// Calls the body whenever a device may have come, gone or changed its permissions, until the result is released.
  @CompanionActor func watch(_ body: @escaping @CompanionActor @Sendable () -> Void) -> AnyObject?
}

struct InputDevice: Sendable, Hashable {
  let path: String
  let identity: InputIdentity
}

/// The devices in /dev/input.
struct InputFolder: InputSource {
  private static let folder = "/dev/input"

  func list() -> [InputDevice] {
    let numbers = Self.names(in: Self.folder).compactMap { name in
      name.hasPrefix("event") ? UInt(name.dropFirst("event".count)) : nil
    }
    return numbers.sorted().compactMap { number in
      let path = "\(Self.folder)/event\(number)"
      return Self.identity("event\(number)", path).map { InputDevice(path: path, identity: $0) }
    }
  }

  func open(_ device: InputDevice, grabs: Bool) throws(InputError) -> InputNode {
    try InputNode(path: device.path, identity: device.identity, grabs: grabs)
  }

  @CompanionActor func watch(_ body: @escaping @CompanionActor @Sendable () -> Void) -> AnyObject? {
    InputFolderWatch(folder: Self.folder, body)
  }

  /// Reads the identity from sysfs, which needs no rights on the device; without sysfs, from the device.
  private static func identity(_ name: String, _ path: String) -> InputIdentity? {
    func attribute(_ attribute: String) -> String? { line("/sys/class/input/\(name)/device/\(attribute)") }
    if let name = attribute("name") {
      return InputIdentity(name: name, address: attribute("uniq") ?? "", place: attribute("phys") ?? "")
    }
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return InputIdentity(descriptor: descriptor)
  }

  private static func line(_ path: String) -> String? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return names
  }
}

/// Watches the folder of the input devices with inotify. The folder does not exist while there are no devices; then
/// this watches the parent until it does.
@CompanionActor private final class InputFolderWatch {
  private static let changes = UInt32(IN_CREATE | IN_DELETE | IN_ATTRIB | IN_MOVED_TO | IN_DELETE_SELF | IN_ONLYDIR)

  private let folder: String
  private let parent: String
  private let inotify: Int32
  private var watch: DescriptorWatch?
  /// The inotify watch of the parent; nil while the folder itself is watched.
  private var parentWatch: Int32?
  private let body: @CompanionActor @Sendable () -> Void

  init?(folder: String, _ body: @escaping @CompanionActor @Sendable () -> Void) {
    inotify = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
    guard inotify >= 0 else { return nil }
    self.folder = folder
    parent = String(folder[..<(folder.lastIndex(of: "/") ?? folder.endIndex)])
    self.body = body
    aim()
    watch = DescriptorWatch(inotify, events: POLLIN) { [weak self] _ in self?.changed() }
  }

  deinit {
    watch?.cancel()
    close(inotify)
  }

  /// Watches the folder, or its parent.
  private func aim() {
    if inotify_add_watch(inotify, folder, Self.changes) >= 0 {
      if let parentWatch { inotify_rm_watch(inotify, parentWatch) }
      parentWatch = nil
    } else {
      parentWatch = inotify_add_watch(inotify, parent, UInt32(IN_CREATE | IN_ONLYDIR))
    }
  }

  private func changed() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    var isGone = false
    while true {
      let count = read(inotify, &bytes, bytes.count)
      guard count > 0 else { break }
      isGone = isGone || Self.endsWatch(bytes[..<count])
    }
    if isGone || parentWatch != nil { aim() }
    body()
  }

  /// Whether the kernel has ended a watch, because the folder is gone.
  private static func endsWatch(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var offset = 0
      while offset + MemoryLayout<inotify_event>.size <= buffer.count {
        let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
        if event.mask & UInt32(IN_IGNORED) != 0 { return true }
        offset += MemoryLayout<inotify_event>.size + Int(event.len)
      }
      return false
    }
  }
}

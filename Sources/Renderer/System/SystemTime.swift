import CLinux
import Glibc
import PlaybackModel
import SpeakerCore

/// The machine's clock and time zone. Used on the event loop.
struct SystemTime: AlarmTime {
  /// The root of the paths, for tests.
  var root = ""
  /// Asked if nothing else tells the time of day; nil for none.
  var timeServer: TimeServer?

  // MARK: Clock

  func now() -> AlarmMoment {
    // Notices a change of /etc/localtime.
    tzset()
    var wall = timespec()
    clock_gettime(CLOCK_REALTIME, &wall)
    return AlarmMoment(
      wall: .seconds(wall.tv_sec) + .nanoseconds(wall.tv_nsec), time: .now, trust: trust(at: Int64(wall.tv_sec)))
  }

  /// - Parameters:
  ///   - time: seconds since 1970.
  ///   - kernel: whether the kernel says that a time server sets the clock; nil if it may not be asked.
  func trust(at time: Int64, kernel: Bool? = Self.kernel) -> ClockTrust {
    let isSynchronized = kernel == true || access(root + "/run/systemd/timesync/synchronized", F_OK) == 0
    var trust = ClockTrust(
      isSynchronized: isSynchronized, hardwareClock: isSynchronized ? nil : hardwareClock, isBoard: isBoard)
    if kernel == nil, !trust.isSet(time, wasSet: false), let answer = timeServer?.answer {
      (trust.isSynchronized, trust.isAsking) = answer
    }
    return trust
  }

  private static var kernel: Bool? {
    let answer = swiftlet_clock_is_synchronized()
    return answer < 0 ? nil : answer != 0
  }

  /// The time of the first hardware clock that has a time.
  private var hardwareClock: Int64? {
    (0..<4).lazy.compactMap { number in
      Self.line(root + "/sys/class/rtc/rtc\(number)/since_epoch").flatMap { UInt32($0) }.map { Int64($0) }
    }.first
  }

  /// Whether the machine is an ARM board. A container may hide the device tree, but not the architecture.
  private var isBoard: Bool {
    #if arch(arm) || arch(arm64)
      true
    #else
      access(root + "/sys/firmware/devicetree/base/model", F_OK) == 0
    #endif
  }

  private static func line(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 256)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
    let bytes = buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }
    return String(decoding: bytes, as: UTF8.self)
  }

  // MARK: Time zone

  func offset(at time: Int64) -> Int64 {
    var (time, parts) = (time_t(time), tm())
    return localtime_r(&time, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
  }

  /// The name of the time zone in `TZ`, else that of the machine.
  var zoneName: String {
    if let name = getenv("TZ").map({ String(cString: $0) }), !name.isEmpty {
      return name.hasPrefix(":") ? String(name.dropFirst()) : name
    }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    if readlink(root + "/etc/localtime", &target, target.count - 1) > 0 {
      let path = String(decoding: target.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let folder = path.firstRange(of: "zoneinfo/") { return String(path[folder.upperBound...]) }
    }
    return Self.line(root + "/etc/timezone") ?? "UTC"
  }
}

/// The name of a time zone that the machine knows, such as `Europe/Berlin`.
enum TimeZoneName {
  private static let folder = "/usr/share/zoneinfo"

  static func exists(_ name: String) -> Bool {
    let isPlain = name.utf8.allSatisfy { byte in
      "/_+-".utf8.contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
    guard isPlain, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("/"),
      let file = fopen("\(folder)/\(name)", "re")
    else { return false }
    defer { fclose(file) }
    var magic = [UInt8](repeating: 0, count: 4)
    return fread(&magic, 1, 4, file) == 4 && magic == Array("TZif".utf8)
  }

  /// Sets the time zone of the process. Call it before there are threads.
  static func use(_ name: String) {
    setenv("TZ", ":" + name, 1)
    tzset()
  }
}

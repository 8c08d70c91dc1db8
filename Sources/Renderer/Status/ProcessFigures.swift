import Glibc

/// What the program takes.
struct ProcessFigures: Equatable {
  var residentBytes = 0
  var cpuSeconds = 0.0
  var openFiles = 0

  /// This process's, from the kernel.
  static func current() -> ProcessFigures {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) / 1e6 }
    return ProcessFigures(residentBytes: residentBytes, cpuSeconds: times[0] + times[1], openFiles: openFiles)
  }

  /// The second figure of statm, in pages (proc(5)).
  private static var residentBytes: Int {
    guard let file = fopen("/proc/self/statm", "re") else { return 0 }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 128)
    guard fgets(&buffer, Int32(buffer.count), file) != nil else { return 0 }
    let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  private static var openFiles: Int {
    guard let directory = opendir("/proc/self/fd") else { return 0 }
    defer { closedir(directory) }
    var count = 0
    while readdir(directory) != nil { count += 1 }
    // Itself, and the two that every directory has.
    return max(0, count - 3)
  }
}

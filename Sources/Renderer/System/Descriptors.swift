import Glibc

/// Standard input, output and error of the process.
public enum StandardStreams {
  /// Opens `/dev/null` for those that are closed. Otherwise the next file or socket would get their number, and messages
  /// for the user would be written into it.
  public static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // Takes the lowest free number, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}

/// The limit of open files and sockets of the process.
enum DescriptorLimit {
  private static let wanted: rlim_t = 4096
  /// Descriptors for playback, networks, state and hooks.
  static let reserve = 64

  /// Raises the limit to 4096, or to the hard limit if that is lower.
  /// - Returns: the limit, at most 4096.
  static func raise() -> Int {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return Int(wanted) }
    if limit.rlim_cur < wanted {
      let before = limit.rlim_cur
      limit.rlim_cur = min(wanted, limit.rlim_max)
      if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) != 0 { limit.rlim_cur = before }
    }
    return Int(min(limit.rlim_cur, wanted))
  }
}

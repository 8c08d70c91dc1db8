import DeviceStack
import Glibc

/// How many files and sockets the program may have open at once.
enum Descriptors {
  private static let wanted: rlim_t = 4096
  /// For the sound, the networks, the state and the commands on events.
  private static let own = 64

  /// Raises the limit as far as is allowed and of use.
  /// - Returns: the limit then.
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

  /// How many HTTP connections there may be where so many descriptors are allowed: those to subscribers want some as well.
  static func connections(of limit: Int) -> Int { min(HTTPLimits().connections, max(8, (limit - own) / 3)) }
}

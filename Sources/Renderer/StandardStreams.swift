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

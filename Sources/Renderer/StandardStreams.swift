import Glibc

/// Input, output and errors of this program, as whoever started it left them.
enum StandardStreams {
  /// Makes those that are closed lead nowhere. Else the next file or socket that is opened gets their number, and what is
  /// said to people is written into it.
  static func fill() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free, which is this one.
      _ = open("/dev/null", O_RDWR)
    }
  }
}

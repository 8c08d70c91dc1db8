import Glibc
import NIOCore

/// A program that runs beside the test. Foundation's own class waits for one program at a time, for ever if that one has
/// closed its descriptors as daemons do.
package struct Command: Sendable {
  private let process: pid_t

  /// Starts a program found in PATH.
  /// - Parameter output: a descriptor for what it writes, or nil to throw that away.
  package init(_ command: [String], output: CInt? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    for descriptor: CInt in [1, 2] {
      if let output {
        posix_spawn_file_actions_adddup2(&actions, output, descriptor)
      } else {
        posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0)
      }
    }
    // What SwiftNIO opens is inherited, and a connection that another program holds too does not end when it is closed.
    _ = closeFrom(&actions, 3)
    // The threads of the concurrency runtime block signals, and what is blocked is inherited.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let arguments = command.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let error = posix_spawnp(&process, command[0], &actions, &attributes, arguments, environ)
    guard error == 0 else { throw IOError(errnoCode: error, reason: command.joined(separator: " ")) }
    self.process = process
  }

  /// Waits for its end.
  /// - Returns: what `waitpid` says: 0 if all went well.
  @discardableResult
  package func wait() -> CInt {
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// Ends it.
  package func end() {
    kill(process, SIGTERM)
    wait()
  }
}

/// posix_spawn_file_actions_addclosefrom_np(3), which the Glibc module does not show.
private let closeFrom: @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt = {
  unsafeBitCast(
    dlsym(nil, "posix_spawn_file_actions_addclosefrom_np"),
    to: (@convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, CInt) -> CInt).self)
}()

package struct CommandFailure: Error {
  var command: [String]
  var status: CInt
  var output: String
}

/// Runs a program to its end.
/// - Returns: what it wrote.
@discardableResult
package func run(_ command: [String]) throws -> String {
  var pipes: [CInt] = [0, 0]
  // Not a pipe: that could be inherited by another program before it is marked.
  guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &pipes) == 0 else {
    throw IOError(errnoCode: errno, reason: "socketpair")
  }
  defer { close(pipes[0]) }
  let program: Command
  do {
    defer { close(pipes[1]) }
    program = try Command(command, output: pipes[1])
  }
  var output: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65536)
  while true {
    let count = read(pipes[0], &buffer, buffer.count)
    if count < 0, errno == EINTR { continue }
    guard count > 0 else { break }
    output += buffer[..<count]
  }
  let status = program.wait()
  let text = String(decoding: output, as: UTF8.self)
  guard status == 0 else { throw CommandFailure(command: command, status: status, output: text) }
  return text
}

@discardableResult
package func run(_ command: String...) throws -> String { try run(command) }

import CLinux
import Glibc
import PlaybackModel
import Synchronization

/// One run of a program: starts it, passes its sound on, and reports what it says, until it ends.
///
/// A thread of its own reads the samples, because they must be on time.
final class ProgramProcess: Sendable {
  enum Event: Sendable {
    /// It has become audible or silent.
    case sound(Bool)
    case said(ProgramEvent)
    /// A line of its standard error.
    case line(String)
    /// It has ended, with a sentence without a subject.
    case ended(String)
  }

  private struct State {
    var input: ClockedInput?
    var isUnwanted = false
  }

  private let program: ProgramDescription
  private let environment: [String: String]
  private let eventPipe: String
  private let report: @Sendable (Event) -> Void
  private let state = Mutex(State())
  private let wakeUp = swiftlet_eventfd()

  /// - Parameters:
  ///   - eventPipe: the named pipe in which the program says what it plays. It exists.
  ///   - report: called on the program's thread.
  init(
    _ program: ProgramDescription, environment: [String: String], eventPipe: String,
    report: @escaping @Sendable (Event) -> Void
  ) {
    self.program = program
    self.environment = environment
    self.eventPipe = eventPipe
    self.report = report
  }

  deinit { close(wakeUp) }

  func start() {
    NamedThread.start("program", isRealTime: true) { [self] in
      var reader = ProgramReader(program, report: report)
      report(.ended(reader.run(self)))
    }
  }

  /// Passes the sound to an input from now on; nil to drop it.
  func attach(_ input: ClockedInput?) {
    state.withLock { $0.input = input }
    wake()
  }

  /// Ends the program, and kills it if that takes too long.
  func terminate() {
    state.withLock { $0.isUnwanted = true }
    wake()
  }

  private func wake() {
    var one: UInt64 = 1
    _ = write(wakeUp, &one, 8)
  }

  // MARK: For the thread

  /// Readable when something has changed.
  var wakeDescriptor: Int32 { wakeUp }

  func takeChanges() -> (input: ClockedInput?, isUnwanted: Bool) {
    var count: UInt64 = 0
    _ = read(wakeUp, &count, 8)
    return state.withLock { ($0.input, $0.isUnwanted) }
  }

  /// Starts the program's command, if it has one.
  /// - Returns: the process and an errno.
  func spawn(_ outputs: ChildProcess.Outputs) -> (pid: pid_t, error: Int32) {
    var pid = pid_t()
    let error = ChildProcess.start(program.command, environment: environment, outputs: outputs, pid: &pid)
    return (pid, error)
  }

  /// Opens a named pipe so that it outlives its writers; -1 on failure.
  func openEventPipe() -> Int32 { open(eventPipe, O_RDWR | O_NONBLOCK | O_CLOEXEC) }
}

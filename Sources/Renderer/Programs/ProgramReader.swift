import CLinux
import Glibc
import PlaybackModel

/// The thread of a `ProgramProcess`: waits for samples, messages, events and the end of the program.
struct ProgramReader: ~Copyable {
  /// Sound waits this long for the player to open the source, so that its beginning is not lost.
  private static let openTime: Int64 = 500_000_000
  /// Between SIGTERM and SIGKILL.
  private static let grace: Int64 = 2_000_000_000
  /// Bytes that the program may be ahead.
  private static let pipeSize: Int32 = 4096

  private let program: ProgramDescription
  private let report: @Sendable (ProgramProcess.Event) -> Void
  private var samples: Int32 = -1
  private var messages = LineSplitter()
  private var events: any ProgramEventReader
  private var messagePipe: Int32 = -1
  private var eventPipe: Int32 = -1
  private var process: Int32 = -1
  private var pid: pid_t = 0

  private var sound: ProgramSound
  private var gate = SoundGate()
  private var input: ClockedInput?
  /// Sound that waits for an input, and until when.
  private var held: (bytes: [UInt8], until: Int64)?
  private var killTime: Int64?
  private var isUnwanted = false

  init(_ program: ProgramDescription, report: @escaping @Sendable (ProgramProcess.Event) -> Void) {
    self.program = program
    self.report = report
    events = program.kind == .airplay ? ShairportEvents() : TextEvents()
    sound = ProgramSound(format: program.format, latency: program.latency)
  }

  deinit { for descriptor in [samples, messagePipe, eventPipe, process] where descriptor >= 0 { close(descriptor) } }

  /// - Returns: how the program ended.
  mutating func run(_ owner: ProgramProcess) -> String {
    eventPipe = owner.openEventPipe()
    if let failure = open(owner) { return failure }
    while true {
      let now = Self.now
      var watched = [
        pollfd(fd: owner.wakeDescriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: process, events: Int16(POLLIN), revents: 0),
        pollfd(fd: readsNow(now) ? samples : -1, events: Int16(POLLIN), revents: 0),
        pollfd(fd: messagePipe, events: Int16(POLLIN), revents: 0),
        pollfd(fd: eventPipe, events: Int16(POLLIN), revents: 0),
      ]
      wait(&watched, until: deadline(now), now)
      if watched[0].revents != 0 {
        let (input, isUnwanted) = owner.takeChanges()
        use(input)
        if isUnwanted { terminate() }
        if isUnwanted, pid == 0 { return "was stopped" }
      }
      if watched[4].revents != 0 { readEvents() }
      if watched[3].revents != 0 { readMessages() }
      if watched[2].revents != 0 { readSamples() }
      // Kernels before 5.3 have no descriptors of processes: there, the end of the output is the end.
      if watched[1].revents != 0 || (pid > 0 && process < 0 && samples < 0) { return end() }
      handleDeadlines(Self.now)
    }
  }

  /// - Returns: why it cannot be opened; nil for success.
  private mutating func open(_ owner: ProgramProcess) -> String? {
    var outputs = ChildProcess.Outputs()
    var writeEnds: [Int32] = []
    defer { for descriptor in writeEnds { close(descriptor) } }
    func pipe() -> Int32? {
      var ends: [Int32] = [-1, -1]
      guard swiftlet_pipe(&ends) == 0 else { return nil }
      _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
      writeEnds.append(ends[1])
      return ends[0]
    }
    if let path = program.fifo {
      if mkfifo(path, 0o660) != 0, errno != EEXIST { return "cannot create \(path): \(Self.problem(errno))" }
      samples = Glibc.open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
      if samples < 0 { return "cannot open \(path): \(Self.problem(errno))" }
    } else if let read = pipe() {
      (samples, outputs.output) = (read, writeEnds.last)
    }
    _ = swiftlet_set_pipe_size(samples, Self.pipeSize)
    guard !program.command.isEmpty else { return nil }
    if let read = pipe() { (messagePipe, outputs.error) = (read, writeEnds.last) }
    let (pid, error) = owner.spawn(outputs)
    guard error == 0 else { return "cannot be started: \(Self.problem(error))" }
    self.pid = pid
    process = swiftlet_process_descriptor(pid)
    return nil
  }

  private static func problem(_ error: Int32) -> String { String(cString: strerror(error)).lowercased() }

  // MARK: Waiting

  private func readsNow(_ now: Int64) -> Bool {
    guard held == nil else { return false }
    if case .wait = sound.demand(now: now) { return false }
    return true
  }

  private func deadline(_ now: Int64) -> Int64? {
    var times = [sound.deadline, gate.deadline, held?.until, killTime].compactMap(\.self)
    if held == nil, case .wait(let time) = sound.demand(now: now) { times.append(time) }
    return times.min()
  }

  private func wait(_ watched: inout [pollfd], until deadline: Int64?, _ now: Int64) {
    // Rounded up, so that nothing is done before its time.
    let milliseconds = deadline.map { Int32(clamping: max(0, $0 - now + 999_999) / 1_000_000) }
    poll(&watched, nfds_t(watched.count), milliseconds ?? -1)
  }

  private mutating func handleDeadlines(_ now: Int64) {
    note(gate.check(now: now))
    if let deadline = sound.deadline, deadline <= now { pass([], now) }
    if let held, held.until <= now { self.held = nil }
    if let killTime, killTime <= now {
      kill(-pid, SIGKILL)
      self.killTime = nil
    }
  }

  // MARK: Sound

  private mutating func readSamples() {
    let now = Self.now
    guard case .read(let limit) = sound.demand(now: now) else { return }
    let bytes = Self.read(samples, upTo: limit)
    guard !bytes.isEmpty else {
      // The program has closed its output: it ends soon, or is of no use.
      if program.fifo == nil {
        close(samples)
        samples = -1
        terminate()
      }
      return
    }
    let began = gate.add(isSilent: bytes.allSatisfy { $0 == 0 }, now: now)
    if began == .began, input == nil, !program.isOnDemand {
      held = (bytes, now + Self.openTime)
    } else {
      pass(bytes, now)
    }
    note(began)
  }

  private mutating func pass(_ bytes: [UInt8], _ now: Int64) {
    for piece in sound.add(bytes, now: now) { input?.add(piece) }
  }

  private mutating func use(_ input: ClockedInput?) {
    guard input !== self.input else { return }
    self.input = input
    sound.restart()
    guard input != nil, let held else { return }
    self.held = nil
    pass(held.bytes, Self.now)
  }

  private func note(_ event: SoundGate.Event?) {
    if let event { report(.sound(event == .began)) }
  }

  // MARK: Messages and events

  private mutating func readMessages() {
    let bytes = Self.read(messagePipe, upTo: 1 << 14)
    if bytes.isEmpty {
      close(messagePipe)
      messagePipe = -1
    }
    for line in messages.add(bytes) { report(.line(line)) }
  }

  private mutating func readEvents() {
    for event in events.add(Self.read(eventPipe, upTo: 1 << 16)) {
      if event == .playing(false) { note(gate.close()) }
      report(.said(event))
    }
  }

  // MARK: The end

  private mutating func terminate() {
    guard !isUnwanted, pid > 0 else { return }
    isUnwanted = true
    kill(-pid, SIGTERM)
    killTime = Self.now + Self.grace
  }

  /// The program has ended: ends its children too.
  private mutating func end() -> String {
    kill(-pid, SIGKILL)
    if messagePipe >= 0 { readMessages() }
    note(gate.close())
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return switch ChildProcess.End(status: status) {
    case .exited(let status): "ended with status \(status)"
    case .killed(let signal): "was killed by signal \(signal)"
    }
  }

  // MARK: Helpers

  /// Empty at the end and if nothing is there.
  private static func read(_ descriptor: Int32, upTo limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, limit))
    }
  }

  /// Nanoseconds of CLOCK_MONOTONIC.
  private static var now: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}

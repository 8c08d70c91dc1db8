import PlaybackModel

/// Begins to add the sound of a sender to an input, until that is closed. Called on the pipeline's thread; returns at once:
/// false if the address is not that of a sender.
package typealias OpenInput = @Sendable (_ address: String, _ input: ClockedInput) -> Bool

/// Plays a `ClockedInput`, and reports what is heard. It has no pause, no seeks and no followers.
///
/// The device is used only while the sender sends. Used on the pipeline's thread only.
final class ClockedSession {
  private enum Phase {
    case idle
    /// The sender is silent.
    case waiting
    /// There is sound, and the device is being opened.
    case opening
    case running
  }

  private let output: OutputOwner
  private let mailbox: Mailbox
  private let report: (PipelineEvent) -> Void
  private var phase = Phase.idle
  private var generation = 0
  private var track: Track?
  private var input: ClockedInput?
  /// Numbers the sources. Those of tracks have positive numbers.
  private var sourceID = 0
  private var times = ReportTimes()

  init(output: OutputOwner, mailbox: Mailbox, report: @escaping (PipelineEvent) -> Void) {
    self.output = output
    self.mailbox = mailbox
    self.report = report
  }

  var isActive: Bool { phase != .idle }

  var deadline: ContinuousClock.Instant? { isActive ? times.deadline : nil }

  // MARK: Commands

  func start(generation: Int, track: Track, open: OpenInput) {
    self.generation = generation
    self.track = track
    let input = ClockedInput()
    self.input = input
    awaitSound()
    if !open(track.uri, input) { fail(.badAddress) }
  }

  /// Ends the input and the output's run.
  func stop() {
    guard isActive else { return }
    phase = .idle
    input?.close()
    input = nil
    times.cancel()
    output.silence()
    output.scheduleRelease()
  }

  /// Changes the device.
  func changeOutput(_ change: () -> Void) {
    output.silence()
    change()
    if phase != .waiting { pauseUntilSound() }
  }

  /// Opens the device if sound waits for it.
  func openOutput() {
    guard phase == .opening else { return }
    handle(output.open())
    beginIfOpen()
  }

  /// Whether there is sound, and the device is being opened.
  var isStarting: Bool { phase == .opening }
  /// Whether the sender is silent.
  var isWaiting: Bool { phase == .waiting }

  // MARK: Events

  /// The sender has sent sound.
  func sounds(_ id: Int) {
    guard phase == .waiting, id == sourceID else { return }
    phase = .opening
    handle(output.open())
    beginIfOpen()
  }

  func handleDeadlines(now: ContinuousClock.Instant) {
    if !output.isReserved { handle(output.handleDeadlines(demand: demand, now: now)) }
    beginIfOpen()
    guard times.takeMeasurement(at: now), phase == .running else { return }
    report(.position(generation: generation, position: position))
    times.measured(now: now)
  }

  func handle(_ event: OutputEvent) {
    handle(output.handle(event, demand: demand))
    beginIfOpen()
  }

  func handle(_ event: FeederEvent) {
    if case .finished(let runningTime) = event { output.finished(at: runningTime) }
  }

  private func handle(_ event: OutputOwner.Event?) {
    switch event {
    case .playing:
      report(.playing(generation: generation, position: position))
      times.playing(now: .now)
    case .failed(let error): fail(error)
    case .ended: pauseUntilSound()
    case .interrupted: changeOutput { output.close() }
    case .returned, nil: break
    }
  }

  // MARK: States

  private var demand: DeviceMachine.Demand {
    switch phase {
    case .idle, .waiting: .none
    case .opening: .starting
    case .running: .playing
    }
  }

  private var position: Duration { track.flatMap { output.heardPosition(in: $0) } ?? .zero }

  private func awaitSound() {
    phase = .waiting
    sourceID -= 1
    input?.awaitSound { [mailbox, sourceID] in mailbox.post(.sound(inputID: sourceID)) }
  }

  private func beginIfOpen() {
    guard phase == .opening, output.isOpen, let track, let input else { return }
    phase = .running
    let source = FeedSource(id: sourceID, trackID: track.id, samples: ClockedSource(input), isLive: true)
    output.begin(with: source, following: [], expectsMore: false, isHeld: false, isPrompt: true)
  }

  /// Everything was played.
  private func pauseUntilSound() {
    times.cancel()
    output.silence()
    output.scheduleRelease()
    report(.buffering(generation: generation, position: .zero))
    awaitSound()
  }

  private func fail(_ error: PlaybackError) {
    stop()
    report(.failed(generation: generation, error))
  }
}

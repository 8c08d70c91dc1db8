import Synchronization

public enum QueueFeedProgress: Sendable, Hashable {
  /// Why a feed ended.
  public enum Ending: String, Sendable, Hashable {
    /// All items have been played or skipped.
    case played
    /// Someone stopped the speaker.
    case stopped
    /// Another control point plays something else.
    case takenOver
    /// Too many items failed, one after the other, or none could be played.
    case givenUp
    /// The speaker can no longer be reached.
    case unreachable
    /// The task was cancelled. The speaker continues with the current item.
    case cancelled
  }

  /// An index.
  case playing(Int)
  /// The item with this index cannot be played.
  case failed(Int)
  /// The last element.
  case ended(Ending)
}

/// Plays a list of items on a speaker without a queue, one after the other, while the program runs.
///
/// ```swift
/// let feed = try speaker.feed(items)
/// await feed.run { progress in print(progress) }
/// ```
public final class QueueFeed: Sendable {
  /// A speaker that is unreachable for this many consecutive observations is given up.
  private static let maximumMisses = 10
  /// Time limit for the request that clears the next item after a cancellation.
  private static let clearingTimeout = Duration.seconds(2)

  private struct Pending {
    var events: [QueueFeeder.Event] = []
    var items: [SpeakerItem]
  }

  private let playback: AVPlayback
  private let offersNext: Bool
  private let interval: Duration
  private let isPlaying: Bool
  private let files: Set<Int>
  private let pending: Mutex<Pending>

  init(
    _ items: [SpeakerItem], playback: AVPlayback, offersNext: Bool, interval: Duration, isPlaying: Bool = false,
    files: Set<Int> = []
  ) {
    self.files = files
    self.playback = playback
    self.offersNext = offersNext
    self.interval = interval
    self.isPlaying = isPlaying
    pending = Mutex(Pending(items: items))
  }

  /// Goes to the next item.
  public func skip() { add(.skip) }
  /// Goes to the previous item.
  public func goBack() { add(.goBack) }
  /// Stops the speaker and ends.
  public func stop() { add(.stop) }

  public func append(_ items: [SpeakerItem]) {
    pending.withLock {
      $0.items += items
      $0.events.append(.append(items.map(\.uri)))
    }
  }

  private func add(_ event: QueueFeeder.Event) { pending.withLock { $0.events.append(event) } }

  /// Plays all items. Returns when they have been played, when someone else controls the speaker, or when the task is
  /// cancelled. Run it once.
  /// - Parameter report: called in order; the last value is `ended`.
  /// - Returns: why it ended.
  @discardableResult
  public func run(
    isolation: isolated (any Actor)? = #isolation, _ report: (QueueFeedProgress) async -> Void = { _ in }
  ) async -> QueueFeedProgress.Ending {
    let start = ContinuousClock.now
    var feeder = QueueFeeder(
      uris: pending.withLock { $0.items.map(\.uri) }, offersNext: offersNext, files: files)
    var events: [QueueFeeder.Event] = [isPlaying ? .join : .begin]
    var misses = 0
    do throws(ControlPointError) {
      while true {
        for event in events {
          if let ending = try await perform(event, &feeder, start, report) { return ending }
        }
        try await playback.wait(interval)
        events = pending.withLock { pending in
          defer { pending.events = [] }
          return pending.events
        }
        guard events.isEmpty else { continue }
        do throws(ControlPointError) {
          events = [.observed(try await playback.observe())]
          misses = 0
        } catch {
          misses += 1
          if error == .cancelled || error == .stopped || misses >= Self.maximumMisses { throw error }
        }
      }
    } catch {
      let ending = error == .cancelled || Task.isCancelled ? QueueFeedProgress.Ending.cancelled : .unreachable
      if ending == .cancelled { await clearNext(feeder.cancel()) }
      await report(.ended(ending))
      return ending
    }
  }

  /// Makes the speaker forget the next item, in a new task, since the current one is cancelled. Errors are ignored.
  private func clearNext(_ actions: [QueueFeeder.Action]) async {
    guard !actions.isEmpty else { return }
    let clearing = Task { [self] in for action in actions { try? await perform(action) } }
    let timeout = Task {
      try await Task.sleep(for: Self.clearingTimeout)
      clearing.cancel()
    }
    await clearing.value
    timeout.cancel()
  }

  /// Performs the actions that an event causes, and those that a refused action causes.
  /// - Returns: the reason, once the feed has ended.
  private func perform(
    _ event: QueueFeeder.Event, _ feeder: inout QueueFeeder, _ start: ContinuousClock.Instant,
    _ report: (QueueFeedProgress) async -> Void, isolation: isolated (any Actor)? = #isolation
  ) async throws(ControlPointError) -> QueueFeedProgress.Ending? {
    var actions = feeder.take(event, at: start.duration(to: .now))
    while !actions.isEmpty {
      let action = actions.removeFirst()
      if case .report(let progress) = action {
        await report(progress)
        if case .ended(let ending) = progress { return ending }
      } else {
        do throws(ControlPointError) {
          try await perform(action)
        } catch {
          switch error {
          // The next observation shows whether the speaker has gone.
          case .unreachable where action.isAboutNext: break
          case .cancelled, .stopped, .unreachable, .notAllowed: throw error
          default: actions += feeder.take(.refused(action), at: start.duration(to: .now))
          }
        }
      }
    }
    return nil
  }

  private func perform(_ action: QueueFeeder.Action) async throws(ControlPointError) {
    switch action {
    case .play(let index): try await playback.start(item(index))
    case .setNext(let index):
      let item = item(index)
      try await playback.transport.setNextAVTransportURI(nextURI: item.uri, nextURIMetaData: item.metadata)
    case .clearNext: try await playback.transport.setNextAVTransportURI(nextURI: "", nextURIMetaData: "")
    case .stop: try await playback.transport.stop()
    case .report: break
    }
  }

  private func item(_ index: Int) -> SpeakerItem { pending.withLock { $0.items[index] } }
}

extension RemoteSpeaker {
  /// Plays items one after the other on a speaker without a queue (`capabilities.needsFeeding`). Call `run` on the result.
  /// - Parameters:
  ///   - isPlaying: the speaker plays the first item already.
  ///   - files: the indices of the items that are files, not streams. Their position must move while they play.
  ///   - interval: the polling interval.
  /// - Throws: `.notOffered` if the speaker has no AVTransport.
  public func feed(
    _ items: [SpeakerItem], isPlaying: Bool = false, files: Set<Int> = [], interval: Duration = .milliseconds(500)
  ) throws(ControlPointError) -> QueueFeed {
    let transport = try services.avTransport.required
    return QueueFeed(
      items, playback: AVPlayback(transport: transport),
      offersNext: capabilities.mechanism(for: .announceNext) != nil, interval: interval, isPlaying: isPlaying,
      files: files)
  }
}

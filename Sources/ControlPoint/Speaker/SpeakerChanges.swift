extension RemoteSpeaker {
  /// The playback state, now and after each change. Leaving the loop ends the subscriptions.
  ///
  /// Each event causes a new query. Where events fail, and for seeks that no event reports, the speaker is polled. The
  /// passage of time is not a change: use `NowPlaying.position(at:)`. A failure is reported once, until the speaker
  /// answers again.
  /// - Parameter interval: the polling interval.
  public func changes(interval: Duration = .seconds(5)) -> AsyncStream<Result<NowPlaying, ControlPointError>> {
    SpeakerChanges.stream(
      watches, interval: interval, ask: { await outcome { () throws(ControlPointError) in try await now() } },
      isContinued: { $0.isContinued(by: $1) })
  }

  /// The services that `now` reads. Time is left out, since it sends an event every second.
  private var watches: [SpeakerChanges.Watch] {
    let general = [watch(services.product), watch(services.info), watch(services.playlist), watch(services.transport)]
    let sources =
      services.transport == nil ? [watch(services.radio), watch(services.receiver), watch(services.avTransport)] : []
    return (general + sources).compactMap(\.self)
  }

  /// Nil for a service without events.
  func watch<Client: ServiceClient>(_ client: Client?) -> SpeakerChanges.Watch? {
    guard let client, client.service.description.eventURL != nil else { return nil }
    return { trigger in for await _ in client.events(.eventsOnly) { trigger.yield() } }
  }
}

/// Queries a speaker after each event and at an interval.
enum SpeakerChanges {
  /// Yields to the trigger on each event of a service.
  typealias Watch = @Sendable (_ trigger: AsyncStream<Void>.Continuation) async -> Void

  /// The answers that differ from the previous one. Leaving the loop ends the watches.
  /// - Parameter isContinued: whether the second value is no news after the first.
  static func stream<Value: Sendable>(
    _ watches: [Watch], interval: Duration,
    ask: @escaping @Sendable () async -> Result<Value, ControlPointError>,
    isContinued: @escaping @Sendable (Value, Value) -> Bool
  ) -> AsyncStream<Result<Value, ControlPointError>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Result<Value, ControlPointError>.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await follow(watches, interval: interval, ask: ask, isContinued: isContinued) { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Reports changes until the task is cancelled or the control point stops.
  private static func follow<Value: Sendable>(
    _ watches: [Watch], interval: Duration, ask: @Sendable () async -> Result<Value, ControlPointError>,
    isContinued: (Value, Value) -> Bool, report: (Result<Value, ControlPointError>) -> Void
  ) async {
    let (triggers, trigger) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      for watch in watches { group.addTask { await watch(trigger) } }
      group.addTask {
        while !Task.isCancelled {
          trigger.yield()
          try? await Task.sleep(for: interval)
        }
      }
      var last: Result<Value, ControlPointError>?
      for await _ in triggers {
        let current = await ask()
        if case .failure(let error) = current, error == .cancelled || error == .stopped { break }
        let isSame =
          switch (last, current) {
          case (.success(let last), .success(let current)): isContinued(last, current)
          case (.failure(let last), .failure(let current)): last == current
          default: false
          }
        guard !isSame else { continue }
        report(current)
        last = current
      }
      group.cancelAll()
    }
  }
}

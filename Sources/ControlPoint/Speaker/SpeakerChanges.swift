extension RemoteSpeaker {
  /// What plays, now and after each change. Leaving the loop ends the subscriptions.
  ///
  /// Events say when to ask the speaker again. Where they fail, and for seeks that no event reports, it is asked at an
  /// interval. Time that merely passes is no change: use `NowPlaying.position(at:)`. A failure is reported once, until the
  /// speaker answers again.
  /// - Parameter interval: how often the speaker is asked without an event.
  public func changes(interval: Duration = .seconds(5)) -> AsyncStream<Result<NowPlaying, ControlPointError>> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Result<NowPlaying, ControlPointError>.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      await follow(interval: interval) { continuation.yield($0) }
      continuation.finish()
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  /// Reports changes until the task is cancelled or the control point stops.
  private func follow(
    interval: Duration, _ report: @escaping @Sendable (Result<NowPlaying, ControlPointError>) -> Void
  ) async {
    let (triggers, trigger) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    await withTaskGroup { group in
      for watch in watches(trigger) { group.addTask(operation: watch) }
      group.addTask {
        while !Task.isCancelled {
          trigger.yield()
          try? await Task.sleep(for: interval)
        }
      }
      var last: Result<NowPlaying, ControlPointError>?
      for await _ in triggers {
        let current = await outcome { () throws(ControlPointError) in try await now() }
        if current == .failure(.cancelled) || current == .failure(.stopped) { break }
        if !Self.isContinued(last, by: current) {
          report(current)
          last = current
        }
      }
      group.cancelAll()
    }
  }

  private static func isContinued(
    _ last: Result<NowPlaying, ControlPointError>?, by current: Result<NowPlaying, ControlPointError>
  ) -> Bool {
    switch (last, current) {
    case (.success(let last), .success(let current)): last.isContinued(by: current)
    case (.failure(let last), .failure(let current)): last == current
    default: false
    }
  }

  /// Pulls the trigger on each event of the services that `now` asks. Time is not among them, as it has an event each second.
  private func watches(_ trigger: AsyncStream<Void>.Continuation) -> [@Sendable () async -> Void] {
    func watch<Client: ServiceClient>(_ client: Client?) -> [@Sendable () async -> Void] {
      guard let client, client.service.description.eventURL != nil else { return [] }
      return [{ for await _ in client.events(.eventsOnly) { trigger.yield() } }]
    }
    let general = watch(services.product) + watch(services.info) + watch(services.playlist) + watch(services.transport)
    return services.transport == nil ? general + watch(services.radio) + watch(services.avTransport) : general
  }
}

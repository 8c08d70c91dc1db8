/// The volume and mute of a speaker at one moment.
public struct SpeakerLevel: Sendable, Hashable {
  /// From 0 to 100; nil if the speaker does not offer it.
  public var volume: Int?
  /// Nil if the speaker does not offer it.
  public var isMuted: Bool?

  public init(volume: Int? = nil, isMuted: Bool? = nil) {
    self.volume = volume
    self.isMuted = isMuted
  }
}

extension RemoteSpeaker {
  /// The volume and mute now.
  /// - Throws: if the speaker cannot be reached.
  public func level() async throws(ControlPointError) -> SpeakerLevel {
    async let volume = outcome { () throws(ControlPointError) in try await self.volume() }
    async let isMuted = outcome { () throws(ControlPointError) in try await self.isMuted() }
    return SpeakerLevel(volume: try await volume.tolerant(), isMuted: try await isMuted.tolerant())
  }

  /// The volume and mute, now and after each change. Leaving the loop ends the subscription.
  ///
  /// Each event causes a new query. Where events fail, the speaker is polled. A failure is reported once, until the
  /// speaker answers again.
  /// - Parameter interval: the polling interval.
  public func levels(interval: Duration = .seconds(5)) -> AsyncStream<Result<SpeakerLevel, ControlPointError>> {
    let watches = watch(services.volume).map { [$0] } ?? watch(services.renderingControl).map { [$0] } ?? []
    return SpeakerChanges.stream(
      watches, interval: interval,
      ask: { await outcome { () throws(ControlPointError) in try await level() } }, isContinued: { $0 == $1 })
  }
}

extension SpeakerSource {
  static let receiverType = "Receiver"

  /// The source to which a room changes when it leaves a group: the playlist, otherwise the first visible source that is
  /// no receiver.
  static func afterLeaving(among sources: [SpeakerSource]) -> SpeakerSource? {
    sources.first { $0.type == "Playlist" } ?? sources.first { $0.isVisible && $0.type != receiverType }
  }
}

extension RemoteSpeaker {
  /// Plays the sound of another room, or waits for it. Leaves standby.
  /// - Parameter sender: from `RoomGroups.sender(for:toJoin:)`.
  /// - Throws: `.notOffered` if the speaker has no Receiver.
  public func join(_ sender: RoomSender) async throws(ControlPointError) {
    guard let receiver = services.receiver else { throw .notOffered("an OpenHome Receiver service") }
    try await wake()
    try await receiver.setSender(uri: sender.uri, metadata: sender.metadata)
    // SetSender already does that on most players.
    try await selectSource(ofType: SpeakerSource.receiverType)
    try await receiver.play()
  }

  /// Stops playing the sound of another room, and changes to the playlist or another source without starting it. Has no
  /// effect on a speaker whose current source is not the receiver.
  public func leave() async throws(ControlPointError) {
    guard try await currentSource()?.type == SpeakerSource.receiverType else { return }
    guard let source = SpeakerSource.afterLeaving(among: try await sources()) else {
      try await services.receiver?.stop()
      return
    }
    try await select(source)
  }
}

/// What a speaker plays, in a form that another speaker can play.
struct MovedPlayback: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// Tracks; the current index is that of the track that plays.
    case queue(SpeakerQueue)
    /// A channel of the radio.
    case station(SpeakerItem)
    /// The sound of another room.
    case room(RoomSender)
  }

  var content: Content
  var state: PlaybackState
  /// Nil if a seek makes no sense, as in a live stream.
  var position: Duration?
  var isRepeating = false
  var isShuffling = false

  /// Whether the speaker plays or is about to.
  var isPlaying: Bool { [.playing, .buffering, .waiting].contains(state) }
  /// Whether it must be stopped after a move.
  var isActive: Bool { isPlaying || state == .paused }

  /// The track that plays.
  var item: SpeakerItem? {
    switch content {
    case .queue(let queue): queue.entries.indices.contains(index) ? queue.entries[index].item : nil
    case .station(let item): item
    case .room: nil
    }
  }

  /// The index of the track that plays.
  var index: Int { if case .queue(let queue) = content { queue.currentIndex ?? 0 } else { 0 } }
}

extension RemoteSpeaker {
  /// What the speaker plays now, also while it is paused or stopped.
  /// - Throws: `.nothingPlays`, or `.immovable` for a source such as a line input.
  func movedPlayback() async throws(RoomError) -> MovedPlayback {
    let source = try await naming(self) { () throws(ControlPointError) -> SpeakerSource? in
      try await tolerating { () throws(ControlPointError) in try await currentSource() } ?? nil
    }
    guard let content = try await movedContent(source) else { throw .nothingPlays(name) }
    return try await naming(self) { () throws(ControlPointError) -> MovedPlayback in
      let now = try await now()
      var moved = MovedPlayback(content: content, state: now.state)
      let isStation = if case .station = content { true } else { false }
      if !isStation || now.duration != nil, moved.isActive { moved.position = now.position(at: .now) }
      moved.isRepeating = try await tolerating { () throws(ControlPointError) in try await isRepeating() } ?? false
      moved.isShuffling = try await tolerating { () throws(ControlPointError) in try await isShuffling() } ?? false
      return moved
    }
  }

  private func movedContent(_ source: SpeakerSource?) async throws(RoomError) -> MovedPlayback.Content? {
    switch source?.type {
    case nil, "Playlist", "UpnpAv":
      let queue = try await naming(self) { () throws(ControlPointError) in try await self.queue(of: source) }
      return queue.entries.isEmpty ? nil : .queue(queue)
    case "Radio":
      guard let radio = services.radio else { return nil }
      let channel = try await naming(self) { () throws(ControlPointError) in try await radio.channel() }
      let metadata = channel.metadata.isAbsentValue ? "" : channel.metadata
      return channel.uri.isAbsentValue ? nil : .station(SpeakerItem(uri: channel.uri, metadata: metadata))
    case SpeakerSource.receiverType:
      let state = try await naming(self) { () throws(ControlPointError) in try await roomState() }
      return state.received.map { .room($0) }
    case _?: throw .immovable(name: name, source: source?.name ?? "")
    }
  }

  /// - Parameter source: nil on a speaker without sources.
  private func queue(of source: SpeakerSource?) async throws(ControlPointError) -> SpeakerQueue {
    guard source?.type == "UpnpAv" else { return try await queue() }
    return try await AVPlayback(transport: try services.avTransport.required).queue()
  }
}

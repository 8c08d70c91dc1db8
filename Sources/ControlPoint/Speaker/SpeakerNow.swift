extension RemoteSpeaker {
  /// The current playback state. Details that the speaker does not know are nil. The state is `unknown` for a source
  /// that none of the known services plays, such as a line input.
  /// - Throws: if the speaker cannot be reached, or does not offer the state of playback.
  public func now() async throws(ControlPointError) -> NowPlaying {
    let source = try await tolerating { () throws(ControlPointError) in try await currentSource() } ?? nil
    let sourceType = capabilities.dependsOnSource(.readState) ? source?.type : nil
    let mechanism = capabilities.mechanism(for: .readState, sourceType: sourceType)
    if mechanism == nil, services.info == nil { _ = try capabilities.require(.readState, sourceType: sourceType) }
    async let index = outcome { () throws(ControlPointError) in try await queuePosition(source) }
    var now: NowPlaying
    if mechanism == .avTransport {
      now = try await AVPlayback(transport: try services.avTransport.required).now()
    } else {
      now = try await openHomeNow(mechanism)
    }
    now.source = source
    if let (index, count) = try await index.tolerant() ?? nil { (now.queueIndex, now.queueCount) = (index, count) }
    return now
  }

  private func openHomeNow(_ mechanism: SpeakerCapabilities.Mechanism?) async throws(ControlPointError) -> NowPlaying {
    async let track = outcome { () throws(ControlPointError) in try await services.info?.track() }
    async let metatext = outcome { () throws(ControlPointError) in try await services.info?.metatext() }
    async let time = outcome { () throws(ControlPointError) in
      let time = try await services.time?.time()
      return (time, ContinuousClock.now)
    }
    let state =
      switch mechanism {
      case .transport: try await services.transport.required.transportState().rawValue
      case .playlist: try await services.playlist.required.transportState().rawValue
      case .radio: try await services.radio.required.transportState().rawValue
      case .receiver: try await services.receiver.required.transportState().rawValue
      default: ""
      }
    let timing = try await time.tolerant()
    var now = NowPlaying(state: PlaybackState(transportState: state), instant: timing?.1 ?? .now)
    if let output = try await track.tolerant() ?? nil, !output.uri.isEmpty {
      now.track = SpeakerItem(uri: output.uri, metadata: output.metadata).track
    }
    if let metatext = try await metatext.tolerant() ?? nil, !metatext.isEmpty {
      let track = SpeakerItem(uri: "", metadata: metatext).track
      // As stations write it.
      now.streamTitle = track.title.map { title in track.artist.map { "\($0) - \(title)" } ?? title }
    }
    if now.track != nil, let output = timing?.0 {
      now.position = .seconds(Int(output.seconds))
      now.duration = output.duration > 0 ? .seconds(Int(output.duration)) : now.track?.duration
    }
    return now
  }

  /// The index of the current track in the OpenHome playlist and its length; nil if the playlist is not the source.
  private func queuePosition(_ source: SpeakerSource?) async throws(ControlPointError) -> (index: Int?, count: Int)? {
    guard capabilities.mechanism(for: .queue) == .playlist, source?.type ?? "Playlist" == "Playlist",
      let playlist = services.playlist
    else { return nil }
    let current = try await playlist.id()
    let ids = try await OpenHomeQueue(playlist: playlist).ids()
    return (ids.firstIndex(of: current), ids.count)
  }
}

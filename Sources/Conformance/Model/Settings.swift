import UPnP

extension CheckContext {
  func read(_ setting: Setting) async throws(Finding) -> String {
    switch setting {
    case .volume:
      isRenderer
        ? try await output("CurrentVolume", of: "GetVolume", "RenderingControl", channel: "Master")
        : try await result(of: "Volume", "Volume")
    case .mute:
      isRenderer
        ? try await output("CurrentMute", of: "GetMute", "RenderingControl", channel: "Master")
        : try await result(of: "Mute", "Volume")
    case .playMode: try await output("PlayMode", of: "GetTransportSettings", "AVTransport")
    case .transport: try await device(with: TransportDriver.service).readTransport()
    case .balance: try await result(of: "Balance", "Volume")
    case .fade: try await result(of: "Fade", "Volume")
    case .repeats: try await result("Repeat", of: "Repeat", "Transport")
    case .shuffles: try await result("Shuffle", of: "Shuffle", "Transport")
    case .pins: try await result("IdArray", of: "GetIdArray", "Pins")
    case .source: try await device(with: "Product").result(of: "SourceIndex", "Product")
    case .standby: try await device(with: "Product").result(of: "Standby", "Product")
    case .playlist: try await SavedPlaylist.read(device(with: PlaylistDriver.service).playlist).text
    case .channel: try await SavedChannel.read(device(with: "Radio")).text
    case .sender: try await SavedSender.read(device(with: "Receiver")).text
    }
  }

  func write(_ setting: Setting, _ value: String) async throws(Finding) {
    switch setting {
    case .volume where isRenderer:
      try await call(
        "RenderingControl", "SetVolume", [("InstanceID", "0"), ("Channel", "Master"), ("DesiredVolume", value)])
    case .mute where isRenderer:
      try await call(
        "RenderingControl", "SetMute", [("InstanceID", "0"), ("Channel", "Master"), ("DesiredMute", value)])
    case .volume: try await call("Volume", "SetVolume", [("Value", value)])
    case .mute: try await call("Volume", "SetMute", [("Value", value)])
    case .balance: try await call("Volume", "SetBalance", [("Value", value)])
    case .fade: try await call("Volume", "SetFade", [("Value", value)])
    case .repeats: try await call("Transport", "SetRepeat", [("Repeat", value)])
    case .shuffles: try await call("Transport", "SetShuffle", [("Shuffle", value)])
    case .pins: try await restorePins(value)
    case .source: try await device(with: "Product").call("Product", "SetSourceIndex", [("Value", value)])
    case .standby: try await device(with: "Product").call("Product", "SetStandby", [("Value", value)])
    case .playMode:
      try await call("AVTransport", "SetPlayMode", [("InstanceID", "0"), ("NewPlayMode", value)])
    case .transport: try await device(with: TransportDriver.service).writeTransport(value)
    case .playlist: try await SavedPlaylist(text: value)?.write(device(with: PlaylistDriver.service).playlist)
    case .channel: try await SavedChannel(text: value).write(device(with: "Radio"))
    case .sender: try await SavedSender(text: value).write(device(with: "Receiver"))
    }
  }

  /// Fails unless the setting soon has one of these values. Some devices apply a value only after their answer.
  func expect(_ setting: Setting, among values: [String], _ expected: String) async throws(Finding) {
    let deadline = clock.now + times.settle
    var value = try await read(setting)
    while !values.contains(value) {
      try expectInTime(clock.now < deadline, expected, got: value)
      await clock.sleep(real: .milliseconds(50))
      value = try await read(setting)
    }
  }

  /// Stops the playback that a check has started.
  func stopPlayback(of setting: Setting) async {
    switch setting {
    case .transport: await (try? device(with: TransportDriver.service))?.stopTransport()
    case .playlist: _ = try? await device(with: PlaylistDriver.service).playlist.answer("Stop")
    case .channel: _ = try? await device(with: "Radio").answer("Radio", "Stop")
    default: break
    }
  }

  private func stopTransport() async {
    _ = try? await transport.answer("Stop")
    // Rygel answers before it has stopped, and plays an item that is set before then.
    _ = try? await transport.poll(times.settle) { () async throws(Finding) -> Bool in
      [.stopped, .noMedia].contains(try await transport.state())
    }
    // A staged track would play after that of the next check.
    guard missing(.action("AVTransport", "SetNextAVTransportURI")) == nil else { return }
    _ = try? await transport.answer("SetNextAVTransportURI", [("NextURI", ""), ("NextURIMetaData", "")])
  }

  /// The URI, its metadata, the next URI, and its metadata.
  private func readTransport() async throws(Finding) -> String {
    let info = try await transport.call("GetMediaInfo")
    let names = ["CurrentURI", "CurrentURIMetaData", "NextURI", "NextURIMetaData"]
    // Neither URIs nor XML contain NUL.
    return names.map { info[$0] ?? "" }.joined(separator: "\0")
  }

  private func writeTransport(_ value: String) async throws(Finding) {
    let parts = value.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    await stopPlayback(of: .transport)
    guard parts.count == 4 else { return }
    guard !parts[0].isEmpty else {
      // Some renderers cannot return to the state without media.
      _ = try await transport.answer("SetAVTransportURI", [("CurrentURI", ""), ("CurrentURIMetaData", "")])
      return
    }
    try await transport.set(uri: parts[0], metadata: parts[1])
    if !parts[2].isEmpty, parts[2] != "NOT_IMPLEMENTED" {
      try await transport.setNext(uri: parts[2], metadata: parts[3])
    }
  }

  /// Whether someone is listening to the speaker.
  func isBusy() async -> Bool {
    for target in [target, sibling].compactMap(\.self) {
      var context = self
      context.target = target
      if await context.isPlaying() { return true }
    }
    return false
  }

  private func isPlaying() async -> Bool {
    var states: [String?] = []
    if target.service("AVTransport") != nil {
      states.append(try? await output("CurrentTransportState", of: "GetTransportInfo", "AVTransport"))
    }
    for service in ["Playlist", "Radio", "Receiver"] where target.service(service) != nil {
      states.append(try? await result(of: "TransportState", service))
    }
    return states.contains { ["PLAYING", "TRANSITIONING", "BUFFERING"].contains($0?.uppercased()) }
  }
}

extension RemoteSpeaker {
  /// The sources, visible or not.
  public func sources() async throws(ControlPointError) -> [SpeakerSource] {
    _ = try capabilities.require(.sources)
    return try SpeakerSources(xml: try await services.product.required.sourceXml()).sources
  }

  /// The current source; nil if the speaker has no sources, or names one that it does not list.
  public func currentSource() async throws(ControlPointError) -> SpeakerSource? {
    guard capabilities.mechanism(for: .sources) != nil, let product = services.product else { return nil }
    async let sources = outcome { () throws(ControlPointError) in try await self.sources() }
    let index = try await product.sourceIndex()
    return try await sources.get().first { $0.index == Int(index) }
  }

  /// Makes a source current. Most players leave standby.
  public func select(_ source: SpeakerSource) async throws(ControlPointError) {
    _ = try capabilities.require(.selectSource)
    try await services.product?.setSourceIndex(value: UInt32(clamping: source.index))
  }

  public func isInStandby() async throws(ControlPointError) -> Bool {
    _ = try capabilities.require(.readStandby)
    return try await services.product.required.standby()
  }

  /// Entering standby stops playback.
  public func setStandby(_ isOn: Bool) async throws(ControlPointError) {
    _ = try capabilities.require(.setStandby)
    try await services.product?.setStandby(value: isOn)
  }

  /// The name, room and sources, for `SpeakerRoom.rooms`. A speaker without OpenHome has its name as room.
  public func profile() async throws(ControlPointError) -> SpeakerProfile {
    guard let product = services.product else { return SpeakerProfile(id: id, room: name, name: name) }
    async let source = outcome { () throws(ControlPointError) in try await currentSource() }
    async let sources = outcome { () throws(ControlPointError) in try await self.sources() }
    async let standby = outcome { () throws(ControlPointError) in try await product.standby() }
    let names = try await tolerating { () throws(ControlPointError) in try await product.product() }
    return SpeakerProfile(
      id: id, room: names?.room ?? name, name: names?.name ?? name, sources: try await sources.tolerant() ?? [],
      currentSource: try await source.tolerant() ?? nil, isInStandby: try await standby.tolerant())
  }

  /// Leaves standby, if the speaker has one.
  func wake() async throws(ControlPointError) {
    guard capabilities.mechanism(for: .readStandby) != nil, capabilities.mechanism(for: .setStandby) != nil,
      try await tolerating({ () throws(ControlPointError) in try await isInStandby() }) ?? false
    else { return }
    try await setStandby(false)
  }

  /// Selects the first source of a type, unless it is current or the speaker has no sources. Most players do that by
  /// themselves when they play.
  func selectSource(ofType type: String) async throws(ControlPointError) {
    guard capabilities.mechanism(for: .selectSource) != nil, capabilities.mechanism(for: .sources) != nil,
      let current = try await tolerating({ () throws(ControlPointError) in try await currentSource() }),
      current?.type != type, let source = try await sources().first(where: { $0.type == type })
    else { return }
    try await select(source)
  }
}

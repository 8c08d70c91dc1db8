import ControlPoint
import UPnP

/// The events of other services that a change through one service must cause, on both root devices of a speaker.
enum CauseChecks {
  /// A change, and the variables that show it.
  private struct Cause: Sendable {
    var id: String
    /// The action, such as `RenderingControl.SetVolume`.
    var action: String
    var needs: [Prerequisite]
    var changes: Set<Setting>
    /// Variables that must be evented, if the speaker has them.
    var effects: [String]
    var prepare: @Sendable (CheckContext) async throws(Finding) -> Void = { _ async throws(Finding) in }
    var perform: @Sendable (CheckContext) async throws(Finding) -> Void
  }

  static let all: [Check] = (volume + avTransport + playlist + radio).map(check)

  private static func check(_ cause: Cause) -> Check {
    Check(
      "share/cause/\(cause.id)", .sharing, .practice,
      "\(cause.action) is evented by each service that shows the change.",
      source: """
        UDA 1.0 §4.2; AVTransport:1 §2.3; Home Assistant's dlna_dmr and BubbleUPnP do not poll while they are subscribed
        """,
      needs: cause.needs, changes: cause.changes,
      steps: """
        Subscribes to all services of the speaker and sends \(cause.action). Each of \
        \(cause.effects.joined(separator: ", ")) that the speaker has must be evented, and each value that the getters \
        show to have changed, too.
        """
    ) { context async throws(Finding) in
      let services = context.eventedSpeakerServices
      let known = services.flatMap { service in service.scpd?.variables.map { "\(service.name).\($0.name)" } ?? [] }
      let effects = cause.effects.filter { known.contains($0) }
      try await cause.prepare(context)
      try await context.observing(services) { observation throws(Finding) in
        let (evented, changed) = try await observation.follow("after \(cause.action)", cause.perform)
        let silent = changed.subtracting(evented)
        context.show(table(cause, services, evented, silent))
        let names = Set(evented.map(\.description))
        let missing = effects.filter { !names.contains($0) } + silent.map(\.description).sorted()
        try context.expectNone(Set(missing).sorted().map { "none of \($0)" }, "events of all variables that show it")
      }
    }
  }

  private static func table(
    _ cause: Cause, _ services: [Target.Service], _ evented: Set<VariableName>, _ silent: Set<VariableName>
  ) -> ResultTable {
    func list(_ names: Set<VariableName>, _ service: Target.Service) -> String {
      names.filter { $0.service == service.name }.map(\.name).sorted().joined(separator: " ")
    }
    return ResultTable(
      title: "Variables that \(cause.action) changes", columns: ["Service", "Evented", "Changed without an event"],
      rows: services.map { [$0.name, list(evented, $0), list(silent, $0)] }.filter { $0[1...] != ["", ""] })
  }

  // MARK: Volume

  private static func switches(_ setting: Setting) -> @Sendable (CheckContext) async throws(Finding) -> Void {
    { context async throws(Finding) in
      guard case .value(let isSet) = Bool.read(try await context.read(setting)) else {
        throw .failure(expected: "a boolean as \(setting.rawValue)", got: "a text")
      }
      try await context.write(setting, isSet ? "0" : "1")
    }
  }

  private static let changesVolume: @Sendable (CheckContext) async throws(Finding) -> Void = {
    context async throws(Finding) in
    let highest = try await context.quietVolumes(steps: 1).upperBound
    let current = Int(device: try await context.read(.volume)) ?? 0
    try await context.write(.volume, "\(current == highest ? highest - 1 : highest)")
  }

  /// Volume and mute through one of the services that have them.
  private static func volume(_ service: String, _ id: String) -> [Cause] {
    [
      (Setting.volume, "SetVolume", "Volume", changesVolume), (.mute, "SetMute", "Mute", switches(.mute)),
    ].map { setting, action, variable, change in
      Cause(
        id: "\(id)/\(variable.lowercased())", action: "\(service).\(action)", needs: [.speaker(service)],
        changes: [setting], effects: ["RenderingControl.\(variable)", "Volume.\(variable)"]
      ) { context async throws(Finding) in try await change(try context.device(with: service)) }
    }
  }

  private static let volume = volume("RenderingControl", "rcs") + volume("Volume", "oh")

  // MARK: AVTransport

  private static let needsTransport: [Prerequisite] = [.speaker(TransportDriver.service)]
  private static let states = ["AVTransport.TransportState", "Transport.TransportState"]

  private static func transport(_ context: CheckContext) throws(Finding) -> TransportDriver {
    try context.device(with: TransportDriver.service).transport
  }

  private static let playsTone: @Sendable (CheckContext) async throws(Finding) -> Void = {
    context async throws(Finding) in
    _ = try await transport(context).startTone(seconds: 120)
  }

  private static let avTransport: [Cause] = [
    Cause(
      id: "avt/uri", action: "AVTransport.SetAVTransportURI", needs: needsTransport, changes: [.transport],
      effects: ["AVTransport.AVTransportURI", "AVTransport.AVTransportURIMetaData"]
    ) { context async throws(Finding) in
      let transport = try transport(context)
      try await transport.set(try await transport.context.serveTone(seconds: 10))
    },
    Cause(
      id: "avt/play", action: "AVTransport.Play", needs: needsTransport, changes: [.transport],
      effects: states + ["Info.TrackCount", "Info.Uri", "Info.Metadata", "Time.TrackCount"],
      prepare: { context async throws(Finding) in
        // Another source, so that the change of the source shows as well.
        if let playlist = try? context.device(with: PlaylistDriver.service).playlist { try await playlist.select() }
      }, perform: playsTone),
    Cause(
      id: "avt/pause", action: "AVTransport.Pause", needs: needsTransport + [.speaker(TransportDriver.service)],
      changes: [.transport], effects: states, prepare: playsTone
    ) { context async throws(Finding) in
      let transport = try transport(context)
      try await transport.pause()
      try await transport.wait(for: .paused)
    },
    Cause(
      id: "avt/stop", action: "AVTransport.Stop", needs: needsTransport, changes: [.transport], effects: states,
      prepare: playsTone
    ) { context async throws(Finding) in
      let transport = try transport(context)
      try await transport.stop()
      try await transport.wait(for: .stopped, .noMedia)
    },
  ]

  // MARK: Playlist

  private static func editing(
    _ id: String, _ action: String, effects: [String],
    prepare: @escaping @Sendable (PlaylistDriver) async throws(Finding) -> Void = { _ async throws(Finding) in },
    perform: @escaping @Sendable (PlaylistDriver) async throws(Finding) -> Void
  ) -> Cause {
    Cause(
      id: "oh/\(id)", action: action, needs: [.speaker(PlaylistDriver.service)], changes: [.playlist],
      effects: effects,
      prepare: { context async throws(Finding) in
        try await prepare(try context.device(with: PlaylistDriver.service).playlist)
      },
      perform: { context async throws(Finding) in
        try await perform(try context.device(with: PlaylistDriver.service).playlist)
      })
  }

  private static func plays(_ playlist: PlaylistDriver) async throws(Finding) {
    let (_, ids) = try await playlist.load(tones: 1, seconds: 120)
    try await playlist.start(ids[0])
  }

  /// Repeat or Shuffle.
  private static func mode(_ name: String) -> Cause {
    editing(
      name.lowercased(), "Playlist.Set\(name)", effects: ["Playlist.\(name)", "Transport.\(name)"],
      prepare: { playlist async throws(Finding) in try await playlist.call("Set\(name)", [("Value", "0")]) },
      perform: { playlist async throws(Finding) in try await playlist.call("Set\(name)", [("Value", "1")]) })
  }

  private static let playlist: [Cause] = [
    editing("insert", "Playlist.Insert", effects: ["Playlist.IdArray"]) { playlist async throws(Finding) in
      _ = try await playlist.insert(playlist.uri(1), after: 0)
    },
    mode("Repeat"), mode("Shuffle"),
    editing(
      "play", "Playlist.SeekId",
      effects: [
        "Playlist.TransportState", "Transport.TransportState", "Info.TrackCount", "Info.Uri", "Info.Metadata",
        "Time.TrackCount",
      ],
      prepare: { playlist async throws(Finding) in _ = try await playlist.fill(1) }, perform: plays),
    editing(
      "stop", "Playlist.Stop", effects: ["Playlist.TransportState", "Transport.TransportState"], prepare: plays
    ) { playlist async throws(Finding) in
      try await playlist.call("Stop")
      try await playlist.wait(forState: "Stopped")
    },
  ]

  // MARK: Radio

  private static let radio: [Cause] = [
    Cause(
      id: "oh/channel", action: "Radio.SetChannel", needs: [.speaker(RadioChecks.service)], changes: [.channel],
      effects: ["Radio.Uri", "Radio.Metadata"]
    ) { context async throws(Finding) in
      let radio = try context.device(with: RadioChecks.service)
      let media = try await radio.serveTone(seconds: 10)
      try await radio.call(RadioChecks.service, "SetChannel", [("Uri", media.url), ("Metadata", media.metadata)])
    }
  ]
}

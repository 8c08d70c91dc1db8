import Glibc
import Logging
import PlaybackModel
import SpeakerCore

/// Shows and controls the speaker through MPRIS 2.2, so that desktops, media keys, `playerctl` and KDE Connect find it.
///
/// https://specifications.freedesktop.org/mpris-spec/latest/
@CompanionActor final class MPRISPlayer: CompanionFeature {
  private static let name = "org.mpris.MediaPlayer2.swiftlet"
  private static let path = "/org/mpris/MediaPlayer2"
  private static let root = "org.mpris.MediaPlayer2"
  private static let player = "org.mpris.MediaPlayer2.Player"

  private let settings: MPRISSettings
  private let context: CompanionContext
  private var bus: Bus?
  private var tokens: [BusToken] = []
  private var moment = SpeakerState()
  private var jumps = JumpDetector()
  private var pacer = AnnouncementPacer<BusValue>()
  private var timer: CompanionTimer?
  private var hasLoggedProblem = false
  private var report: MPRISReport { didSet { context.board.update { [report] in $0.mpris = report } } }

  init(_ settings: MPRISSettings, _ context: CompanionContext) {
    self.settings = settings
    self.context = context
    moment.name = context.name
    report = MPRISReport(bus: settings.bus.description)
    context.board.update { [report] in $0.mpris = report }
  }

  func start() {
    let bus = Bus.shared(settings.bus, logger: context.logger)
    self.bus = bus
    tokens = [bus.export(Self.path, rootInterface), bus.export(Self.path, playerInterface)]
    tokens.append(bus.observe { [weak self] _ in self?.noteBus() })
    context.link.observe { [weak self] in self?.update($0) }
  }

  func stop() async {
    for token in tokens { token.cancel() }
    (tokens, timer, bus) = ([], nil, nil)
  }

  /// A second Swiftlet on a session bus gets a name of its own. The policy of the system bus allows only one.
  private var names: [String] {
    settings.bus == .system ? [Self.name] : [Self.name, "\(Self.name).instance\(getpid())"]
  }

  private func noteBus() {
    guard let problem = bus?.problem else { return }
    (report.name, report.problem) = (nil, problem)
  }

  private func noteName(_ result: Result<String, BusError>?) {
    switch result {
    case .success(let name):
      (report.name, report.problem) = (name, nil)
      if name == Self.name {
        context.logger.log(level: hasLoggedProblem ? .notice : .debug, "On the \(settings.bus) as \(Self.name).")
        hasLoggedProblem = false
      } else {
        log("The name \(Self.name) is taken on the \(settings.bus): using \(name).")
      }
    case .failure(let error):
      let problem = problem(error)
      (report.name, report.problem) = (nil, problem)
      log(problem)
    // `noteBus` reports why the connection has ended.
    case nil: report.name = nil
    }
  }

  private func problem(_ error: BusError) -> String {
    guard error.isRemote("org.freedesktop.DBus.Error.AccessDenied") else {
      return "Cannot appear as a player on the \(settings.bus): \(error) Swiftlet tries again."
    }
    return "The \(settings.bus) does not allow the name \(Self.name): its policy file is missing, or this user is not "
      + "in the group audio. Swiftlet tries again."
  }

  private func log(_ problem: String) {
    if !hasLoggedProblem { context.logger.warning("\(problem)") }
    hasLoggedProblem = true
  }

  // MARK: Announcements

  private func update(_ moment: SpeakerState) {
    let isRenamed = moment.name != self.moment.name
    self.moment = moment
    if isRenamed { bus?.emitPropertiesChanged(Self.path, Self.root, ["Identity"]) }
    let hasJumped = jumps.update(moment)
    perform(pacer.update(MPRISProperties(moment: moment).announced, hasJumped: hasJumped, at: .now))
  }

  private func perform(_ actions: [AnnouncementPacer<BusValue>.Action]) {
    for action in actions {
      switch action {
      case .appear: appear()
      case .announce(let names): bus?.emitPropertiesChanged(Self.path, Self.player, names)
      case .announceJump:
        bus?.emit(Self.path, Self.player, "Seeked", [MPRISProperties(moment: moment).position(at: .now)])
      case .wait(let deadline):
        timer = CompanionTimer(at: deadline) { [weak self] in
          guard let self else { return }
          perform(pacer.fire(at: .now))
        }
      }
    }
  }

  /// Requests the name last, so that clients that see it find all objects and the speaker's true state.
  private func appear() {
    guard let bus else { return }
    tokens.append(bus.requestName(names) { [weak self] in self?.noteName($0) })
  }

  // MARK: Interfaces

  private var rootInterface: BusInterface {
    let refusal = BusFault.notSupported("The speaker cannot do this.")
    return BusInterface(
      Self.root,
      methods: [
        .init("Raise") { _ throws(BusFault) in throw refusal },
        .init("Quit") { _ throws(BusFault) in throw refusal },
      ],
      properties: [
        .init("Identity", "s") { [weak self] in .string(self?.moment.name ?? "") },
        .init("CanQuit", "b") { .bool(false) }, .init("CanRaise", "b") { .bool(false) },
        .init("HasTrackList", "b") { .bool(false) },
        .init("SupportedUriSchemes", "as") { .strings(["http", "https"]) },
        .init("SupportedMimeTypes", "as") { [types = settings.mimeTypes] in .strings(types) },
      ])
  }

  private var playerInterface: BusInterface {
    BusInterface(
      Self.player,
      methods: [
        method("Next", .next), method("Previous", .previous), method("Play", .play), method("Stop", .stop),
        method("Pause", .pause),
        .init("PlayPause") { [weak self] _ throws(BusFault) in
          if let error = await self?.send(.toggle) { throw .failed(error) }
          return []
        },
        .init("Seek", in: [.init("Offset", "x")]) { [weak self] call throws(BusFault) in
          guard let self, moment.abilities.seek, let offset = call.arguments[0].integer else { return [] }
          try Self.check(await send(.skip(by: .microseconds(offset))))
          return []
        },
        .init("SetPosition", in: [.init("TrackId", "o"), .init("Position", "x")]) {
          [weak self] call throws(BusFault) in
          try await self?.setPosition(call.arguments[0].path ?? "", call.arguments[1].integer ?? -1)
          return []
        },
        .init("OpenUri", in: [.init("Uri", "s")]) { [weak self] call throws(BusFault) in
          try await self?.open(call.arguments[0].string ?? "")
          return []
        },
      ],
      properties: properties, signals: [.init("Seeked", [.init("Position", "x")])])
  }

  private var properties: [BusInterface.Property] {
    let plain = ["PlaybackStatus": "s", "Metadata": "a{sv}", "MinimumRate": "d", "MaximumRate": "d"]
    let abilities = ["CanGoNext", "CanGoPrevious", "CanPlay", "CanPause", "CanSeek"]
    return plain.sorted { $0.key < $1.key }.map { property($0.key, $0.value) } + abilities.map { property($0, "b") } + [
      .init("CanControl", "b", emitsChange: false) { .bool(true) },
      .init("Position", "x", emitsChange: false) { [weak self] in
        MPRISProperties(moment: self?.moment ?? SpeakerState()).position(at: .now)
      },
      property("Rate", "d") { [weak self] value throws(BusFault) in
        // A rate of 0 means pause; others cannot be set.
        if value.double == 0 { self?.context.link.send(.pause, from: .mpris) }
      },
      property("LoopStatus", "s") { [weak self] value throws(BusFault) in
        guard let repeats = ["None": false, "Playlist": true][value.string ?? ""] else {
          throw .notSupported("The speaker can repeat only its playlist.")
        }
        self?.context.link.send(.repeat(repeats), from: .mpris)
      },
      property("Shuffle", "b") { [weak self] value throws(BusFault) in
        self?.context.link.send(.shuffle(value.bool ?? false), from: .mpris)
      },
      property("Volume", "d") { [weak self] value throws(BusFault) in
        guard let step = value.double.flatMap(MPRISProperties.step) else { throw .invalidArguments("Not a volume.") }
        guard self?.moment.isVolumeFixed != true else { throw .notSupported(CommandError.fixedVolume.description) }
        self?.context.link.send(.setVolume(step), from: .mpris)
      },
    ]
  }

  private func property(
    _ name: String, _ signature: String,
    set: (@CompanionActor @Sendable (BusValue) throws(BusFault) -> Void)? = nil
  ) -> BusInterface.Property {
    .init(
      name, signature,
      get: { [weak self] in
        MPRISProperties(moment: self?.moment ?? SpeakerState()).announced[name] ?? .string("")
      }, set: set)
  }

  /// A method for a command. A command that is impossible now has no effect, and is not an error.
  private func method(_ name: String, _ command: SpeakerCommand) -> BusInterface.Method {
    .init(name) { [weak self] _ throws(BusFault) in
      try Self.check(await self?.send(command))
      return []
    }
  }

  private static func check(_ error: CommandError?) throws(BusFault) {
    if error == .tooManyCommands { throw .failed(.tooManyCommands) }
  }

  // MARK: Commands

  /// - Returns: nil for success.
  private func send(_ command: SpeakerCommand) async -> CommandError? {
    await withCheckedContinuation { continuation in
      context.link.send(command, from: .mpris) { continuation.resume(returning: $0) }
    }
  }

  /// A position of a track that has ended meanwhile, or outside the track, is ignored.
  private func setPosition(_ track: String, _ microseconds: Int) async throws(BusFault) {
    let position = Duration.microseconds(microseconds)
    guard moment.trackID != 0, track == MPRISProperties(moment: moment).trackPath, moment.abilities.seek,
      microseconds >= 0, position <= moment.duration ?? .zero
    else { return }
    // The event loop compares the track again, because the next one may begin until then.
    try Self.check(await send(.seek(to: position, track: moment.trackID)))
  }

  private func open(_ uri: String) async throws(BusFault) {
    guard ["http://", "https://"].contains(where: uri.lowercased().hasPrefix), uri.utf8.count <= 4096 else {
      throw .notSupported("The speaker plays http and https addresses only.")
    }
    if let error = await send(.queue(.add([PlaylistTrack(uri: uri, metadata: "")], .now))) { throw .failed(error) }
  }
}

extension BusFault {
  fileprivate static func failed(_ error: CommandError) -> BusFault {
    error == .tooManyCommands
      ? BusFault("org.freedesktop.DBus.Error.LimitsExceeded", error.description) : .failed(error.description)
  }
}

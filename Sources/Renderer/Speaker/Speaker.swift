import Companion
import DeviceStack
import Glibc
import Logging
import NIOCore
import NIOPosix
import Page
import Playback
import PlaybackEngine
import PlaybackModel
import PlaybackStore
import ServiceLifecycle
import SpeakerCore
import Stations
import UnixSignals

/// An assembled speaker: all parts, and the order in which they stop.
struct Speaker {
  /// Time limit of the shutdown, for byebyes, state and audio device together.
  private static let shutdownTime = Duration.seconds(3)

  /// All services. They stop from the last to the first.
  private let services: [any Service]
  private let eventLoops: MultiThreadedEventLoopGroup
  private let log: LogOutput

  /// Builds all parts, each after those that it uses.
  /// - Parameters:
  ///   - waitsForOutput: whether to start without an audio device.
  ///   - sources: the sources of the configuration, for reloads.
  ///   - owner: the configuration without the settings of the speaker's page.
  ///   - pageFile: the settings of the speaker's page.
  /// - Throws: `StartError`.
  static func assemble(
    waitsForOutput: Bool, sources: ConfigurationSources, owner: ConfigurationReading, pageFile: PageFile
  ) async throws -> Speaker {
    let configuration = owner.adding(pageFile.settings, path: pageFile.path).configuration
    let output = try OutputChoice.open(configuration.output, waits: waitsForOutput)

    // Everything below shares the time zone.
    if let name = configuration.timeZone { TimeZoneName.use(name) }

    // Log
    let log = LogOutput(level: configuration.logLevel)
    let logger = log.logger()

    // State
    let (folder, store, identity) = try openState(configuration, logger: logger)
    let keeper = StateKeeper(store: store, startupVolume: configuration.startupVolume)
    let updates = ConfigurationUpdates()
    let library = LibraryService(configuration, changes: updates.subscribe(), in: folder.path, logger: logger)

    // Handle SIGHUP before the first output, because the signal ends a process that does not handle it.
    let hangups = await UnixSignalsSequence(trapping: .sighup)
    // A reader that closes stdout must not end the process.
    signal(SIGPIPE, SIG_IGN)
    Announcer.begin(name: configuration.speakerName, output: output.output)

    // Player
    let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = eventLoops.next()
    let tap = SoundTap(lead: RoomSender.tapLead)
    let roomReceiver = try await eventLoop.submit {
      NIOLoopBound(RoomReceiver(eventLoop: eventLoop), eventLoop: eventLoop)
    }.get()
    let programHost = try await eventLoop.submit {
      let host = ProgramHost(
        configuration.sources, files: ProgramFiles(stateFolder: folder.path, speaker: configuration.speakerName),
        environment: sources.environment, eventLoop: eventLoop, logger: logger)
      return NIOLoopBound(host, eventLoop: eventLoop)
    }.get()
    let openInput = try await eventLoop.submit {
      let (program, room) = (programHost.value.openInput, roomReceiver.value.openInput)
      return { @Sendable (address: String, input: ClockedInput) in program(address, input) || room(address, input) }
    }.get()
    let tone = AlarmTone()
    var playerSettings = PlayerSettings(configuration)
    playerSettings.ownFile = tone.address
    let player = Player(
      executor: eventLoop.executor, output: output, settings: playerSettings, tap: tap,
      openInput: openInput, logger: logger)

    let companionSettings = CompanionSettings(configuration)
    let board = CompanionBoard()
    let pairing = companionSettings.usesPairing ? PairingDesk(board: board, logger: logger) : nil
    let sleep = MachineSleep(player: player, store: store, logger: logger)

    let settingsFile = StateFile(PageFile.name, in: folder, logger: logger)
    let lockFile = StateFile(LockFile.name, in: folder, logger: logger)
    let lock = LockFile.storage(lockFile, logger: logger)
    let live = LiveSettings(
      owner: owner, page: pageFile, inForce: configuration, updates: updates, log: log, file: settingsFile)
    let hooks = HookService(
      configuration: configuration, changes: updates.subscribe(), environment: sources.environment,
      companions: board, logger: logger)
    let devices = try await eventLoop.submit {
      let devices = SpeakerDevices(
        player: player, tap: tap, library: library?.library, roomReceiver: roomReceiver.value,
        programHost: programHost.value, keeper: keeper, configuration: configuration, identity: identity,
        eventLoop: eventLoop,
        alarms: AlarmEnvironment(keeper: keeper, tone: tone, eventLoop: eventLoop, logger: logger),
        logger: logger,
        refreshPresets: { updates.requestPresets() })
      hooks.attach(to: devices.feed)
      // An alarm may be due.
      devices.control.alarms.start()
      return NIOLoopBound(devices, eventLoop: eventLoop)
    }.get()

    // Host
    let manager = ServiceManager(environment: sources.environment, processID: getpid())
    let reporter = StatusReporter(
      feed: try await eventLoop.submit { NIOLoopBound(devices.value.feed, eventLoop: eventLoop) }.get(),
      log: log, programs: programHost, companions: companionSettings.isEmpty ? nil : board, library: library?.library)
    let hostSettings = DeviceHostSettings(configuration, identity)
    let speakerPage = try await eventLoop.submit {
      let (devices, facts) = (devices.value, PageFacts(reporter: reporter))
      let context = PageContext(
        eventLoop: eventLoop, player: player, playlist: devices.playlist, radio: devices.radio, pins: devices.pins,
        directory: StationDirectory(configuration),
        control: devices.control, feed: devices.feed, facts: facts,
        house: devices.house(configuration, hostSettings), settings: PageSettingsKeeper(live), lock: lock,
        lists: TrackLists.Storage(store),
        companions: PageCompanions(companionSettings, board: board, store: store, pairing: pairing),
        isReadOnly: configuration.page == .readOnly, bootID: identity.bootID,
        connectionLimit: hostSettings.limits.connections, logger: logger)
      let page = configuration.page == .off ? nil : SpeakerPage(context, facts: facts)
      return NIOLoopBound(page, eventLoop: eventLoop)
    }.get()
    let host = HostService(
      eventLoop: eventLoop, player: player, devices: devices, page: speakerPage, settings: hostSettings,
      identity: identity,
      reporter: reporter, manager: manager, sleep: sleep, configuration: configuration, changes: updates.subscribe(),
      logger: logger)

    // Companions
    let companions: CompanionService? =
      companionSettings.isEmpty
      ? nil
      : CompanionService(
        settings: companionSettings,
        context: CompanionContext(
          link: try await eventLoop.submit {
            SpeakerLink(eventLoop: eventLoop, control: devices.value.control, feed: devices.value.feed)
          }.get(), store: store, board: board, sleep: sleep.actions, name: configuration.speakerName,
          identity: SpeakerIdentity(
            uuid: identity.rendererUUID.description,
            udn: try await eventLoop.submit { devices.value.av.root.info.udn }.get(), version: Version.number,
            page: { reporter.page }),
          logger: logger,
          runHook: { hooks.run($0, with: $1) }), pairing: pairing)

    // Status
    let status = StatusService(
      eventLoop: eventLoop, reporter: reporter,
      unlock: { speakerPage.value.map { $0.unlock() ? .unlocked : .notLocked } ?? .noPage },
      announcements: LocalAnnouncements { request, waits, reply in
        devices.value.control.perform(.announce(request, waits: waits), from: .machine) { result in
          if case .failure(let error) = result { reply(error) } else { reply(nil) }
        }
      },
      path: configuration.statusSocket ?? StatusSocket.place(sources.environment), logger: logger)

    // Lifecycle
    let playback = PlayerService(player: player, configuration: configuration, changes: updates.subscribe())
    let reload = ReloadService(
      hangups: hangups, updates: updates, sources: sources, settings: live, log: log, manager: manager,
      rescan: { library?.library.rescan() })
    let watchdog = manager.watchdogLimit.map { limit in
      WatchdogService(eventLoop: eventLoop, player: player, manager: manager, limit: limit, logger: logger)
    }

    // They stop in reverse order: byebyes are sent before the sound ends, and changes until then are saved.
    let services: [(any Service)?] = [
      manager, keeper, settingsFile, lockFile, library, hooks, playback,
      configuration.sources.isEmpty ? nil : ProgramService(host: programHost, eventLoop: eventLoop), status, host,
      companions, reload, watchdog,
    ]
    return Speaker(services: services.compactMap(\.self), eventLoops: eventLoops, log: log)
  }

  private static func openState(
    _ configuration: Configuration, logger: Logger
  ) throws(StartError) -> (StateFolder, StateStore, DeviceIdentity) {
    do throws(StateError) {
      let folder = try StateFolder(path: configuration.stateFolder ?? Host.defaultStateFolder).locked()
      let store = try StateStore(folder: folder, logger: logger)
      return (folder, store, try DeviceIdentity(store: store, logger: logger))
    } catch {
      throw StartError("\(error) Choose a writable folder that no other swiftlet uses with --state-dir.")
    }
  }

  /// Runs until SIGTERM or SIGINT.
  /// - Throws: `DeviceHostError`.
  func run() async throws {
    defer { Announcer.finish() }
    // The group logs every service at lower levels, in full.
    var logger = log.logger()
    logger.logLevel = max(logger.logLevel, .warning)
    var configuration = ServiceGroupConfiguration(
      services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
      gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    configuration.maximumGracefulShutdownDuration = Self.shutdownTime
    try await ServiceGroup(configuration: configuration).run()
    try await eventLoops.shutdownGracefully()
    log.end()
  }
}

/// Why the speaker cannot start, and how the user can change that.
struct StartError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

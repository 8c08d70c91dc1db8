import DeviceStack
import Glibc
import Logging
import NIOCore
import NIOPosix
import Playback
import PlaybackEngine
import PlaybackModel
import PlaybackStore
import ServiceLifecycle
import UPnP
import UnixSignals

/// Puts the parts together and runs them until SIGTERM or SIGINT.
struct Speaker {
  /// Byebyes, state and sound card together have to be done by then.
  private static let shutdownTime = Duration.seconds(3)

  private let configuration: Configuration
  private let output: OutputChoice
  private let log: LogOutput
  private let logger: Logger
  private let store: StateStore
  private let identity: DeviceIdentity

  /// Opens what has to be there from the start: the state folder, and the output unless it is waited for.
  init(_ configuration: Configuration, waitsForOutput: Bool) throws(RendererError) {
    self.configuration = configuration
    output = try Self.output(configuration.output, isAwaited: waitsForOutput)
    log = LogOutput(level: configuration.logLevel)
    logger = log.logger()
    do throws(StateError) {
      let folder = try StateFolder(path: configuration.stateFolder ?? Host.defaultStateFolder).locked()
      store = try StateStore(folder: folder, logger: logger)
      identity = try DeviceIdentity(store: store, logger: logger)
    } catch {
      throw RendererError("\(error) Name a folder that this one may write to, and has to itself, with --state-dir.")
    }
  }

  /// - Parameters:
  ///   - named: nil for the first audio device.
  ///   - isAwaited: whether one that is not there yet will do.
  private static func output(_ named: OutputDescription?, isAwaited: Bool) throws(RendererError) -> OutputChoice {
    guard let named else {
      let find = { @Sendable () throws(OutputError) in try Outputs.preferred() }
      return .found(isAwaited ? try? find() : try firstOutput(), find: find)
    }
    let find = { @Sendable () throws(OutputError) in
      try Outputs.probe(named)
      return named
    }
    do throws(OutputError) {
      guard isAwaited else { return .fixed(try find()) }
      // What can never be opened is not waited for.
      try Outputs.check(named)
    } catch {
      throw RendererError(error.description)
    }
    return .found(try? find(), find: find)
  }

  /// The output that is taken when none is named.
  /// - Throws: where there is none. Sound never goes nowhere unasked.
  static func firstOutput() throws(RendererError) -> OutputDescription {
    do throws(OutputError) {
      return try Outputs.preferred()
    } catch {
      throw RendererError(
        "\(error) Connect an audio device, or name an output with --output (`swiftlet outputs` lists them).")
    }
  }

  /// - Parameter sources: where the configuration can be read again.
  func run(_ sources: ConfigurationSources) async throws {
    // From before anybody knows that it runs: SIGHUP ends a program that does not listen for it.
    let hangups = await UnixSignalsSequence(trapping: .sighup)
    // Whoever read what it prints, and does no more, does not end it.
    signal(SIGPIPE, SIG_IGN)
    let name = configuration.speakerName
    Announcer.begin(name: name, output: output.output)
    defer { Announcer.finish() }
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = group.next()
    let player = Player(
      executor: eventLoop.executor, output: output, settings: playerSettings, logger: logger)
    let manager = ServiceManager(environment: sources.environment, processID: getpid())
    let memory = Memory(store: store, startupVolume: configuration.startupVolume)
    var listeners: [AsyncStream<Configuration>.Continuation] = []
    /// What changes while it runs, for one who wants to know.
    func changes() -> AsyncStream<Configuration> {
      let (changes, listener) = AsyncStream.makeStream(of: Configuration.self)
      listeners.append(listener)
      return changes
    }
    let hooks = HookService(
      player: player, configuration: configuration, changes: changes(), environment: sources.environment,
      logger: logger)
    let reporter = StatusReporter(name: name, player: player, log: log)
    // Asked for twice before it is done, it is done once.
    let (refreshes, refresh) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let host = HostService(
      eventLoop: eventLoop, player: player, memory: memory, hooks: hooks, reporter: reporter,
      hasMetrics: configuration.metrics, settings: hostSettings, name: name,
      openHomeName: configuration.openHomeName, room: configuration.room,
      presets: configuration.presets, refreshPresets: { refresh.yield() },
      uuid: configuration.uuid ?? identity.rendererUUID, identity: identity, changes: changes(),
      manager: manager, logger: logger)
    let status = StatusService(
      eventLoop: eventLoop, reporter: reporter,
      path: configuration.statusSocket ?? StatusSocket.place(sources.environment), logger: logger)
    let sound = PlayerService(player: player, changes: changes())
    let reload = ReloadService(
      signals: hangups, refreshes: refreshes, sources: sources, configuration: configuration, log: log,
      manager: manager, listeners: listeners)
    // The group's own steps, with every service described in full, help nobody.
    var groupLogger = logger
    groupLogger.logLevel = max(logger.logLevel, .warning)
    // They stop in the opposite order: the devices say goodbye before the sound ends, and what changes until then is kept.
    var services: [any Service] = [manager, memory, hooks, sound, status, host, reload]
    if let limit = manager.watchdogLimit {
      services.append(
        WatchdogService(eventLoop: eventLoop, player: player, manager: manager, limit: limit, logger: logger))
    }
    var groupConfiguration = ServiceGroupConfiguration(
      services: services.map { .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup) },
      gracefulShutdownSignals: [.sigterm, .sigint], logger: groupLogger)
    groupConfiguration.maximumGracefulShutdownDuration = Self.shutdownTime
    try await ServiceGroup(configuration: groupConfiguration).run()
    try await group.shutdownGracefully()
    log.end()
  }

  private var playerSettings: PlayerSettings {
    var settings = PlayerSettings()
    settings.userAgent = "\(Host.operatingSystem) UPnP/1.1 DLNADOC/1.50 \(Version.name)/\(Version.number)"
    settings.initialVolume = configuration.startupVolume ?? settings.initialVolume
    settings.volumeLimit = configuration.maximumVolume
    settings.isVolumeFixed = configuration.fixedVolume
    settings.bufferDepth = configuration.buffer
    settings.deviceRelease = configuration.deviceRelease
    settings.mixer = configuration.mixer
    settings.replayGain = configuration.replayGain
    return settings
  }

  private var hostSettings: DeviceHostSettings {
    var host = DeviceHostSettings(
      product: "\(Host.operatingSystem) UPnP/1.1 \(Version.name)/\(Version.number)",
      ports: configuration.port == 0 ? [identity.port, 0].compactMap(\.self) : [configuration.port],
      bootID: identity.bootID)
    host.limits.connections = Descriptors.connections(of: Descriptors.raise())
    host.interfaces = InterfacePolicy(names: configuration.interfaces)
    host.hostPolicy = configuration.hostPolicy
    host.callbackPolicy = configuration.callbackPolicy
    return host
  }
}

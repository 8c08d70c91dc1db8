import DeviceStack
import Logging
import NIOCore
import NIOPosix
import Playback
import ServiceLifecycle

/// Puts the parts together and runs them until SIGTERM or SIGINT.
struct Renderer {
  /// Byebyes, state and sound card together have to be done by then.
  private static let shutdownTime = Duration.seconds(3)

  private let settings: RendererSettings
  private let logger: Logger
  private let folder: StateFolder
  private let identity: DeviceIdentity

  /// Opens what has to be there from the start: the state folder and the output.
  init(_ settings: RendererSettings) throws(RendererError) {
    self.settings = settings
    logger = Self.logger(level: settings.logLevel)
    do throws(StateError) {
      folder = try StateFolder(path: settings.stateFolder)
      identity = try DeviceIdentity(folder: folder, logger: logger)
    } catch {
      throw RendererError(error.description)
    }
    do throws(OutputError) {
      try Outputs.probe(settings.output)
    } catch {
      throw RendererError(error.description)
    }
  }

  func run() async throws {
    Announcer.begin(name: settings.name, output: settings.output.description)
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let eventLoop = group.next()
    let player = Player(
      executor: eventLoop.executor, output: settings.output, settings: playerSettings, logger: logger)
    let memory = Memory(keeper: StateKeeper(folder: folder, logger: logger))
    let host = HostService(
      eventLoop: eventLoop, player: player, memory: memory, settings: hostSettings, name: settings.name,
      uuid: settings.uuid ?? identity.rendererUUID, identity: identity, logger: logger)
    // The group's own steps, with every service described in full, help nobody.
    var groupLogger = logger
    groupLogger.logLevel = max(logger.logLevel, .warning)
    // They stop in the opposite order: the devices say goodbye before the sound ends, and what changes until then is kept.
    var configuration = ServiceGroupConfiguration(
      services: [memory, PlayerService(player: player), host], gracefulShutdownSignals: [.sigterm, .sigint],
      logger: groupLogger)
    configuration.maximumGracefulShutdownDuration = Self.shutdownTime
    try await ServiceGroup(configuration: configuration).run()
    try await group.shutdownGracefully()
  }

  private var playerSettings: PlayerSettings {
    var settings = PlayerSettings()
    settings.userAgent = "\(Host.operatingSystem) UPnP/1.1 DLNADOC/1.50 \(Version.name)/\(Version.number)"
    return settings
  }

  private var hostSettings: DeviceHostSettings {
    var host = DeviceHostSettings(
      product: "\(Host.operatingSystem) UPnP/1.1 \(Version.name)/\(Version.number)",
      ports: settings.port == 0 ? [identity.port, 0].compactMap(\.self) : [settings.port], bootID: identity.bootID)
    host.interfaces = InterfacePolicy(names: settings.interfaces)
    return host
  }

  private static func logger(level: Logger.Level) -> Logger {
    var logger = Logger(label: "swiftlet") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = level
    return logger
  }
}

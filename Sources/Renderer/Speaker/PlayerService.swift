import MediaStream
import Playback
import PlaybackEngine
import PlaybackModel
import ServiceLifecycle

/// Runs the player and applies reloaded settings to it.
struct PlayerService: Service {
  let player: Player
  /// The configuration at the start.
  let configuration: Configuration
  /// Configurations after a reload.
  let changes: AsyncStream<Configuration>

  func run() async {
    AcceptedHosts.set(configuration.tlsAccept)
    await withTaskGroup { group in
      group.addTask { await player.run() }
      group.addTask {
        var output = configuration.output
        for await configuration in changes.cancelOnGracefulShutdown() {
          await player.setVolumeLimit(configuration.maximumVolume)
          await player.setReplayGain(configuration.replayGain)
          AcceptedHosts.set(configuration.tlsAccept)
          await player.setTimes(
            bufferDepth: configuration.buffer, liveDelay: configuration.liveBuffer,
            deviceRelease: configuration.deviceRelease)
          if configuration.output != output { await player.setOutput(configuration.output) }
          output = configuration.output
        }
      }
      try? await gracefulShutdown()
      await player.shutdown()
    }
  }
}

extension PlayerSettings {
  init(_ configuration: Configuration) {
    self.init()
    userAgent = "\(Host.operatingSystem) UPnP/1.1 DLNADOC/1.50 \(Version.name)/\(Version.number)"
    initialVolume = configuration.startupVolume ?? initialVolume
    volumeLimit = configuration.maximumVolume
    isVolumeFixed = configuration.fixedVolume
    bufferDepth = configuration.buffer
    liveDelay = configuration.liveBuffer
    deviceRelease = configuration.deviceRelease
    mixer = configuration.mixer
    replayGain = configuration.replayGain
    chimeFile = configuration.announcementChime
  }
}

extension OutputChoice {
  /// Opens the configured output.
  /// - Parameters:
  ///   - named: the configured output; nil for the first audio device.
  ///   - waits: whether to accept an output that is missing now.
  static func open(_ named: OutputDescription?, waits: Bool) throws(StartError) -> OutputChoice {
    let find = Outputs.search(for: named)
    guard let named else { return .found(waits ? try? find() : try .first(), find: find) }
    do throws(OutputError) {
      // A server that is away is waited for when something plays.
      if named.isRemote { return .fixed(named) }
      guard waits else { return .fixed(try find()) }
      // An output that can never be opened is an error in any case.
      try Outputs.check(named)
    } catch {
      throw StartError(error.description)
    }
    return .found(try? find(), find: find)
  }
}

extension OutputDescription {
  /// The output that is used when none is named.
  /// - Throws: if there is none. The null output is never chosen by itself.
  static func first() throws(StartError) -> OutputDescription {
    do throws(OutputError) {
      return try Outputs.preferred()
    } catch {
      throw StartError(
        "\(error) Connect an audio device, or name an output with --output (`swiftlet outputs` lists them).")
    }
  }
}

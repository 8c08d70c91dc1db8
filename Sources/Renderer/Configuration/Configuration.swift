import DeviceStack
import Logging
import PlaybackModel
import UPnP

/// All that can be chosen, with the defaults. What each means is told in one place, `ConfigurationKey`.
struct Configuration: Sendable, Equatable {
  var name: String?
  var room: String?
  var openHomeSuffix = " (OpenHome)"
  var interfaces: [String] = []
  var port = 0
  var uuid: UUID?
  var networks: [CIDR] = []
  var hosts: [String] = []
  var output: OutputDescription?
  var buffer = PlayerSettings().bufferDepth
  var deviceRelease = PlayerSettings().deviceRelease
  var mixer: MixerDescription?
  var replayGain = ReplayGainSettings()
  var startupVolume: Int?
  var maximumVolume = PlayerSettings().volumeLimit
  var isVolumeFixed = PlayerSettings().isVolumeFixed
  var presets: [RadioPreset] = []
  var stateFolder: String?
  var logLevel = Logger.Level.info
  var statusSocket: String?
  var hasMetrics = false
  var hooks = Hooks()

  /// What the speaker is called.
  var speakerName: String { name ?? "\(Version.name) (\(Host.name))" }

  /// The OpenHome device's friendly name. The UPnP AV device's is the speaker's name.
  var openHomeName: String { speakerName + openHomeSuffix }

  /// Whom the device host is to trust.
  var hostPolicy: HostPolicy { HostPolicy(names: hosts) }
  var callbackPolicy: CallbackPolicy { CallbackPolicy(networks: networks) }
}

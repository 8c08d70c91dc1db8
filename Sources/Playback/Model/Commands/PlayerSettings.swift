/// How the player behaves where there is a choice.
public struct PlayerSettings: Sendable, Equatable {
  /// What our requests call us.
  public var userAgent = "Swiftlet UPnP/1.0 DLNADOC/1.50"
  /// Folders whose files may be played by `file:` addresses. None by default: a controller may play what servers
  /// serve, not what lies on our disk.
  public var allowedFolders: [String] = []
  /// Volume steps at the start, 0…100.
  public var initialVolume = 100
  /// Volume steps that nobody goes beyond, 0…100.
  public var volumeLimit = 100
  /// The control of a sound card that sets the volume; nil for the samples to be changed.
  public var mixer: MixerDescription?
  /// Whether the volume is 100 always, for an amplifier that has its own; the limit means nothing then.
  public var isVolumeFixed = false
  public var replayGain = ReplayGainSettings()
  /// How much decoded sound is held ahead of the device.
  public var bufferDepth: Duration = .seconds(10)
  /// The most memory that the sound held ahead may take, in bytes; it shortens `bufferDepth` at high rates.
  public var bufferBytes = 12 << 20
  /// How much must be there before a track starts; if that comes hardly faster than it is heard, `resumeFill`.
  public var startFill: Duration = .milliseconds(400)
  /// How much must be there before a track that ran dry goes on.
  public var resumeFill: Duration = .seconds(2)
  /// How many bytes may be read to find a place in a stream without an index to the sample; where it would be more, it is
  /// looked for by the bit rate.
  public var exactSeekBytes = 8 << 20
  /// How long an item may take to begin.
  public var openTimeout: Duration = .seconds(10)
  /// How long a server may send nothing, while little lies ready, before it is asked again.
  public var silenceTimeout: Duration = .seconds(4)
  /// How long a track that ran dry waits for its server.
  public var stallTimeout: Duration = .seconds(20)
  /// How long a live stream does, and a track whose server is away if nothing on another one follows: as long as a
  /// router takes to start, since there is nothing to go on to.
  public var outageTimeout: Duration = .seconds(300)
  /// How long the device stays open after a stop.
  public var deviceRelease: Duration = .seconds(5)

  public init() {}
}

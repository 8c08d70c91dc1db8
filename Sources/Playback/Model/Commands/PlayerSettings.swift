/// The configurable behaviour of the player.
public struct PlayerSettings: Sendable, Equatable {
  /// The User-Agent header of requests to media servers.
  public var userAgent = "Swiftlet UPnP/1.0 DLNADOC/1.50"
  /// Folders whose files may be played by `file:` addresses. Empty by default, since any controller on the network can
  /// request an address.
  public var allowedFolders: [String] = []
  /// The address of a file that may be played besides, byte for byte: the program's own sound.
  public var ownFile: String?
  /// The volume at the first start, in steps of 0…100.
  public var initialVolume = 100
  /// The highest volume that can be set, in steps of 0…100.
  public var volumeLimit = 100
  /// The mixer control of a sound card that sets the volume; nil to scale the samples.
  public var mixer: MixerDescription?
  /// Whether the volume is always 100, for an amplifier with its own volume control. `volumeLimit` is then ignored.
  public var isVolumeFixed = false
  public var replayGain = ReplayGainSettings()
  /// Decoded audio buffered ahead of the device.
  public var bufferDepth: Duration = .seconds(10)
  /// Limit for the buffered audio in bytes. It shortens `bufferDepth` at high sample rates.
  public var bufferBytes = 12 << 20
  /// The delay of uncompressed streams that are sent in real time, from their arrival to their being heard: 0.1 to 10 s.
  public var liveDelay: Duration = .seconds(1)
  /// Audio buffered before a track starts. If it arrives barely faster than real time, `resumeFill` applies.
  public var startFill: Duration = .milliseconds(400)
  /// Audio buffered before a track that ran dry continues.
  public var resumeFill: Duration = .seconds(2)
  /// Limit for the bytes read to seek exactly in a stream without an index. Beyond it, the seek estimates by bit rate.
  public var exactSeekBytes = 8 << 20
  /// Time limit for opening an item.
  public var openTimeout: Duration = .seconds(10)
  /// Silence of a server after which the engine reconnects, while little audio is buffered.
  public var silenceTimeout: Duration = .seconds(4)
  /// Time limit for a track that ran dry.
  public var stallTimeout: Duration = .seconds(20)
  /// Time limit for a live stream that ran dry, and for a track with an absent server if no track on another server
  /// follows. Long enough for a router to restart.
  public var outageTimeout: Duration = .seconds(300)
  /// Time from a stop to the closing of the device.
  public var deviceRelease: Duration = .seconds(5)

  /// The sound before announcements; nil for the built-in one.
  public var chimeFile: String?

  public init() {}

  /// The decoded sound that a source may hold: `bufferDepth`, or more than `liveDelay` needs.
  package var sourceDepth: Duration { max(bufferDepth, liveDelay * 1.5) }

  /// Whether `liveDelay` is so short that the device must hold little sound.
  package var isLivePrompt: Bool { liveDelay < .milliseconds(700) }
}

extension ConfigurationKey {
  /// In the order in which they are listed.
  static let all = [
    name, room, openHomeSuffix, output, mixer, startupVolume, maximumVolume, fixedVolume, buffer, deviceRelease,
    replayGain, replayGainPreamp, replayGainFallback, presets, interfaces, port, networks, hosts, uuid, stateFolder,
    logLevel, statusSocket, metrics, hooksPlay, hooksPause, hooksStop, hooksTrack, hooksVolume, hooksStandby,
    hooksTimeout,
  ]

  static let name = ConfigurationKey(
    "name", \.name, .text, fallback: "Swiftlet and the name of the machine", example: "\"Kitchen\"",
    isLive: true,
    "What controllers call the speaker.")

  static let room = ConfigurationKey(
    "room", \.room, .text, fallback: "the name", example: "\"Kitchen\"", isLive: true,
    "Where the speaker stands, for OpenHome controllers, which speak of rooms.")

  static let openHomeSuffix = ConfigurationKey(
    "openhome_suffix", \.openHomeSuffix, .optionalText, example: "\" [OpenHome]\"", isLive: true,
    """
    Appended to the name to form the friendly name of the OpenHome device, so that a list of all devices shows two \
    different names.
    """)

  // MARK: Sound

  static let output = ConfigurationKey(
    "output", \.output, .output, fallback: "the first audio device", example: "\"alsa:hw:0\"",
    """
    Where the sound goes: alsa:DEVICE, pulse, pipewire, null, or a GStreamer bin description; `swiftlet outputs` lists \
    them.
    """)

  static let mixer = ConfigurationKey(
    "mixer", \.mixer, .mixer, fallback: "none, the samples are changed", example: "\"alsa:hw:0/Master\"",
    """
    The control of a sound card that sets the volume, by the card's own scale in decibels: alsa:DEVICE/CONTROL; \
    `swiftlet outputs` lists them.
    """)

  static let startupVolume = ConfigurationKey(
    "startup_volume", \.startupVolume, .whole(0...100), fallback: "what it was last; 100 the first time", example: "40",
    "The volume after a start.")

  static let maximumVolume = ConfigurationKey(
    "max_volume", \.maximumVolume, .whole(0...100), example: "80", isLive: true,
    "The volume that no controller can go beyond.")

  static let fixedVolume = ConfigurationKey(
    "fixed_volume", \.isVolumeFixed, .truth, example: "false",
    "Whether the volume is 100 always, for an amplifier that has its own. Controllers can then only mute.")

  static let buffer = ConfigurationKey(
    "buffer", \.buffer, .seconds(1...60), example: "10",
    "How much sound is held ahead, against gaps in the network.")

  static let deviceRelease = ConfigurationKey(
    "device_release", \.deviceRelease, .seconds(0...3600), example: "5",
    "How long after a stop the audio device is left to other programs.")

  static let replayGain = ConfigurationKey(
    "replay_gain.mode", \.replayGain.mode, .choice, option: "replay-gain", example: "\"album\"",
    isLive: true,
    "Brings tracks or albums to one loudness, by their ReplayGain tags; never so far that they clip.")

  static let replayGainPreamp = ConfigurationKey(
    "replay_gain.preamp", \.replayGain.preamp, .decibels(-20...20), example: "-3", isLive: true,
    "How much louder than the tags say.")

  static let replayGainFallback = ConfigurationKey(
    "replay_gain.fallback", \.replayGain.fallback, .decibels(-20...20), example: "-6", isLive: true,
    "How much louder tracks without such tags are made.")

  // MARK: Radio

  static let presets = ConfigurationKey(
    "presets", \.presets, .presets, fallback: "none",
    example: "[{ title = \"Radio\", uri = \"http://radio.example.org/live\" }]", isLive: true,
    "Stations that every OpenHome controller is offered, a hundred at most.")

  // MARK: Network

  static let interfaces = ConfigurationKey(
    "interfaces", \.interfaces, .list(of: .text), option: "interface",
    fallback: "all that lead to people: not loopback, containers or bridges", example: "[\"eth0\"]",
    "The network interfaces to be found on.")

  static let port = ConfigurationKey(
    "port", \.port, .whole(0...65535), fallback: "0, any that is free, and the same one again after a restart",
    example: "49494", "The HTTP port.")

  static let networks = ConfigurationKey(
    "networks", \.networks, .list(of: .network), option: "network", fallback: "none", example: "[\"192.168.2.0/24\"]",
    isLive: true,
    "Networks beside the speaker's own that may be sent events, such as a routed one of the same home.")

  static let hosts = ConfigurationKey(
    "hosts", \.hosts, .list(of: .text), option: "host", fallback: "none", example: "[\"speaker.example.org\"]",
    isLive: true,
    """
    Names that the speaker may be addressed by, beside addresses and names of home networks; one that begins with a dot \
    stands for all that end so.
    """)

  static let uuid = ConfigurationKey(
    "uuid", \.uuid, .uuid, fallback: "made once and kept", example: "\"4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01\"",
    "The device's identifier.")

  // MARK: The program

  static let stateFolder = ConfigurationKey(
    "state_dir", \.stateFolder, .text, fallback: "/var/lib/swiftlet for root, else ~/.local/state/swiftlet",
    example: "\"/var/lib/swiftlet\"", "The folder for what is kept over restarts.")

  static let logLevel = ConfigurationKey(
    "log_level", \.logLevel, .choice, example: "\"debug\"", isLive: true, "How much to log.")

  static let statusSocket = ConfigurationKey(
    "status_socket", \.statusSocket, .path,
    fallback: "/run/swiftlet/status for root, else swiftlet/status in $XDG_RUNTIME_DIR",
    example: "\"/run/swiftlet/status\"", "The Unix socket that `swiftlet status` asks.")

  static let metrics = ConfigurationKey(
    "metrics", \.hasMetrics, .truth, example: "true",
    "Whether figures for Prometheus are served, at /metrics of the HTTP port.")

  // MARK: Hooks

  static let hooksPlay = hook(.play, \.hooks.play, "starts, or goes on after a pause", example: "amplifier\", \"on")
  static let hooksPause = hook(.pause, \.hooks.pause, "is paused", example: "display\", \"paused")
  static let hooksStop = hook(.stop, \.hooks.stop, "stops", example: "amplifier\", \"off")
  static let hooksTrack = hook(.track, \.hooks.track, "is of another track or title", example: "display")
  static let hooksVolume = hook(.volume, \.hooks.volume, "has another volume or is muted", example: "display")
  static let hooksStandby = hook(.standby, \.hooks.standby, "goes to standby or wakes up", example: "amplifier")

  private static func hook(
    _ event: HookEvent, _ path: any WritableKeyPath<Configuration, [String]> & Sendable, _ when: String,
    example: String
  ) -> ConfigurationKey {
    ConfigurationKey(
      "hooks.\(event)", path, .command, fallback: "none", example: "[\"/usr/local/bin/\(example)\"]", isLive: true,
      "What to run when the sound \(when).")
  }

  static let hooksTimeout = ConfigurationKey(
    "hooks.timeout", \.hooks.timeout, .seconds(1...600), example: "10", isLive: true,
    "How long any of these may take before it is ended.")
}

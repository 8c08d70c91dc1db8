import Companion
import Logging
import PlaybackModel
import Stations
import UPnP

/// Every key of the configuration, in the order in which documents list them.
///
/// A key is declared here and nowhere else. Its value is read with `configuration.name`; the parser, the command line, the
/// environment, `swiftlet config` and the manual pages follow from the declaration.
struct ConfigurationKeys: Sendable {
  static let shared = ConfigurationKeys()

  /// The properties below, in their order.
  static let all = Mirror(reflecting: shared).children.compactMap { $0.value as? any AnyConfigurationKey }

  let name = ConfigurationKey<String?>(
    "name", .text, unset: "Swiftlet and the name of the machine", example: "\"Kitchen\"", isReloadable: true,
    isOnPage: true,
    "The speaker's name, as controllers show it.")

  let room = ConfigurationKey<String?>(
    "room", .text, unset: "the name", example: "\"Kitchen\"", isReloadable: true, isOnPage: true,
    "The speaker's room, for OpenHome controllers, which list speakers by room.")

  let openHomeSuffix = ConfigurationKey(
    "openhome_suffix", .optionalText, default: " (OpenHome)", example: "\" [OpenHome]\"", isReloadable: true,
    isOnPage: true,
    """
    Appended to the name to form the friendly name of the OpenHome device, so that a list of all devices shows two \
    different names.
    """)

  // MARK: Sound

  let output = ConfigurationKey<OutputDescription?>(
    "output", .output, unset: "the first audio device", example: "\"alsa:hw:0\"", isReloadable: true, isOnPage: true,
    """
    The audio output: alsa:DEVICE, pulse, pipewire, snapcast:HOST, null, or a GStreamer bin description; \
    `swiftlet outputs` lists those of this machine.
    """)

  let mixer = ConfigurationKey<MixerDescription?>(
    "mixer", .mixer, unset: "none: the volume is applied to the samples", example: "\"alsa:hw:0/Master\"",
    """
    The control of a sound card that sets the volume, on the card's own decibel scale: alsa:DEVICE/CONTROL; \
    `swiftlet outputs` lists them.
    """)

  let startupVolume = ConfigurationKey<Int?>(
    "startup_volume", .integer(0...100), unset: "the last volume; 100 the first time", example: "40",
    isOnPage: true,
    "The volume after a start.")

  let maximumVolume = ConfigurationKey(
    "max_volume", .integer(0...100), default: PlayerSettings().volumeLimit, example: "80", isReloadable: true,
    isOnPage: true,
    "The highest volume that a controller can set.")

  let fixedVolume = ConfigurationKey(
    "fixed_volume", .bool, default: PlayerSettings().isVolumeFixed, example: "false",
    "Keeps the volume at 100, for an amplifier with a volume control of its own. Controllers can then only mute.")

  let buffer = ConfigurationKey(
    "buffer", .seconds(1...60), default: PlayerSettings().bufferDepth, example: "10", isReloadable: true,
    isOnPage: true,
    "How much decoded sound is buffered against network outages.")

  let liveBuffer = ConfigurationKey(
    "live_buffer", .seconds(0.1...10), default: PlayerSettings().liveDelay, example: "0.3", isReloadable: true,
    isOnPage: true,
    "The delay of sound that a computer sends in real time without compression, such as that of swyh-rs.")

  let deviceRelease = ConfigurationKey(
    "device_release", .seconds(0...3600), default: PlayerSettings().deviceRelease, example: "5", isReloadable: true,
    isOnPage: true,
    "How long the audio device stays open after a stop. Other programs can use it after that.")

  let replayGainMode = ConfigurationKey(
    "replay_gain.mode", .choice, default: ReplayGainSettings().mode, option: "replay-gain", example: "\"album\"",
    isReloadable: true, isOnPage: true,
    "Plays tracks or albums at equal loudness, by their ReplayGain tags. Never amplifies into clipping.")

  let replayGainPreamp = ConfigurationKey(
    "replay_gain.preamp", .decibels(-20...20), default: ReplayGainSettings().preamp, example: "-3", isReloadable: true,
    isOnPage: true,
    "Gain added to the gain in the tags.")

  let replayGainFallback = ConfigurationKey(
    "replay_gain.fallback", .decibels(-20...20), default: ReplayGainSettings().fallback, example: "-6",
    isReloadable: true, isOnPage: true,
    "Gain for tracks without ReplayGain tags.")

  // MARK: Radio

  let presets = ConfigurationKey(
    "presets", .presets, default: [], defaultText: "none",
    example: "[{ title = \"Radio\", uri = \"http://radio.example.org/live\" }]", isReloadable: true,
    "Radio stations offered to OpenHome controllers, at most a hundred.")

  let radioDirectory = ConfigurationKey(
    "radio_directory", .radioDirectory, default: StationDirectory.Place.service, example: "\"off\"",
    """
    Where the page finds stations by name: on for radio-browser.info, which is contacted only when somebody searches; off; or \
    the http or https address of a mirror.
    """)

  let country = ConfigurationKey<CountryCode?>(
    "country", .country, unset: "that of the time zone or the locale", example: "\"DE\"",
    "The country whose popular stations the page shows.")

  // MARK: Network

  let interfaces = ConfigurationKey(
    "interfaces", .list(of: .text), default: [], defaultText: "every physical LAN interface", option: "interface",
    example: "[\"eth0\"]",
    "The network interfaces to announce the speaker on.")

  let port = ConfigurationKey(
    "port", .integer(0...65535), default: 0, defaultText: "0: any free port, the same one after a restart",
    example: "49494",
    "The HTTP port.")

  let networks = ConfigurationKey(
    "networks", .list(of: .network), default: [], defaultText: "none", option: "network",
    example: "[\"192.168.2.0/24\"]", isReloadable: true,
    "Networks besides the speaker's own that may receive events, such as a routed network in the same home.")

  let hosts = ConfigurationKey(
    "hosts", .list(of: .text), default: [], defaultText: "none", option: "host", example: "[\"speaker.example.org\"]",
    isReloadable: true,
    """
    Host names accepted in requests besides addresses and names of home networks. A name that begins with a dot matches \
    every name that ends with it.
    """)

  let tlsAccept = ConfigurationKey(
    "tls.accept", .list(of: .host), default: [], defaultText: "none", example: "[\"nas.example.org\"]",
    isReloadable: true,
    """
    Hosts whose TLS certificates are accepted unseen, such as a media server with a self-signed certificate. Anybody in the \
    path of the connection can then pose as the host.
    """)

  let uuid = ConfigurationKey<UUID?>(
    "uuid", .uuid, unset: "generated once and kept", example: "\"4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01\"",
    "The UUID of the UPnP AV device.")

  // MARK: Rooms

  let songcast = ConfigurationKey(
    "songcast", .choice, default: SongcastMode.unicast, example: "\"multicast\"", isReloadable: true,
    """
    How other rooms get the sound of this speaker: unicast for at most five of them, multicast for more, in a network whose \
    switches manage multicast, or off.
    """)

  let songcastChannel = ConfigurationKey<Int?>(
    "songcast_channel", .integer(0...65535), unset: "a random one, which stays the same", example: "300",
    isReloadable: true,
    "The multicast channel. Every speaker in the network needs its own.")

  // MARK: The program

  let stateFolder = ConfigurationKey<String?>(
    "state_dir", .text, unset: "/var/lib/swiftlet for root, else ~/.local/state/swiftlet",
    example: "\"/var/lib/swiftlet\"",
    "The folder for everything that survives a restart.")

  let logLevel = ConfigurationKey(
    "log_level", .logLevel, default: Logger.Level.info, example: "\"debug\"", isReloadable: true, isOnPage: true,
    "The least severe level that is logged.")

  let statusSocket = ConfigurationKey<String?>(
    "status_socket", .path, unset: "/run/swiftlet/status for root, else swiftlet/status in $XDG_RUNTIME_DIR",
    example: "\"/run/swiftlet/status\"",
    "The Unix socket that `swiftlet status` asks.")

  let metrics = ConfigurationKey(
    "metrics", .bool, default: false, example: "true",
    "Serves metrics for Prometheus at /metrics of the HTTP port.")

  let page = ConfigurationKey(
    "page", .choice, default: PageMode.on, example: "\"read-only\"",
    """
    Serves the speaker's page and its API at the HTTP port. With read-only, they show everything and change nothing; with \
    off, they do not exist.
    """)

  let lockCompanions = ConfigurationKey(
    "lock_companions", .bool, default: false, example: "true", isReloadable: true,
    """
    Extends the party lock of the page to MQTT, MPRIS and buttons: while it is on, they can only lower the volume and mute.
    """)

  // MARK: MQTT

  let mqttBroker = ConfigurationKey<BrokerAddress?>(
    "mqtt.broker", .broker, unset: "MQTT is off", example: "\"mqtts://broker.example.org:8883\"",
    "The MQTT broker that shows the state of the speaker and passes commands to it: mqtt://HOST:1883, or mqtts:// for TLS."
  )

  let mqttPrefix = ConfigurationKey<String?>(
    "mqtt.prefix", .topicPrefix, unset: "swiftlet/ and the UUID of the speaker", example: "\"home/kitchen/speaker\"",
    "The beginning of all MQTT topics of this speaker.")

  let mqttUser = ConfigurationKey<String?>(
    "mqtt.user", .text, unset: "none", example: "\"speaker\"", "The speaker's user name at the broker.")

  let mqttPasswordFile = ConfigurationKey<String?>(
    "mqtt.password_file", .path, unset: "no password", example: "\"/etc/swiftlet/mqtt-password\"",
    "The file with the broker's password in its first line. Swiftlet reads it for every connection.")

  let mqttAuthorityFile = ConfigurationKey<String?>(
    "mqtt.ca_file", .path, unset: "the certificate authorities of the system",
    example: "\"/etc/swiftlet/mqtt-ca.pem\"",
    "The certificate authority that must have signed the broker's certificate, for mqtts.")

  let mqttCertificateFile = ConfigurationKey<String?>(
    "mqtt.client_certificate", .path, unset: "none", example: "\"/etc/swiftlet/mqtt-client.pem\"",
    "The speaker's own certificate, for brokers that ask for one.")

  let mqttKeyFile = ConfigurationKey<String?>(
    "mqtt.client_key", .path, unset: "none", example: "\"/etc/swiftlet/mqtt-client.key\"",
    "The key of the speaker's certificate, without a password.")

  let mqttHomeAssistant = ConfigurationKey(
    "mqtt.home_assistant", .bool, default: false, example: "true",
    "Announces the speaker to Home Assistant by MQTT discovery.")

  // MARK: Desktop and sleep

  let mpris = ConfigurationKey(
    "mpris", .choice, default: MPRISMode.off, example: "\"session\"",
    """
    Lets desktops, media keys, playerctl and KDE Connect control the speaker, on the bus of the user's session or on the \
    system's.
    """)

  let sleep = ConfigurationKey(
    "sleep", .bool, default: false, example: "true",
    "Saves the state and leaves the network before the machine sleeps, and recovers when it wakes.")

  // MARK: Buttons

  let buttons = ConfigurationKey(
    "buttons", .buttons, default: [], defaultText: "none",
    example: "[{ device = \"Wall Button\", key = \"KEY_PLAYPAUSE\", trigger = \"click\", action = \"toggle\" }]",
    """
    Remotes, keyboards and volume knobs, and what their keys do; `swiftlet buttons` prints the names of devices and keys.
    """)

  // MARK: Commands on events

  let hooksPlay = ConfigurationKey(
    hook: .play, example: "[\"/usr/local/bin/amplifier\", \"on\"]", "Command to run when sound starts or resumes.")
  let hooksPause = ConfigurationKey(
    hook: .pause, example: "[\"/usr/local/bin/display\", \"paused\"]", "Command to run on pause.")
  let hooksStop = ConfigurationKey(
    hook: .stop, example: "[\"/usr/local/bin/amplifier\", \"off\"]", "Command to run on stop.")
  let hooksTrack = ConfigurationKey(
    hook: .track, example: "[\"/usr/local/bin/display\"]", "Command to run when the track or its title changes.")
  let hooksVolume = ConfigurationKey(
    hook: .volume, example: "[\"/usr/local/bin/display\"]", "Command to run when volume or mute changes.")
  let hooksStandby = ConfigurationKey(
    hook: .standby, example: "[\"/usr/local/bin/amplifier\"]", "Command to run when standby begins or ends.")
  let hooksAlarm = ConfigurationKey(
    hook: .alarm, example: "[\"/usr/local/bin/lamp\"]", "Command to run when an alarm rings, is snoozed, or ends.")

  let hooksTimeout = ConfigurationKey(
    "hooks.timeout", .seconds(1...600), default: .seconds(10), example: "10", isReloadable: true,
    "How long a command may run before Swiftlet stops it.")

  // MARK: Beacon and presence

  let beacon = ConfigurationKey(
    "beacon", .bool, default: false, example: "true",
    "Advertises the speaker as an iBeacon over Bluetooth, so that phones in the room can find it and follow it.")

  let beaconPower = ConfigurationKey(
    "beacon_power", .integer(-127...20), default: Int(BeaconSettings().power), example: "-59",
    "The beacon's signal strength that a phone measures at one metre, in dBm.")

  let presencePeople = ConfigurationKey(
    "presence.people", .people, default: [], defaultText: "none", option: "presence-person",
    example: "[{ name = \"Ann\", device = \"00:00:5E:00:53:01\" }]",
    """
    Who is watched: by the identity address of a paired phone or of a tag, or by an iBeacon, all with its UUID or only the \
    one with this `major` and `minor`. `rssi` is this \
    person's own threshold.
    """)

  let presenceThreshold = ConfigurationKey(
    "presence.rssi", .presenceThreshold, default: PresenceSettings().threshold, example: "-80",
    "The signal strength that counts as near, in dBm.")

  let presenceArrival = ConfigurationKey(
    "presence.arrival", .seconds(0...600), default: PresenceSettings().arrival, example: "5",
    "How long somebody must be near to count as present.")

  let presenceDeparture = ConfigurationKey(
    "presence.departure", .seconds(1...86400), default: PresenceSettings().departure, example: "300",
    "How long somebody must be away to count as absent.")

  let presenceOnLeave = ConfigurationKey<CompanionAction?>(
    "presence.on_leave", .action, unset: "nothing", example: "\"pause\"",
    "What happens when the last person has left.")

  let presenceOnReturn = ConfigurationKey<PresenceAction?>(
    "presence.on_return", .presenceAction, unset: "nothing", example: "\"resume\"",
    """
    What happens when somebody returns to an empty home. resume plays only if on_leave has paused the speaker and nobody \
    has touched it since.
    """)

  let presenceOnChange = ConfigurationKey(
    "presence.on_change", .command, default: [], defaultText: "none", example: "[\"/usr/local/bin/presence\"]",
    "Command to run when a person arrives or leaves.")

  // MARK: Alarms

  let timeZone = ConfigurationKey<String?>(
    "time_zone", .timeZone, unset: "that of the machine", example: "\"Europe/Berlin\"",
    "The time zone of alarms and of the log's times, for a machine or a container without the right one.")

  // MARK: Announcements

  let announcementChime = ConfigurationKey<String?>(
    "announcement.chime", .path, unset: "the built-in chime", example: "\"/etc/swiftlet/chime.wav\"",
    """
    The file of the chime before announcements, of which ten seconds are heard. One that cannot be read is replaced by the \
    built-in chime.
    """)

  // MARK: Sources

  let sources = ConfigurationKey(
    "source", .programs, default: [], defaultText: "none",
    example: "[{ name = \"AirPlay\", type = \"airplay\" }]",
    """
    Programs that write sound and become sources of the speaker, such as receivers of AirPlay, Spotify and Bluetooth, at most \
    eight; `swiftlet sources add` writes them.
    """)

  // MARK: Library

  let libraryFolders = ConfigurationKey(
    "library.folders", .folders, default: [], defaultText: "none", option: "library-folder",
    example: "[\"/srv/music\", \"/media\"]", isReloadable: true,
    """
    Folders of music on this machine, at most 16, which the speaker plays and offers to others as a media server. Disks that \
    are mounted in them are followed. The first folder takes effect at the next start, and so does a list without any.
    """
  ).reloadable { $0.isEmpty == $1.isEmpty }
}

extension ConfigurationKey<[String]> {
  fileprivate init(hook event: HookEvent, example: String, _ summary: String) {
    self.init(
      "hooks.\(event)", .command, default: [], defaultText: "none", example: example, isReloadable: true, summary)
  }
}

extension ConfigurationKind<Logger.Level> {
  /// The page offers no level below info: such logs are complete, so anybody on the network could fill the disk.
  fileprivate static var logLevel: Self {
    let names = Logger.Level.allCases.filter { $0 >= .info }.map(\.rawValue)
    return choice.shown(as: .choice(names)) { .text($0.rawValue) }
  }
}

import DeviceStack
import LocalLibrary
import Logging
import NIOCore
import Page
import Playback
import PlaybackEngine
import PlaybackModel
import Providers
import SpeakerCore
import UPnP

/// The UPnP devices with the sources that they control, connected to the player. Used on the event loop.
final class SpeakerDevices {
  let av: AVDevice
  let openHome: OpenHomeDevice
  /// nil without folders.
  let library: LibraryDevice?
  let playlist: PlaylistSource
  let radio: RadioSource
  let receiver: ReceiverSource
  let pins: PinBoard
  let equalizer: EqualizerBoard
  /// All commands.
  let control: SpeakerControl
  /// All that is shown.
  let feed: StateFeed
  /// The playable formats, as the Sink list of ConnectionManager.
  let protocolInfo: String
  let roomSender: RoomSender
  private let roomReceiver: RoomReceiver
  let programHost: ProgramHost

  /// - Parameters:
  ///   - tap: the player's.
  ///   - library: the music on the speaker's disks; nil without folders.
  ///   - roomReceiver: opens the player's inputs.
  ///   - programHost: opens those of programs.
  ///   - alarms: what the alarms need.
  ///   - refreshPresets: called when a controller asks for it.
  init(
    player: Player, tap: SoundTap, library: (any LibraryContents)?, roomReceiver: RoomReceiver,
    programHost: ProgramHost,
    keeper: StateKeeper, configuration: Configuration, identity: DeviceIdentity, eventLoop: any EventLoop,
    alarms: AlarmEnvironment, logger: Logger, refreshPresets: @escaping () -> Void
  ) {
    protocolInfo = ProtocolInfo.sink(mimeTypes: SupportedFormats.mimeTypes())
    let programs = ProgramSources(player: player, names: programHost.names) {
      DIDLLite.item(title: $0.text, uri: $0.address, class: .audioBroadcast)
    }
    keeper.restore(player, programs: programs)
    playlist = keeper.playlist(on: player)
    radio = keeper.radio(on: player, presets: configuration.presets)
    receiver = keeper.receiver(on: player)
    pins = keeper.pins()
    equalizer = keeper.equalizer(on: player)
    control = SpeakerControl(
      player: player, playlist: playlist, radio: radio, receiver: receiver, programs: programs, pins: pins,
      equalizer: equalizer, alarms: alarms)
    control.rights.lockCoversCompanions = configuration.lockCompanions
    let presentationURL = configuration.page == .off ? nil : "/"
    av = AVDevice(
      player: player, control: control, playlist: playlist, radio: radio, name: configuration.speakerName,
      uuid: configuration.uuid ?? identity.rendererUUID, presentationURL: presentationURL, protocolInfo: protocolInfo)
    openHome = OpenHomeDevice(
      player: player, control: control,
      sources: .init(
        playlist: playlist, radio: radio, receiver: receiver, programs: programs.names, pins: pins),
      name: configuration.speakerName, friendlyName: configuration.openHomeName, room: configuration.room,
      uuid: identity.sourceUUID, presentationURL: presentationURL, protocolInfo: protocolInfo, eventLoop: eventLoop,
      refreshPresets: refreshPresets)
    self.library = library.map { library in
      LibraryDevice(
        library: library, name: configuration.speakerName, uuid: identity.libraryUUID, presentationURL: presentationURL,
        eventLoop: eventLoop, logger: logger)
    }
    let feed = StateFeed(
      name: configuration.speakerName, room: configuration.room, player: player, playlist: playlist, radio: radio,
      programs: programs, pins: pins, equalizer: equalizer, alarms: control.alarms)
    self.feed = feed
    let roomSender = RoomSender(
      player: player, tap: tap, zones: roomReceiver.zones, feed: feed, service: openHome.sender,
      configuration: configuration, uuid: identity.sourceUUID, eventLoop: eventLoop)
    self.roomSender = roomSender
    self.roomReceiver = roomReceiver
    roomReceiver.source = receiver
    roomReceiver.onStream = { roomSender.follow($0) }
    self.programHost = programHost
    follow(player, keeper, eventLoop)
    programHost.connect(player: player, programs: programs, control: control)
  }

  /// Lists all that follows the player, in the order in which a change reaches it: the sources before the devices, and
  /// both before everything that shows the state.
  private func follow(_ player: Player, _ keeper: StateKeeper, _ eventLoop: any EventLoop) {
    let followers: [(source: Source?, update: (PlayerChanges) -> Void)] = [
      (nil, { keeper.save(player, $0) }),
      (.playlist, playlist.update),
      (.playlist, { [openHome] _ in openHome.updatePlaylist() }),
      (.playlist, { [feed] in feed.update($0, of: .playlist) }),
      (.radio, { [openHome] _ in openHome.updateRadio() }),
      (.radio, { [feed] in feed.update($0, of: .radio) }),
      (.receiver, receiver.update),
      (.receiver, { [openHome] _ in openHome.updateReceiver() }),
      (.upnpAV, av.update),
      (nil, control.pinInvoker.update),
      (nil, control.alarms.update),
      (nil, control.announcements.update),
      (nil, av.update),
      (nil, openHome.update),
      (nil, roomSender.update),
      (nil, { [programHost] in if $0.contains(.volume) { programHost.followVolume() } }),
      (nil, { [feed] in feed.update($0) }),
    ]
    for (source, update) in followers {
      let update = NIOLoopBound(update, eventLoop: eventLoop)
      player.immediately { _ = $0.observe(source) { update.value($0) } }
    }
  }

  /// Applies a reloaded configuration. The host changes the friendly names.
  func apply(_ configuration: Configuration) {
    radio.setPresets(configuration.presets)
    control.rights.lockCoversCompanions = configuration.lockCompanions
    openHome.update(name: configuration.speakerName, room: configuration.room)
    roomSender.apply(configuration)
    feed.rename(configuration.speakerName, room: configuration.room)
  }

  /// All devices, in the order of `names`.
  var roots: [RootDevice] { [av.root, openHome.root, library?.root].compactMap(\.self) }

  /// The friendly names of all devices.
  func names(_ configuration: Configuration) -> [String] {
    [configuration.speakerName, configuration.openHomeName]
      + (library == nil ? [] : [LibraryDevice.name(configuration.speakerName)])
  }

  /// Leaves other rooms, and says goodbye to them.
  func closeRooms() {
    roomReceiver.stop()
    roomSender.close()
  }

  /// The settings with which the page finds media servers and other speakers.
  func house(_ configuration: Configuration, _ settings: DeviceHostSettings) -> HouseSettings {
    HouseSettings(
      product: settings.product, interfaces: settings.interfaces, networks: configuration.networks,
      ownUDNs: Set(roots.map(\.info.udn)), ownPictures: library == nil ? [] : LibraryDevice.pictures,
      protocolInfo: protocolInfo)
  }
}

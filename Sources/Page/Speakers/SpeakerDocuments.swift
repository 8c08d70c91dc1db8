import ControlPoint
import PlaybackModel
import UPnP

/// The answer to GET /api/speakers, and the event `speakers`.
struct SpeakerList: Encodable, Hashable {
  var speakers: [Entry] = []
  /// The speaker itself; nil until its search has found it.
  var own: Own?

  /// Whether a speaker can play together with others, and with whom it does.
  struct Room: Hashable {
    /// Whether it can receive what others play.
    var canJoin = false
    /// Whether others can receive what it plays.
    var canLead = false
    /// The id of the speaker whose sound its group plays, or the name of a sender that is no speaker; nil if it plays alone.
    var leader: String?

    init(_ id: String, in groups: RoomGroups) {
      let room = groups.room(id)
      canJoin = room?.receiver != nil
      canLead = room?.sender.map { $0.status != .disabled } ?? false
      leader = groups.group(of: id).map { $0.leader ?? $0.title }
    }
  }

  struct Own: Encodable, Hashable {
    var id: String
    var canJoin: Bool
    var canLead: Bool
    var leader: String?

    init(id: String, room: Room) {
      self.id = id
      (canJoin, canLead, leader) = (room.canJoin, room.canLead, room.leader)
    }
  }

  struct Entry: Encodable, Hashable {
    /// The UDN of the speaker's first device.
    var id: String
    var name: String
    var model: String
    /// The speaker's own page; nil if it has none on its own host.
    var url: String?
    /// `playing`, `buffering`, `paused`, `stopped`, `empty`, or `unknown` while it does not answer.
    var state: String
    var title: String?
    var artist: String?
    var art: String?
    /// 0 to 100; nil if the speaker has no volume.
    var volume: Int?
    var muted: Bool
    var canJoin: Bool
    var canLead: Bool
    var leader: String?
  }
}

extension SpeakerList.Entry {
  private static let maximumText = 500

  /// - Parameters:
  ///   - now: nil while it is unknown.
  ///   - art: the path of the picture.
  init(
    id: String, devices: SpeakerDevices, now: NowPlaying?, level: SpeakerLevel?, art: String?, room: SpeakerList.Room
  ) {
    func text(_ text: String?) -> String? { text.map { String($0.prefix(Self.maximumText)) } }
    let root = devices.descriptions.first?.root
    self.init(
      id: id, name: text(devices.name) ?? "", model: text(root?.modelName) ?? "", url: devices.page?.description,
      state: Self.word(now?.state), title: text(now?.streamTitle ?? now?.track?.title),
      artist: text(now?.track?.artist), art: art, volume: level?.volume, muted: level?.isMuted ?? false,
      canJoin: room.canJoin, canLead: room.canLead, leader: room.leader)
  }

  private static func word(_ state: PlaybackState?) -> String {
    switch state {
    case .playing: TransportState.playing.word
    case .buffering: TransportState.transitioning.word
    case .paused: TransportState.paused.word
    case .stopped: TransportState.stopped.word
    case .noMedia: TransportState.noMedia.word
    case .waiting: "waiting"
    case .unknown, nil: "unknown"
    }
  }
}

/// The answer to GET /api/speakers/queue: the tracks around the current one.
struct SpeakerQueueDocument: Encodable {
  /// Tracks before the current one, and all that are shown.
  private static let before = 10
  private static let maximum = 200

  var items: [Item]
  /// The index of the first one in the queue.
  var offset: Int
  var count: Int
  /// The index of the current track in the queue; nil if there is none.
  var current: Int?

  struct Item: Encodable {
    /// Nil on a speaker without a queue.
    var id: UInt32?
    var title: String
    var artist: String?
    var art: String?
    /// Seconds.
    var duration: Double?
  }

  init(_ queue: SpeakerQueue, _ links: ArtLinks) {
    offset = max(0, (queue.currentIndex ?? 0) - Self.before)
    (count, current) = (queue.entries.count, queue.currentIndex)
    items = queue.entries.dropFirst(offset).prefix(Self.maximum).map { entry in
      let track = entry.item.track
      return Item(
        id: entry.id, title: track.title ?? DIDLLite.title(ofURI: track.uri), artist: track.artist,
        art: links.path(for: track.artwork), duration: track.duration.map { $0 / .seconds(1) })
    }
  }
}

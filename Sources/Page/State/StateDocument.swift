import PlaybackModel

/// The sections of `GET /api/state`. docs/api.md describes every member.
enum StateDocument {
  struct Speaker: Encodable {
    let name: String
    let room: String
    let version: String
  }

  struct Access: Encodable {
    let readOnly: Bool
    let lock: Bool
  }

  struct Sources: Encodable {
    struct Source: Encodable {
      let id: String
      let name: String
    }

    let current: String
    let standby: Bool
    let sources: [Source]
  }

  struct Playing: Encodable {
    let state: String
    let trackID: Int
    let uri: String?
    let title: String?
    let artist: String?
    let album: String?
    /// The station, if `title` is the title of its stream.
    let station: String?
    let art: String?
    let live: Bool
    let number: Int
    let count: Int
    let queueID: UInt32
    let presetID: UInt32
    let error: String?
    let failure: FailureDocument?
    let skipped: Skipped?
    let can: Abilities

    private enum CodingKeys: String, CodingKey {
      case state, uri, title, artist, album, station, art, live, number, count, error, failure, skipped, can
      case trackID = "trackId"
      case queueID = "queueId"
      case presetID = "presetId"
    }
  }

  struct Abilities: Encodable {
    let play: Bool
    let pause: Bool
    let seek: Bool
    let next: Bool
    let previous: Bool

    init(_ abilities: TransportAbilities) {
      (play, pause, seek) = (abilities.play, abilities.pause, abilities.seek)
      (next, previous) = (abilities.next, abilities.previous)
    }
  }

  /// A track that was skipped because it failed.
  struct Skipped: Encodable {
    let queueID: UInt32
    let failure: FailureDocument

    private enum CodingKeys: String, CodingKey { case queueID = "queueId" }

    func encode(to encoder: any Encoder) throws {
      try failure.encode(to: encoder)
      var members = encoder.container(keyedBy: CodingKeys.self)
      try members.encode(queueID, forKey: .queueID)
    }
  }

  struct Position: Encodable {
    let seconds: Double
    let duration: Double?
    let advancing: Bool
  }

  struct Format: Encodable {
    let codec: String?
    let sampleRate: Int?
    let bitDepth: Int?
    let channels: Int?
    let bitRate: Int?
  }

  struct Output: Encodable {
    let name: String?
    let sampleRate: Int?
    let bitDepth: Int?
    let channels: Int?
    let bitPerfect: Bool?
    let reasons: [String]
  }

  struct Volume: Encodable {
    let level: Int
    let decibels: Double?
    let limit: Int
    let muted: Bool
    let fixed: Bool
    let balance: Int
  }

  struct Modes: Encodable {
    let `repeat`: Bool
    let shuffle: Bool
  }

  struct Queue: Encodable {
    struct Window: Encodable {
      let offset: Int
      let items: [QueueItem]
    }

    let revision: String
    let count: Int
    let currentId: UInt32
    /// Missing in an empty queue.
    let currentIndex: Int?
    let window: Window
  }

  struct Presets: Encodable {
    let revision: String
    let presetId: UInt32
    let items: [PresetItem]
  }

  struct Pins: Encodable {
    let revision: String
    let items: [PinItem]
  }

  struct Health: Encodable {
    let uptime: Double?
    let xruns: Int
    let buffer: Double?
    let troubles: [LoggedProblem]
  }
}

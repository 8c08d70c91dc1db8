/// The verbs that a speaker supports, and the service for each. This is the only place that chooses a service.
public struct SpeakerCapabilities: Sendable, Hashable {
  /// A service that performs verbs.
  public enum Mechanism: String, Sendable, Hashable, CaseIterable {
    /// OpenHome services.
    case product = "Product"
    case playlist = "Playlist"
    case radio = "Radio"
    case receiver = "Receiver"
    case transport = "Transport"
    case volume = "Volume"
    /// UPnP AV services.
    case avTransport = "AVTransport"
    case renderingControl = "RenderingControl"
  }

  /// A command or query for a speaker.
  public enum Verb: String, Sendable, Hashable, CaseIterable {
    case resume, pause, stop, next, previous, seek
    /// Play an item now.
    case play
    /// Play a station.
    case tune
    /// Append items to the speaker's own queue.
    case enqueue
    /// Announce one item that plays after the current one.
    case announceNext
    case queue, remove, clear
    case readVolume, setVolume, readMute, setMute
    case readRepeat, setRepeat, readShuffle, setShuffle
    case readState
    case sources, selectSource, readStandby, setStandby
  }

  /// One way to perform a verb: a service and the actions that it must declare.
  private struct Way {
    var mechanism: Mechanism
    var actions: [String]

    init(_ mechanism: Mechanism, _ actions: String...) {
      self.mechanism = mechanism
      self.actions = actions
    }
  }

  /// The actions that each service declares; services that the speaker lacks are absent.
  public let offered: [Mechanism: Set<String>]

  public init(offered: [Mechanism: Set<String>]) { self.offered = offered }

  /// The service that performs a verb; nil if none can.
  /// - Parameter sourceType: the type of the current OpenHome source, such as `Playlist` or `Radio`; nil if it is unknown.
  ///   It matters for verbs that `dependsOnSource`.
  public func mechanism(for verb: Verb, sourceType: String? = nil) -> Mechanism? {
    ways(verb).first { way in
      guard let declared = offered[way.mechanism], declared.isSuperset(of: way.actions) else { return false }
      guard Self.isAboutSource(verb), let sourceType else { return true }
      return switch way.mechanism {
      case .playlist: sourceType == "Playlist"
      case .radio: sourceType == "Radio"
      case .receiver: sourceType == "Receiver"
      case .avTransport: sourceType == "UpnpAv"
      default: true
      }
    }?.mechanism
  }

  /// Whether the current source decides which service performs the verb. OpenHome's Transport serves all sources.
  public func dependsOnSource(_ verb: Verb) -> Bool {
    Self.isAboutSource(verb) && offered[.product] != nil && mechanism(for: verb) != .transport
  }

  /// Whether the speaker needs a program that gives it one item after the other, since it has no queue of its own.
  public var needsFeeding: Bool { mechanism(for: .enqueue) == nil && mechanism(for: .play) == .avTransport }

  private static func isAboutSource(_ verb: Verb) -> Bool {
    switch verb {
    case .resume, .pause, .stop, .next, .previous, .seek, .readState: true
    default: false
    }
  }

  /// The best way first.
  private func ways(_ verb: Verb) -> [Way] {
    switch verb {
    case .resume:
      [
        Way(.transport, "Play"), Way(.playlist, "Play"), Way(.radio, "Play"), Way(.receiver, "Play"),
        Way(.avTransport, "Play"),
      ]
    case .pause:
      [Way(.transport, "Pause"), Way(.playlist, "Pause"), Way(.radio, "Pause"), Way(.avTransport, "Pause")]
    case .stop:
      [
        Way(.transport, "Stop"), Way(.playlist, "Stop"), Way(.radio, "Stop"), Way(.receiver, "Stop"),
        Way(.avTransport, "Stop"),
      ]
    case .next: [Way(.transport, "SkipNext"), Way(.playlist, "Next"), Way(.avTransport, "Next")]
    case .previous: [Way(.transport, "SkipPrevious"), Way(.playlist, "Previous"), Way(.avTransport, "Previous")]
    case .seek:
      [
        Way(.transport, "SeekSecondAbsolute", "StreamId"), Way(.playlist, "SeekSecondAbsolute"),
        Way(.radio, "SeekSecondAbsolute"), Way(.avTransport, "Seek"),
      ]
    case .readState:
      [
        Way(.transport, "TransportState"), Way(.playlist, "TransportState"), Way(.radio, "TransportState"),
        Way(.receiver, "TransportState"), Way(.avTransport, "GetTransportInfo"),
      ]
    case .play: [Way(.playlist, "Insert", "SeekId", "IdArray"), Way(.avTransport, "SetAVTransportURI", "Play")]
    case .tune:
      [
        Way(.radio, "SetChannel", "Play"), Way(.avTransport, "SetAVTransportURI", "Play"),
        Way(.playlist, "Insert", "SeekId", "IdArray"),
      ]
    case .enqueue: [Way(.playlist, "Insert", "IdArray")]
    case .announceNext: [Way(.avTransport, "SetNextAVTransportURI")]
    case .queue: [Way(.playlist, "IdArray", "ReadList"), Way(.avTransport, "GetMediaInfo")]
    case .remove: [Way(.playlist, "IdArray", "DeleteId")]
    case .clear: [Way(.playlist, "DeleteAll")]
    case .readVolume: [Way(.volume, "Volume", "Characteristics"), Way(.renderingControl, "GetVolume")]
    case .setVolume: [Way(.volume, "SetVolume", "Characteristics"), Way(.renderingControl, "SetVolume")]
    case .readMute: [Way(.volume, "Mute"), Way(.renderingControl, "GetMute")]
    case .setMute: [Way(.volume, "SetMute"), Way(.renderingControl, "SetMute")]
    case .readRepeat: [Way(.transport, "Repeat"), Way(.playlist, "Repeat"), Way(.avTransport, "GetTransportSettings")]
    case .setRepeat:
      [
        Way(.transport, "SetRepeat"), Way(.playlist, "SetRepeat"),
        Way(.avTransport, "SetPlayMode", "GetTransportSettings"),
      ]
    case .readShuffle:
      [Way(.transport, "Shuffle"), Way(.playlist, "Shuffle"), Way(.avTransport, "GetTransportSettings")]
    case .setShuffle:
      [
        Way(.transport, "SetShuffle"), Way(.playlist, "SetShuffle"),
        Way(.avTransport, "SetPlayMode", "GetTransportSettings"),
      ]
    case .sources: [Way(.product, "SourceXml")]
    case .selectSource: [Way(.product, "SetSourceIndex")]
    case .readStandby: [Way(.product, "Standby")]
    case .setStandby: [Way(.product, "SetStandby")]
    }
  }
}

extension SpeakerCapabilities {
  /// The service that performs a verb.
  /// - Throws: `.notOffered`, which names the missing action.
  func require(_ verb: Verb, sourceType: String? = nil) throws(ControlPointError) -> Mechanism {
    if let mechanism = mechanism(for: verb, sourceType: sourceType) { return mechanism }
    if let sourceType, mechanism(for: verb) != nil {
      throw .notOffered("\(verb.phrase) while its source is of the type \(sourceType)")
    }
    throw .notOffered(verb.phrase)
  }
}

extension SpeakerCapabilities.Verb {
  /// Completes "The device does not offer …".
  var phrase: String {
    switch self {
    case .resume: "an action to resume playback"
    case .pause: "an action to pause"
    case .stop: "an action to stop"
    case .next: "an action to skip to the next track"
    case .previous: "an action to go back to the previous track"
    case .seek: "an action to seek"
    case .play: "an action to play an item: it has neither an OpenHome Playlist nor an AVTransport service"
    case .tune: "an action to play a station"
    case .enqueue: "a queue of its own: it has no OpenHome Playlist service"
    case .announceNext: "a next track: it has neither an OpenHome Playlist service nor SetNextAVTransportURI"
    case .queue: "a queue"
    case .remove, .clear: "a queue that can be changed: it has no OpenHome Playlist service"
    case .readVolume, .setVolume: "a volume: it has neither an OpenHome Volume nor a RenderingControl service"
    case .readMute, .setMute: "a mute: it has neither an OpenHome Volume nor a RenderingControl service"
    case .readRepeat, .setRepeat: "repeat"
    case .readShuffle, .setShuffle: "shuffle"
    case .readState: "the state of playback"
    case .sources, .selectSource: "sources: it has no OpenHome Product service"
    case .readStandby, .setStandby: "standby: it has no OpenHome Product service"
    }
  }
}

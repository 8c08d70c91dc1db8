import Synchronization
import Testing

@testable import ControlPoint

/// The requests that a speaker receives for each verb.
@Suite struct RemoteSpeakerTests {
  // MARK: OpenHome

  /// A player with a playlist of two tracks.
  private static let playlist = [
    "Play": [], "SeekId": ["Value"], "Insert": ["AfterId", "Uri", "Metadata"], "IdArray": [], "ReadList": ["IdList"],
    "Id": [], "DeleteId": ["Value"], "DeleteAll": [], "TransportState": [], "ProtocolInfo": [],
  ]
  private static let product = [
    "SourceXml": [], "SourceIndex": [], "SetSourceIndex": ["Value"], "Standby": [], "SetStandby": ["Value"],
    "Product": [],
  ]
  private static let volume = ["Characteristics": [], "Volume": [], "SetVolume": ["Value"], "VolumeLimit": []]

  private static func openHome(standby: Bool = false, source: Int = 0) -> SpeakerStandIn {
    let nextID = Mutex(9)
    return SpeakerStandIn([
      "Playlist:1": playlist, "Product:2": product, "Volume:1": volume, "Time:1": ["Time": []],
      "Info:1": ["Track": [], "Metatext": []],
    ]) { call in
      switch (call.service, call.action) {
      case (_, "Insert"):
        let id = nextID.withLock { id in
          id += 1
          return id
        }
        return .results(["NewId": "\(id)"])
      case (_, "IdArray"): return .results(["Token": "1", "Array": "AAAABAAAAAc="])
      case (_, "Id"): return .results(["Value": "7"])
      case (_, "DeleteId"): return call.arguments["Value"] == "4" ? .fault(800) : .results([:])
      case (_, "ReadList"):
        let entries = ["4", "7"].map {
          "<Entry><Id>\($0)</Id><Uri>http://\($0)/</Uri><Metadata>&lt;item id=\"1\"/&gt;</Metadata></Entry>"
        }
        return .results(["TrackList": "<TrackList>\(entries.joined())</TrackList>"])
      case (_, "Standby"): return .results(["Value": standby ? "1" : "0"])
      case (_, "SourceIndex"): return .results(["Value": "\(source)"])
      case (_, "SourceXml"):
        let sources = ["Radio", "Playlist"].map {
          "<Source><Name>\($0)</Name><Type>\($0)</Type><Visible>true</Visible></Source>"
        }
        return .results(["Value": "<SourceList>\(sources.joined())</SourceList>"])
      case (_, "Product"): return .results(["Room": "Hall", "Name": "Main", "Info": "", "Url": "", "ImageUri": ""])
      case (_, "Characteristics"):
        return .results([
          "VolumeMax": "80", "VolumeUnity": "80", "VolumeSteps": "80", "VolumeMilliDbPerStep": "1024",
          "BalanceMax": "0", "FadeMax": "0",
        ])
      case (_, "Volume"): return .results(["Value": "40"])
      case (_, "VolumeLimit"): return .results(["Value": "60"])
      case (_, "TransportState"): return .results(["Value": "Playing"])
      case (_, "Time"): return .results(["TrackCount": "1", "Duration": "100", "Seconds": "12"])
      case (_, "Track"): return .results(["Uri": "http://7/", "Metadata": ""])
      case (_, "Metatext"): return .fault(501)
      default: return .results([:])
      }
    }
  }

  @Test func playsAfterTheCurrentTrack() async throws {
    let device = Self.openHome(standby: true)
    let speaker = try await device.speaker("av-openhome-org")
    try await speaker.play([SpeakerItem(uri: "u"), SpeakerItem(uri: "v")])
    #expect(device.commands == ["SetStandby 0", "Insert 7 u", "SetSourceIndex 1", "SeekId 10", "Insert 10 v"])
  }

  @Test func playsInsteadOfTheQueue() async throws {
    let device = Self.openHome(source: 1)
    let speaker = try await device.speaker("av-openhome-org")
    try await speaker.play([SpeakerItem(uri: "u")], placing: .replacingQueue)
    #expect(device.commands == ["DeleteAll", "Insert 0 u", "SeekId 10"])
  }

  @Test func changesTheQueue() async throws {
    let device = Self.openHome(source: 1)
    let speaker = try await device.speaker("av-openhome-org")
    try await speaker.enqueue([SpeakerItem(uri: "u"), SpeakerItem(uri: "v")])
    try await speaker.remove(at: [5, 1, 0])
    try await speaker.clear()
    #expect(device.commands == ["Insert 7 u", "Insert 10 v", "DeleteId 4", "DeleteId 7", "DeleteAll"])
  }

  @Test func readsTheQueue() async throws {
    let queue = try await Self.openHome().speaker("av-openhome-org").queue()
    #expect(queue.entries.map(\.id) == [4, 7])
    #expect(queue.entries[0].item == SpeakerItem(uri: "http://4/", metadata: "<item id=\"1\"/>"))
    #expect(queue.currentIndex == 1)
  }

  @Test func saysWhatPlays() async throws {
    let speaker = try await Self.openHome(source: 1).speaker("av-openhome-org")
    let now = try await speaker.now()
    #expect(now.state == .playing)
    #expect(now.track == SpeakerTrack(uri: "http://7/"))
    #expect(now.position == .seconds(12))
    #expect(now.duration == .seconds(100))
    #expect(now.queueIndex == 1)
    #expect(now.queueCount == 2)
    #expect(now.source?.name == "Playlist")
    #expect(now.streamTitle == nil)
  }

  @Test func saysWhichSourceIsCurrentWithoutAServiceForIt() async throws {
    let now = try await Self.openHome(source: 0).speaker("av-openhome-org").now()
    #expect(now.state == .unknown)
    #expect(now.source?.name == "Radio")
    #expect(now.track?.uri == "http://7/")
  }

  @Test func sourceThatNoServicePlays() async throws {
    let speaker = try await Self.openHome(source: 0).speaker("av-openhome-org")
    await #expect(
      throws: ControlPointError.notOffered("an action to resume playback while its source is of the type Radio")
    ) {
      try await speaker.play()
    }
  }

  /// A player whose SourceXml is malformed.
  @Test func playerThatDoesNotSayItsSource() async throws {
    let device = SpeakerStandIn(["Playlist:1": Self.playlist, "Product:2": Self.product]) { call in
      switch call.action {
      case "Standby", "SourceIndex": .results(["Value": "0"])
      case "SourceXml": .results(["Value": "<SourceList"])
      default: .results([:])
      }
    }
    try await device.speaker("av-openhome-org").play()
    #expect(device.commands == ["Play"])
  }

  @Test func entriesThatNobodyAskedForAreLeftOut() async throws {
    let device = SpeakerStandIn(["Playlist:1": Self.playlist]) { call in
      switch call.action {
      case "IdArray": return .results(["Token": "1", "Array": "AAAABAAAAAc="])
      case "Id": return .results(["Value": "7"])
      default:
        let entries = (0..<1000).map { "<Entry><Id>\($0)</Id><Uri>http://\($0)/</Uri><Metadata/></Entry>" }
        return .results(["TrackList": "<TrackList>\(entries.joined())</TrackList>"])
      }
    }
    let playlist = try #require(try await device.speaker("av-openhome-org").services.playlist)
    let queue = try await OpenHomeQueue(playlist: playlist, maximumSize: 18).queue()
    #expect(queue.entries.map(\.id) == [4, 7])
    await #expect(throws: ControlPointError.tooLarge) {
      try await OpenHomeQueue(playlist: playlist, maximumSize: 17).queue()
    }
  }

  @Test func volumeIsInHundredths() async throws {
    let device = Self.openHome()
    let speaker = try await device.speaker("av-openhome-org")
    #expect(try await speaker.volume() == 50)
    try await speaker.setVolume(25)
    try await speaker.setVolume(90)
    #expect(try await speaker.changeVolume(by: -10) == 40)
    #expect(device.commands == ["SetVolume 20", "SetVolume 60", "SetVolume 32"])
  }

  @Test func profileHasRoomAndSources() async throws {
    let profile = try await Self.openHome(standby: true, source: 1).speaker("av-openhome-org").profile()
    #expect(profile.room == "Hall")
    #expect(profile.name == "Main")
    #expect(profile.sources.map(\.name) == ["Radio", "Playlist"])
    #expect(profile.currentSource?.name == "Playlist")
    #expect(profile.isInStandby == true)
  }

  // MARK: AVTransport

  private static let transport = [
    "SetAVTransportURI": ["InstanceID", "CurrentURI", "CurrentURIMetaData"],
    "SetNextAVTransportURI": ["InstanceID", "NextURI", "NextURIMetaData"], "Play": ["InstanceID", "Speed"],
    "Stop": ["InstanceID"], "Seek": ["InstanceID", "Unit", "Target"], "GetTransportInfo": ["InstanceID"],
    "GetPositionInfo": ["InstanceID"], "GetMediaInfo": ["InstanceID"],
  ]

  /// A renderer without SetNextAVTransportURI. It plays each URI for two requests of GetTransportInfo.
  private final class Renderer: Sendable {
    struct State {
      var transport = "STOPPED"
      var uri = ""
      var remaining = 0
      var isLocked: Bool
      var refused: Set<String>
    }

    let state: Mutex<State>

    /// - Parameters:
    ///   - isLocked: whether it refuses a URI until it is stopped.
    ///   - refused: URIs that it cannot play.
    init(isLocked: Bool = false, refused: Set<String> = []) {
      state = Mutex(State(transport: isLocked ? "PLAYING" : "STOPPED", isLocked: isLocked, refused: refused))
    }

    func answer(_ call: SpeakerStandIn.Call) -> SpeakerStandIn.Answer {
      state.withLock { state in
        switch call.action {
        case "SetAVTransportURI":
          if state.isLocked { return .fault(705) }
          state.uri = call.arguments["CurrentURI"] ?? ""
          if state.refused.contains(state.uri) { return .fault(716) }
        case "SetNextAVTransportURI": return .fault(602)
        case "Play": (state.transport, state.remaining) = ("PLAYING", 2)
        case "Stop": (state.transport, state.isLocked) = ("STOPPED", false)
        case "GetTransportInfo":
          defer {
            state.remaining -= 1
            if state.remaining < 0 { state.transport = "STOPPED" }
          }
          return .results([
            "CurrentTransportState": state.transport, "CurrentTransportStatus": "OK", "CurrentSpeed": "1",
          ])
        case "GetPositionInfo":
          return .results([
            "Track": "1", "TrackDuration": "0:00:02", "TrackMetaData": "NOT_IMPLEMENTED", "TrackURI": state.uri,
            "RelTime": "0:00:01", "AbsTime": "NOT_IMPLEMENTED", "RelCount": "2147483647", "AbsCount": "2147483647",
          ])
        case "GetMediaInfo":
          return .results([
            "NrTracks": "1", "MediaDuration": "0:00:02", "CurrentURI": state.uri, "CurrentURIMetaData": "",
            "NextURI": "NOT_IMPLEMENTED", "NextURIMetaData": "", "PlayMedium": "", "RecordMedium": "",
            "WriteStatus": "",
          ])
        case "GetVolume": return .results(["CurrentVolume": "10"])
        default: break
        }
        return .results([:])
      }
    }

    var device: SpeakerStandIn {
      SpeakerStandIn(
        [
          "AVTransport:1": RemoteSpeakerTests.transport,
          "RenderingControl:1": ["GetVolume": [], "SetVolume": ["DesiredVolume"]],
        ], answer: answer)
    }
  }

  @Test func playsOneItemOnARenderer() async throws {
    let device = Renderer().device
    let speaker = try await device.speaker("schemas-upnp-org")
    try await speaker.play([SpeakerItem(uri: "u")])
    try await speaker.seek(to: .milliseconds(83_900))
    #expect(device.commands == ["SetAVTransportURI u", "Play 1", "Seek 0:01:23 REL_TIME"])
    await #expect(throws: ControlPointError.self) {
      try await speaker.play([SpeakerItem(uri: "u"), SpeakerItem(uri: "v")])
    }
    await #expect(throws: ControlPointError.notOffered("standby: it has no OpenHome Product service")) {
      try await speaker.setStandby(true)
    }
  }

  @Test func stopsARendererThatInsists() async throws {
    let device = Renderer(isLocked: true).device
    try await device.speaker("schemas-upnp-org").play([SpeakerItem(uri: "u")])
    #expect(device.commands == ["SetAVTransportURI u", "Stop", "SetAVTransportURI u", "Play 1"])
  }

  @Test func absentValuesAreNil() async throws {
    let speaker = try await Renderer().device.speaker("schemas-upnp-org")
    #expect(try await speaker.now().track == nil)
    try await speaker.play([SpeakerItem(uri: "u")])
    let now = try await speaker.now()
    #expect(now.track == SpeakerTrack(uri: "u"))
    #expect(now.duration == .seconds(2))
    #expect(now.position == .seconds(1))
    #expect(now.source == nil)
    #expect(now.queueIndex == nil)
    #expect(
      try await speaker.queue() == SpeakerQueue(entries: [.init(id: nil, item: .init(uri: "u"))], currentIndex: 0))
  }

  @Test func volumeFollowsTheRangeOfTheSCPD() async throws {
    let device = Renderer().device
    let speaker = try await device.speaker("schemas-upnp-org")
    #expect(try await speaker.volume() == 20)
    try await speaker.setVolume(100)
    #expect(device.commands == ["SetVolume 50"])
  }

  @Test func feedPlaysTheListAndSkipsWhatFails() async throws {
    let device = Renderer(refused: ["b"]).device
    let speaker = try await device.speaker("schemas-upnp-org")
    #expect(speaker.capabilities.needsFeeding)
    let feed = QueueFeed(
      ["a", "b", "c"].map { SpeakerItem(uri: $0) },
      playback: AVPlayback(transport: try speaker.services.avTransport.required, wait: { _ in }), offersNext: true,
      interval: .zero)
    var progress: [QueueFeedProgress] = []
    let ending = await feed.run { progress.append($0) }
    #expect(ending == .played)
    #expect(progress == [.playing(0), .failed(1), .playing(2), .ended(.played)])
    #expect(
      device.commands == [
        "SetAVTransportURI a", "Play 1", "SetNextAVTransportURI b", "SetAVTransportURI b", "SetAVTransportURI c",
        "Play 1",
      ])
  }

  /// If a track ends between two requests, it was played to its end, not stopped by a person.
  @Test func trackThatEndsBetweenTwoQuestions() async throws {
    let hasEnded = Mutex(false)
    let device = SpeakerStandIn(["AVTransport:1": Self.transport]) { call in
      let hasEnded = hasEnded.withLock { hasEnded in
        defer { hasEnded = true }
        return hasEnded
      }
      return call.action == "GetTransportInfo"
        ? .results([
          "CurrentTransportState": hasEnded ? "STOPPED" : "PLAYING", "CurrentTransportStatus": "OK",
          "CurrentSpeed": "1",
        ])
        : .results([
          "Track": "1", "TrackDuration": "0:01:00", "TrackMetaData": "", "TrackURI": "u",
          "RelTime": hasEnded ? "0:00:00" : "0:00:59", "AbsTime": "", "RelCount": "0", "AbsCount": "0",
        ])
    }
    let speaker = try await device.speaker("schemas-upnp-org")
    let observation = try await AVPlayback(transport: speaker.services.avTransport.required).observe()
    #expect(observation.state == .stopped)
    #expect(observation.position == .seconds(59))
  }

  @Test func changesReportTheStateOnce() async throws {
    let renderer = Renderer()
    let speaker = try await renderer.device.speaker("schemas-upnp-org")
    var states: [PlaybackState] = []
    for await result in speaker.changes(interval: .milliseconds(1)) {
      states.append(try result.get().state)
      if states.count == 1 {
        renderer.state.withLock {
          $0.transport = "PAUSED_PLAYBACK"
          $0.remaining = .max
        }
      }
      if states.count == 2 { break }
    }
    #expect(states == [.stopped, .paused])
  }

  @Test func deviceWithoutServicesIsNoSpeaker() async throws {
    let device = SpeakerStandIn(["ContentDirectory:1": [:]]) { _ in .results([:]) }
    await #expect(throws: ControlPointError.notOffered("services of a speaker")) {
      try await device.speaker("schemas-upnp-org")
    }
  }
}

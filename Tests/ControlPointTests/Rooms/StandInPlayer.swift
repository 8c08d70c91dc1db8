import Foundation
import Synchronization
import UPnP

@testable import ControlPoint

/// Stands in for an OpenHome player with playlist and radio, or for a UPnP AV renderer. Stores what actions set.
final class StandInPlayer: Sendable {
  struct State: Sendable, Equatable {
    var sources = ["Playlist", "Radio", "Receiver", "LineIn"]
    var source = 0
    /// The tracks by id, in their order.
    var tracks: [Track] = []
    var current: UInt32 = 0
    var transport = "Stopped"
    var position = 0
    var isRepeating = false
    var isShuffling = false
    /// The radio's channel, or the renderer's item.
    var uri = ""
    var next = ""
    /// The URI of the receiver's sender.
    var sender = ""
    /// The device's own sender.
    var zone = ""
    /// Behaviour: the number of tracks that fit, URIs that cannot be played, and whether it can seek and pause.
    var room = 100
    var unplayable: Set<String> = []
    var canSeek = true
    var canPause = true
    var lastID: UInt32 = 0

    mutating func append(_ uris: [String]) { for uri in uris { insert(uri, at: tracks.count) } }

    fileprivate mutating func insert(_ uri: String, at index: Int) {
      lastID += 1
      tracks.insert(Track(id: lastID, uri: uri), at: index)
    }

    fileprivate mutating func play(_ uri: String) {
      // A player loads a track before it fails.
      transport = unplayable.contains(uri) ? "Buffering" : "Playing"
      position = 0
    }
  }

  struct Track: Sendable, Equatable {
    var id: UInt32
    var uri: String
  }

  private static let openHome = [
    "Playlist:1": [
      "Insert": ["AfterId", "Uri", "Metadata"], "SeekId": ["Value"], "IdArray": [], "ReadList": ["IdList"], "Id": [],
      "DeleteId": ["Value"], "Play": [], "Pause": [], "Stop": [], "SeekSecondAbsolute": ["Value"], "TransportState": [],
      "Repeat": [], "SetRepeat": ["Value"], "Shuffle": [], "SetShuffle": ["Value"],
    ],
    "Radio:1": [
      "Channel": [], "SetChannel": ["Uri", "Metadata"], "Play": [], "Stop": [], "Pause": [], "TransportState": [],
      "SeekSecondAbsolute": ["Value"],
    ],
    "Receiver:1": ["Sender": [], "SetSender": ["Uri", "Metadata"], "Play": [], "Stop": [], "TransportState": []],
    "Sender:1": ["Metadata": [], "Status": []],
    "Product:1": ["SourceXml": [], "SourceIndex": [], "SetSourceIndex": ["Value"]],
    "Time:1": ["Time": []], "Info:1": ["Track": []],
  ]
  private static let renderer = [
    "AVTransport:1": [
      "SetAVTransportURI": ["InstanceID", "CurrentURI", "CurrentURIMetaData"],
      "SetNextAVTransportURI": ["InstanceID", "NextURI", "NextURIMetaData"], "Play": ["InstanceID", "Speed"],
      "Stop": ["InstanceID"], "Pause": ["InstanceID"], "Seek": ["InstanceID", "Unit", "Target"],
      "GetMediaInfo": ["InstanceID"], "GetPositionInfo": ["InstanceID"], "GetTransportInfo": ["InstanceID"],
    ]
  ]

  private final class Box: Sendable {
    let state: Mutex<State>
    init(_ state: State) { self.state = Mutex(state) }
  }

  private let box: Box
  let speaker: RemoteSpeaker

  var state: State { box.state.withLock { $0 } }
  /// The URIs of the queue.
  var queue: [String] { state.tracks.map(\.uri) }
  var currentURI: String? { state.tracks.first { $0.id == state.current }?.uri }

  init(_ name: String, isRenderer: Bool = false, _ change: (inout State) -> Void = { _ in }) async throws {
    var state = State()
    change(&state)
    let box = Box(state)
    let device = SpeakerStandIn(isRenderer ? Self.renderer : Self.openHome, name: name) { call in
      box.state.withLock { isRenderer ? Self.render(call, &$0) : Self.perform(call, &$0) }
    }
    speaker = try await device.speaker(isRenderer ? "schemas-upnp-org" : "av-openhome-org")
    self.box = box
  }

  // MARK: OpenHome

  private static func perform(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    switch call.service {
    case "Playlist:1": playlist(call, &state)
    case "Radio:1": radio(call, &state)
    default: other(call, &state)
    }
  }

  private static func playlist(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    let id = call.arguments["Value"].flatMap { UInt32($0) } ?? 0
    switch call.action {
    case "Insert":
      guard state.tracks.count < state.room else { return .fault(801) }
      let after = call.arguments["AfterId"].flatMap { UInt32($0) } ?? 0
      let index = state.tracks.firstIndex { $0.id == after }.map { $0 + 1 } ?? 0
      state.insert(call.arguments["Uri"] ?? "", at: index)
      return value("\(state.lastID)", "NewId")
    case "DeleteId":
      guard state.tracks.contains(where: { $0.id == id }) else { return .fault(800) }
      state.tracks.removeAll { $0.id == id }
    case "IdArray":
      let bytes: [UInt8] = state.tracks.flatMap { track -> [UInt8] in [0, 0, 0, UInt8(track.id)] }
      return .results(["Token": "1", "Array": Data(bytes).base64EncodedString()])
    case "Id": return value("\(state.current)")
    case "ReadList":
      let wanted = Set((call.arguments["IdList"] ?? "").split(separator: " ").map(String.init))
      let entries = state.tracks.filter { wanted.contains("\($0.id)") }.map {
        "<Entry><Id>\($0.id)</Id><Uri>\($0.uri)</Uri><Metadata></Metadata></Entry>"
      }
      return .results(["TrackList": "<TrackList>\(entries.joined())</TrackList>"])
    case "SeekId":
      guard let track = state.tracks.first(where: { $0.id == id }) else { return .fault(800) }
      state.current = id
      state.play(track.uri)
    case "Repeat": return value(state.isRepeating ? "1" : "0")
    case "SetRepeat": state.isRepeating = call.arguments["Value"] == "1"
    case "Shuffle": return value(state.isShuffling ? "1" : "0")
    case "SetShuffle": state.isShuffling = call.arguments["Value"] == "1"
    default: return transport(call, &state)
    }
    return .results([:])
  }

  private static func radio(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    switch call.action {
    case "Channel": return .results(["Uri": state.uri, "Metadata": ""])
    case "SetChannel": state.uri = call.arguments["Uri"] ?? ""
    case "Play": state.play(state.uri)
    default: return transport(call, &state)
    }
    return .results([:])
  }

  private static func other(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    switch call.action {
    case "SourceIndex": return value("\(state.source)")
    case "SetSourceIndex":
      state.source = call.arguments["Value"].flatMap { Int($0) } ?? 0
      state.transport = "Stopped"
    case "SourceXml":
      let sources = state.sources.map { "<Source><Name>\($0)</Name><Type>\($0)</Type><Visible>1</Visible></Source>" }
      return value("<SourceList>\(sources.joined())</SourceList>")
    case "Metadata": return value(DIDLLite.item(title: "", uri: state.zone, class: .audioItem))
    case "Status": return value("Enabled")
    case "Sender": return .results(["Uri": state.sender, "Metadata": ""])
    case "SetSender": state.sender = call.arguments["Uri"] ?? ""
    case "Time": return .results(["TrackCount": "1", "Duration": "100", "Seconds": "\(state.position)"])
    case "Track": return .results(["Uri": "x", "Metadata": ""])
    default: return transport(call, &state)
    }
    return .results([:])
  }

  private static func transport(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    switch call.action {
    case "TransportState":
      defer { if state.transport == "Buffering" { state.transport = "Stopped" } }
      return value(state.transport)
    case "Play": state.transport = "Playing"
    case "Pause":
      guard state.canPause else { return .fault(701) }
      state.transport = "Paused"
    case "Stop": state.transport = "Stopped"
    case "SeekSecondAbsolute":
      guard state.canSeek else { return .fault(803) }
      state.position = call.arguments["Value"].flatMap { Int($0) } ?? 0
    default: break
    }
    return .results([:])
  }

  private static func value(_ text: String, _ name: String = "Value") -> SpeakerStandIn.Answer {
    .results([name: text])
  }

  // MARK: UPnP AV

  private static func render(_ call: SpeakerStandIn.Call, _ state: inout State) -> SpeakerStandIn.Answer {
    switch call.action {
    case "SetAVTransportURI":
      state.uri = call.arguments["CurrentURI"] ?? ""
      state.next = ""
      state.transport = "Stopped"
    case "SetNextAVTransportURI": state.next = call.arguments["NextURI"] ?? ""
    case "Play": state.play(state.uri)
    case "Seek":
      guard state.canSeek else { return .fault(710) }
      let target = call.arguments["Target"].flatMap { UPnPTime.duration($0) } ?? .zero
      state.position = Int(target.components.seconds)
    case "GetMediaInfo":
      return .results([
        "NrTracks": "1", "MediaDuration": "0:01:40", "CurrentURI": state.uri, "CurrentURIMetaData": "",
        "NextURI": state.next, "NextURIMetaData": "", "PlayMedium": "NETWORK", "RecordMedium": "", "WriteStatus": "",
      ])
    case "GetPositionInfo":
      return .results([
        "Track": "1", "TrackDuration": "0:01:40", "TrackMetaData": "", "TrackURI": state.uri,
        "RelTime": UPnPTime.text(.seconds(state.position)), "AbsTime": "", "RelCount": "0", "AbsCount": "0",
      ])
    case "GetTransportInfo":
      defer { if state.transport == "Buffering" { state.transport = "Stopped" } }
      let names = [
        "Playing": "PLAYING", "Paused": "PAUSED_PLAYBACK", "Stopped": "STOPPED", "Buffering": "TRANSITIONING",
      ]
      return .results([
        "CurrentTransportState": names[state.transport] ?? "", "CurrentTransportStatus": "OK", "CurrentSpeed": "1",
      ])
    default: return transport(call, &state)
    }
    return .results([:])
  }
}

import Synchronization
import Testing

@testable import Playback
@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

/// Pins through SOAP and events.
@Suite struct PinsServiceTests {
  private static let radio = "url://stream?version=1&path=http%3A%2F%2Fradio%2Flive"
  private static let empty =
    #"{"id":0,"mode":"","type":"","uri":"","title":"","description":"","artworkUri":"","shuffle":false}"#

  private func call(
    _ renderer: RendererUnderTest, _ action: String, _ arguments: [String: String] = [:]
  ) async throws -> Answer {
    try await renderer.call("Pins", action, arguments)
  }

  private func set(
    _ renderer: RendererUnderTest, _ index: Int, mode: String = "url", type: String = "stream", uri: String = radio,
    title: String = "", description: String = "", artwork: String = "", shuffle: Bool = false,
    action: String = "SetDevice"
  ) async throws -> Int? {
    try await call(
      renderer, action,
      [
        "Index": "\(index)", "Mode": mode, "Type": type, "Uri": uri, "Title": title, "Description": description,
        "ArtworkUri": artwork, "Shuffle": shuffle ? "1" : "0",
      ]
    ).fault
  }

  private func ids(_ renderer: RendererUnderTest) async throws -> String? {
    try await call(renderer, "GetIdArray")["IdArray"]
  }

  private func read(_ renderer: RendererUnderTest, _ ids: String) async throws -> Answer {
    try await call(renderer, "ReadList", ["Ids": ids])
  }

  // MARK: Reads and changes

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Pins")
      #expect(Set(event.names) == (try DeclaredVariables.of(service: "Pins").evented))
      #expect(event["DeviceMax"] == "6")
      #expect(event["AccountMax"] == "0")
      #expect(event["Modes"] == #"["playlist","radio","transport","url","announcement"]"#)
      #expect(event["IdArray"] == "[0,0,0,0,0,0]")
      #expect(event["CloudConnected"] == "0")
      for (action, name) in [
        ("GetDeviceMax", "DeviceMax"), ("GetAccountMax", "AccountMax"), ("GetModes", "Modes"),
        ("GetIdArray", "IdArray"), ("GetCloudConnected", "CloudConnected"),
      ] {
        #expect(try await call(renderer, action)[name] == event[name])
      }
    }
  }

  @Test func pinIsStoredAndEvented() async throws {
    try await RendererUnderTest.run { renderer in
      let fault = try await set(
        renderer, 1, title: "Jazz \"&\" <more>\n\\", description: "é 🎵", artwork: "http://radio/a.png", shuffle: true)
      #expect(fault == nil)
      #expect(try await renderer.takeEvents("Pins").map { $0["IdArray"] } == ["[0,1,0,0,0,0]"])
      #expect(
        try await read(renderer, "[1]")["List"]
          == #"[{"id":1,"mode":"url","type":"stream","uri":"\#(Self.radio)","title":"Jazz \"&\" <more>\n\\","#
          + #""description":"é 🎵","artworkUri":"http://radio/a.png","shuffle":true}]"#)
    }
  }

  /// openhomedevice requests the whole IdArray and expects a pin for each place.
  @Test func emptyPlacesAreRead() async throws {
    try await RendererUnderTest.run { renderer in
      _ = try await set(renderer, 0)
      let all = try #require(try await ids(renderer))
      let list = try #require(try await read(renderer, all)["List"])
      #expect(list.ranges(of: Self.empty).count == 5)
      #expect(try await read(renderer, "[]")["List"] == "[]")
      // Deleted ids are skipped.
      #expect(try await read(renderer, "[9,0,9]")["List"] == "[\(Self.empty)]")
    }
  }

  @Test(arguments: ["", "1", "[1", "[-1]", "[\"1\"]", "{}", "[1,2", "null"]) func invalidIdArrayIsRefused(_ ids: String)
    async throws
  {
    try await RendererUnderTest.run { renderer async throws in
      #expect(try await read(renderer, ids).fault == 801)
    }
  }

  /// OpenHome's player checks the version in SetDevice but not in InvokeUri.
  @Test(arguments: [
    ("transport", "source", "transport://source?", "id=Radio"),
    ("radio", "preset", "radio://preset?", "id=1"),
    ("url", "stream", "url://stream?", "path=http%3A%2F%2Fradio%2F"),
    ("playlist", "m3u", "playlist://m3u?", "path=http%3A%2F%2Fnas%2Fa.m3u"),
  ])
  func setDeviceRequiresKnownVersion(_ mode: String, _ type: String, _ start: String, _ query: String) async throws {
    try await RendererUnderTest.run { renderer async throws in
      for (version, fault) in [
        ("", 806), ("version=&", 806), ("version=0&", 806), ("version=2&", 806), ("version=one&", 806),
        ("Version=1&", 806), ("version=1&", nil),
      ] as [(String, Int?)] {
        #expect(
          try await set(renderer, 0, mode: mode, type: type, uri: start + version + query) == fault, "\(version)")
        // The answer is sent after the playlist document has been read.
        if mode == "playlist" { continue }
        let arguments = ["Mode": mode, "Type": type, "Uri": start + version + query, "Shuffle": "0"]
        #expect(try await call(renderer, "InvokeUri", arguments).fault != 806, "\(version)")
      }
      #expect(try await ids(renderer) == "[1,0,0,0,0,0]")
    }
  }

  /// In an HTTP address, `version` belongs to the server.
  @Test(arguments: [("url", "stream"), ("playlist", "m3u")])
  func httpAddressNeedsNoVersion(_ mode: String, _ type: String) async throws {
    try await RendererUnderTest.run { renderer async throws in
      for address in ["http://radio/live", "http://radio/live?version=2"] {
        #expect(try await set(renderer, 0, mode: mode, type: type, uri: address) == nil)
      }
    }
  }

  @Test func pinsAreSwappedAndCleared() async throws {
    try await RendererUnderTest.run { renderer in
      _ = try await set(renderer, 0, title: "a")
      _ = try await set(renderer, 1, title: "b")
      _ = try await renderer.takeEvents("Pins")
      // Setting an equal pin changes nothing.
      #expect(try await set(renderer, 1, title: "b") == nil)
      #expect(try await renderer.takeEvents("Pins").isEmpty)
      #expect(try await call(renderer, "Swap", ["Index1": "1", "Index2": "5"]).fault == nil)
      #expect(try await ids(renderer) == "[1,0,0,0,0,2]")
      #expect(try await call(renderer, "Clear", ["Id": "1"]).fault == nil)
      #expect(try await ids(renderer) == "[0,0,0,0,0,2]")
      #expect(try await set(renderer, 0, title: "a") == nil)
      #expect(try await ids(renderer) == "[3,0,0,0,0,2]")
      #expect(
        try await renderer.takeEvents("Pins").map { $0["IdArray"] } == [
          "[1,0,0,0,0,2]", "[0,0,0,0,0,2]", "[3,0,0,0,0,2]",
        ])
    }
  }

  @Test func invalidRequestsAreRefused() async throws {
    try await RendererUnderTest.run { renderer async throws in
      #expect(try await set(renderer, 6) == 801)
      #expect(try await set(renderer, -1) == 801)
      #expect(try await set(renderer, 0, mode: "tidal") == 803)
      #expect(try await set(renderer, 0, mode: "") == 803)
      // Pins of media servers are refused, because nothing here can play them.
      #expect(try await set(renderer, 0, mode: "upnp.cd", uri: "upnp.cd://container?version=1&udn=a&id=1") == 803)
      #expect(try await set(renderer, 0, uri: "") == 806)
      #expect(try await set(renderer, 0, mode: "transport", uri: "transport://source?id=Tape") == 806)
      #expect(try await set(renderer, 0, title: String(repeating: "x", count: 4097)) == 605)
      #expect(try await set(renderer, 0, action: "SetAccount") == 801)
      for (action, arguments, fault) in [
        ("Clear", ["Id": "7"], 802), ("Clear", ["Id": "0"], nil), ("Swap", ["Index1": "0", "Index2": "6"], 801),
        ("InvokeId", ["Id": "7"], 802), ("InvokeId", ["Id": "0"], 802), ("InvokeIndex", ["Index": "6"], 801),
        ("InvokeIndex", ["Index": "0"], 805), ("InvokeIndex", ["Index": "x"], 402), ("InvokeIndex", [:], 402),
        ("InvokeUri", ["Mode": "x", "Type": "", "Uri": "http://a/", "Shuffle": "0"], 803),
        ("InvokeUri", ["Mode": "url", "Type": "stream", "Uri": "a", "Shuffle": "0"], 806),
      ] as [(String, [String: String], Int?)] {
        #expect(try await call(renderer, action, arguments).fault == fault, "\(action) \(arguments)")
      }
      #expect(try await ids(renderer) == "[0,0,0,0,0,0]")
      #expect(try await renderer.takeEvents("Pins").isEmpty)
    }
  }

  // MARK: Playback

  @Test func folderPinsNeedAReaderOfMediaServers() async throws {
    let uri = "upnp.cd://container?version=1&udn=a&id=64%241"
    try await RendererUnderTest.run { renderer in
      let played = Mutex<[PinFolder]>([])
      let cancelled = Mutex(0)
      try await renderer.onLoop { services, _ in
        services.control.pinInvoker.playFolders { folder, shuffles, reply in
          played.withLock { $0.append(folder) }
          if shuffles { reply(.success(CommandResult())) }
          return {
            cancelled.withLock { $0 += 1 }
            reply(.failure(.nothingToPlay))
          }
        }
      }
      #expect(
        try await renderer.takeEvents("Pins").map { $0["Modes"] } == [
          #"["playlist","radio","transport","upnp.cd","url","announcement"]"#
        ])
      #expect(try await set(renderer, 0, mode: "upnp.cd", uri: uri) == nil)
      #expect(try await set(renderer, 1, mode: "upnp.cd", uri: uri, shuffle: true) == nil)
      #expect(try await set(renderer, 2, mode: "upnp.cd", uri: "upnp.cd://container?udn=a&id=1") == 806)
      #expect(try await set(renderer, 2, mode: "upnp.cd", uri: "upnp.cd://container?version=1&udn=a") == 806)
      async let first = call(renderer, "InvokeIndex", ["Index": "0"])
      let end = ContinuousClock.now + .seconds(30)
      while played.withLock(\.isEmpty), .now < end { try await Task.sleep(for: .milliseconds(5)) }
      #expect(try await call(renderer, "InvokeIndex", ["Index": "1"]).fault == nil)
      #expect(try await first.fault == 805)
      let folder = PinFolder(server: "uuid:a", id: "64$1", isContainer: true)
      #expect(played.withLock(\.self) == [folder, folder] && cancelled.withLock(\.self) == 1)
    }
  }
  @Test func streamPinPlaysOnRadio() async throws {
    try await RendererUnderTest.run { renderer in
      _ = try await set(renderer, 2, title: "Live & <well>", description: "Jazz", artwork: "http://radio/a.png")
      #expect(try await call(renderer, "InvokeIndex", ["Index": "2"]).fault == nil)
      #expect(renderer.pipeline.current?.uri == "http://radio/live")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "1")
      let metadata = try #require(try await renderer.call("Radio", "Channel")["Metadata"])
      let leaves = try XMLText.leaves(of: metadata)
      #expect(leaves.first { $0.path.last == "title" }?.text == "Live & <well>")
      #expect(leaves.first { $0.path.last == "description" }?.text == "Jazz")
      #expect(leaves.first { $0.path.last == "albumArtURI" }?.text == "http://radio/a.png")
      #expect(leaves.first { $0.path.last == "res" }?.text == "http://radio/live")
      // Another stream replaces the first, by id and by address.
      #expect(try await call(renderer, "InvokeId", ["Id": "1"]).fault == nil)
      let uri = ["Mode": "url", "Type": "stream", "Uri": "http://radio/%41", "Shuffle": "0"]
      #expect(try await call(renderer, "InvokeUri", uri).fault == nil)
      #expect(renderer.pipeline.current?.uri == "http://radio/%41")
    }
  }

  @Test func sourcePinSelectsAndPlays() async throws {
    try await RendererUnderTest.run { renderer in
      _ = try await set(renderer, 0, mode: "transport", type: "source", uri: "transport://source?version=1&id=Playlist")
      #expect(try await call(renderer, "InvokeIndex", ["Index": "0"]).fault == 805)
      try await renderer.playUntilPlaying("http://host/av.flac")
      #expect(try await call(renderer, "InvokeIndex", ["Index": "0"]).fault == 805)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "2")
      let track = ["AfterId": "0", "Uri": "http://host/1.flac", "Metadata": ""]
      try await renderer.perform("Playlist", "Insert", track)
      #expect(try await call(renderer, "InvokeIndex", ["Index": "0"]).fault == nil)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
      #expect(renderer.pipeline.current?.uri == "http://host/1.flac")
    }
  }

  @Test func presetPinPlaysByNumber() async throws {
    try await RendererUnderTest.run { renderer in
      _ = try await set(renderer, 0, mode: "radio", type: "preset", uri: "radio://preset?version=1&id=2")
      _ = try await set(renderer, 1, mode: "radio", type: "preset", uri: "radio://preset?version=1&id=3")
      #expect(try await call(renderer, "InvokeIndex", ["Index": "0"]).fault == nil)
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[1].uri)
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "1")
      let id = try await renderer.onLoop { services, _ in services.radio.presets.ids[1] }
      #expect(try await renderer.call("Radio", "Id")["Value"] == "\(id)")
      // There are two presets.
      #expect(try await call(renderer, "InvokeIndex", ["Index": "1"]).fault == 805)
      #expect(renderer.pipeline.current?.uri == ServicesUnderTest.presets[1].uri)
    }
  }

  /// Invokes a pin with a playlist document, and reports the result of reading it.
  private func invokeList(
    _ renderer: RendererUnderTest, shuffle: Bool = false, _ found: Result<[ListedTrack], PlaybackError>
  ) async throws -> Int? {
    let pin = ["Mode": "playlist", "Type": "m3u", "Uri": "http://nas/list.m3u", "Shuffle": shuffle ? "1" : "0"]
    async let answer = call(renderer, "InvokeUri", pin)
    try await renderer.wait("the question") { $0.pipeline.listing == "http://nas/list.m3u" }
    renderer.pipeline.reportList(found)
    return try await answer.fault
  }

  private let tracks = [
    ListedTrack(address: "http://nas/1.flac", title: "One & <1>"), ListedTrack(address: "http://nas/2%20b.flac"),
    ListedTrack(address: "http://nas/3.flac"),
  ]

  private func playlist(_ renderer: RendererUnderTest) async throws -> [XMLText.Leaf] {
    let ids = (1...20).map { "\($0)" }.joined(separator: " ")
    let list = try await renderer.call("Playlist", "ReadList", ["IdList": ids])["TrackList"]
    return try XMLText.leaves(of: try #require(list))
  }

  @Test func listPinReplacesPlaylist() async throws {
    try await RendererUnderTest.run { renderer in
      let old = ["AfterId": "0", "Uri": "http://host/old.flac", "Metadata": ""]
      try await renderer.perform("Playlist", "Insert", old)
      try await renderer.perform("Playlist", "SetShuffle", ["Value": "1"])
      #expect(try await invokeList(renderer, .success(tracks)) == nil)
      let leaves = try await playlist(renderer)
      #expect(leaves.filter { $0.path.last == "Uri" }.map(\.text) == tracks.map(\.address))
      let titles = try leaves.filter { $0.path.last == "Metadata" }.map { leaf in
        try XMLText.leaves(of: leaf.text).first { $0.path.last == "title" }?.text
      }
      #expect(titles == ["One & <1>", "2 b.flac", "3.flac"])
      #expect(renderer.pipeline.current?.uri == tracks[0].address)
      #expect(renderer.pipeline.staged.first?.uri == tracks[1].address)
      #expect(try await renderer.call("Playlist", "Shuffle")["Value"] == "0")
      #expect(try await renderer.call("Product", "SourceIndex")["Value"] == "0")
    }
  }

  /// The page brings back what a pin replaced, with the value of Shuffle.
  @Test func listPinCanBeUndone() async throws {
    try await RendererUnderTest.run { renderer in
      let old = ["AfterId": "0", "Uri": "http://host/old.flac", "Metadata": ""]
      try await renderer.perform("Playlist", "Insert", old)
      let results = Mutex<[Result<CommandResult, CommandError>]>([])
      try await renderer.onLoop { services, _ in
        let pin = Pin(mode: "playlist", type: "m3u", uri: "http://nas/list.m3u", shuffles: true)
        services.control.perform(.pins(.play(pin)), from: .pageOwner) { result in results.withLock { $0.append(result) }
        }
      }
      try await renderer.wait("the question") { $0.pipeline.listing == "http://nas/list.m3u" }
      renderer.pipeline.reportList(.success(tracks))
      try await renderer.wait("the result") { _ in results.withLock { !$0.isEmpty } }
      let change = try #require(try results.withLock { try $0.first?.get().change })
      guard case .replaced(let replaced) = change else {
        Issue.record("\(change)")
        return
      }
      #expect((replaced.tracks.map(\.id), replaced.added.count, replaced.shuffles) == ([1], 3, false))
      try await renderer.onLoop { services, _ in
        try services.control.perform(.queue(.undo(change)), from: .pageOwner)
      }
      #expect(try await playlist(renderer).filter { $0.path.last == "Uri" }.map(\.text) == ["http://host/old.flac"])
      #expect(try await renderer.call("Playlist", "Shuffle")["Value"] == "0")
    }
  }

  @Test func listPinMayShuffle() async throws {
    try await RendererUnderTest.run { renderer async throws in
      #expect(try await invokeList(renderer, shuffle: true, .success(tracks)) == nil)
      #expect(try await renderer.call("Playlist", "Shuffle")["Value"] == "1")
      #expect(try await playlist(renderer).filter { $0.path.last == "Uri" }.map(\.text) == tracks.map(\.address))
      #expect(tracks.map(\.address).contains(renderer.pipeline.current?.uri ?? ""))
    }
  }

  @Test(arguments: [PlaybackError.refused, .notFound, .notAudio, .timedOut])
  func unreadableListChangesNothing(_ error: PlaybackError) async throws {
    try await RendererUnderTest.run { renderer in
      let old = ["AfterId": "0", "Uri": "http://host/old.flac", "Metadata": ""]
      try await renderer.perform("Playlist", "Insert", old)
      try await renderer.playUntilPlaying("http://host/av.flac")
      #expect(try await invokeList(renderer, .failure(error)) == 805)
      #expect(try await renderer.state() == "PLAYING")
      #expect(try await playlist(renderer).first { $0.path.last == "Uri" }?.text == "http://host/old.flac")
    }
  }

  @Test func newerPinCancelsReading() async throws {
    try await RendererUnderTest.run { renderer in
      let pin = ["Mode": "playlist", "Type": "", "Uri": "http://slow/list.m3u", "Shuffle": "0"]
      async let older = call(renderer, "InvokeUri", pin)
      try await renderer.wait("the question") { $0.pipeline.listing == "http://slow/list.m3u" }
      let newer = ["Mode": "url", "Type": "stream", "Uri": "http://radio/live", "Shuffle": "0"]
      #expect(try await call(renderer, "InvokeUri", newer).fault == nil)
      #expect(try await older.fault == 805)
      renderer.pipeline.reportList(.success(tracks))
      // The list is evented before the state.
      renderer.pipeline.plays()
      try await renderer.wait("the radio") { try await $0.call("Radio", "TransportState")["Value"] == "Playing" }
      #expect(renderer.pipeline.current?.uri == "http://radio/live")
      #expect(try await playlist(renderer).contains { $0.path.last == "Uri" } == false)
    }
  }
}

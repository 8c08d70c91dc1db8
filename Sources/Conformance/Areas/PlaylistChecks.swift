import ControlPoint
import UPnP

/// OpenHome's Playlist: the list, its ids, and what is read from it.
enum PlaylistChecks {
  static let service = PlaylistDriver.service
  static let wiki = "OpenHome wiki, Av:Developer:PlaylistService"
  static let linn = "Linn documentation, Developer:Davaar:PlaylistService"
  static let player = "openhome/ohPipeline: OpenHome/Av/Playlist/ProviderPlaylist.cpp"

  static let all: [Check] = insertion + ids + reading + deletion

  /// A check that edits the playlist.
  static func editing(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [],
    mode: Mode = .standard, steps: String, procedure: @escaping @Sendable (PlaylistDriver) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "oh/playlist/\(id)", .openHome, level, requirement, source: source, needs: [.service(service)] + needs,
      changes: [.playlist], mode: mode, steps: steps
    ) { context async throws(Finding) in
      try await procedure(context.playlist)
    }
  }

  /// Checks the order of the list.
  static func expect(_ ids: [UInt32], _ playlist: PlaylistDriver, _ occasion: String) async throws(Finding) {
    let now = try await playlist.ids()
    try playlist.context.expect(now == ids, "the ids \(ids) \(occasion)", got: "\(now)")
  }

  // MARK: Insertion

  private static let insertion: [Check] = [
    editing(
      "insert-first", .must, "Insert after the id 0 puts a track first.", source: linn,
      steps: "Inserts a track after 0 into a list of two. IdArray has to begin with its id."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      let new = try await playlist.insert(playlist.uri(3), after: 0)
      try await expect([new] + ids, playlist, "after Insert with AfterId 0")
    },
    editing(
      "insert-after", .must, "Insert puts a track after the given one, and returns its id.", source: linn,
      steps: "Inserts a track after the first one of two. IdArray has to have its id in the middle."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      let new = try await playlist.insert(playlist.uri(3), after: ids[0])
      try await expect([ids[0], new, ids[1]], playlist, "after Insert with AfterId \(ids[0])")
    },
    editing(
      "insert-unknown", .practice, "Insert after an unknown id is refused with 800, and inserts nothing.",
      source: player, steps: "Sends Insert with the id of a track that was deleted. It has to be refused with 800."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      try await playlist.delete(ids[1])
      let answer = try await playlist.answer(
        "Insert", [("AfterId", "\(ids[1])"), ("Uri", playlist.uri(3)), ("Metadata", "")])
      try playlist.context.expectFault([800], answer, to: "an unknown AfterId")
      try await expect([ids[0]], playlist, "as before")
    },
    editing(
      "tracks-max", .must, "The list is not longer than TracksMax, which is positive.", source: wiki,
      steps: "Reads TracksMax and IdArray. TracksMax has to be a number that is not below the count of ids."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      let text = try await playlist.value("TracksMax")
      try playlist.context.expect(
        Int(device: text).map { $0 >= ids.count } ?? false, "a TracksMax of at least \(ids.count)", got: "\"\(text)\"")
      playlist.context.measure("TracksMax", text)
    },
    editing(
      "full", .practice, "A track beyond TracksMax is refused with 801.", source: player, mode: .slow,
      steps: "Fills the list up to TracksMax, if that is at most 20 000, and inserts one track more."
    ) { playlist async throws(Finding) in
      let maximum = Int(device: try await playlist.value("TracksMax")) ?? 0
      guard (1...20_000).contains(maximum) else { throw .skip("TracksMax is \(maximum)") }
      let ids = try await playlist.fill(maximum)
      let answer = try await playlist.answer(
        "Insert", [("AfterId", "\(ids.last ?? 0)"), ("Uri", playlist.uri(0)), ("Metadata", "")])
      try playlist.context.expectFault([801], answer, to: "track \(maximum + 1) of at most \(maximum)")
    },
  ]

  // MARK: Ids

  /// An id is never reused: control points keep a track's data by its id.
  private static func reuse(
    _ id: String, after deletion: String,
    _ delete: @escaping @Sendable (PlaylistDriver, [UInt32]) async throws(Finding) -> Void
  ) -> Check {
    editing(
      "ids-never-reused/\(id)", .practice, "\(deletion) does not free ids for new tracks.",
      source: "openhome/ohPipeline: OpenHome/Av/Playlist/PlaylistDatabase.cpp",
      steps: "Inserts three tracks, sends \(deletion), and inserts three more. Their ids have to be new."
    ) { playlist async throws(Finding) in
      let old = try await playlist.fill(3)
      try await delete(playlist, old)
      var new: [UInt32] = []
      for number in 0..<3 { new.append(try await playlist.insert(playlist.uri(number), after: 0)) }
      try playlist.context.expectNone(
        new.filter { old.contains($0) }.map { "\($0) again" }, "other ids than \(old)")
    }
  }

  private static let ids: [Check] = [
    editing(
      "ids-unique", .must, "Each entry has an id of its own, even with the same URI.", source: linn,
      steps: "Inserts one URI three times. The ids have to differ and be positive."
    ) { playlist async throws(Finding) in
      try await playlist.deleteAll()
      var ids: Set<UInt32> = []
      for _ in 0..<3 { ids.insert(try await playlist.insert(playlist.uri(0), after: 0)) }
      try playlist.context.expect(ids.count == 3, "three ids", got: "\(ids.sorted())")
    },
    reuse("delete-id", after: "DeleteId") { playlist, ids async throws(Finding) in
      for id in ids { try await playlist.delete(id) }
    },
    reuse("delete-all", after: "DeleteAll") { playlist, _ async throws(Finding) in try await playlist.deleteAll() },
    editing(
      "empty", .must, "An empty list has an empty IdArray and the Id 0.", source: "\(wiki); \(linn)",
      steps: "Sends DeleteAll and reads IdArray and Id."
    ) { playlist async throws(Finding) in
      try await playlist.fill(2)
      try await playlist.deleteAll()
      let array = try await playlist.call("IdArray")["Array"] ?? ""
      try playlist.context.expect(array.isEmpty, "an empty IdArray", got: "\"\(array.prefix(40))\"")
      let id = try await playlist.value("Id")
      try playlist.context.expect(id == "0", "the Id 0", got: id)
    },
    editing(
      "id-in-list", .must, "Id is the track that Play would play: one of the list.", source: wiki,
      steps: "Inserts three tracks into an empty list and reads Id."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      let id = try await playlist.currentID()
      try playlist.context.expect(ids.contains(id), "one of the ids \(ids) as Id", got: "\(id)")
      playlist.context.measure("current track of a new list", ids.first == id ? "the first" : "another")
    },
    editing(
      "token", .must, "IdArrayChanged returns whether the list has changed since IdArray returned the token.",
      source: "OpenHome wiki, Av:Developer:RadioService, IdArrayChanged; \(linn)",
      steps: "Inserts and deletes a track, and calls IdArrayChanged with the token of IdArray before and afterwards."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      for change in ["Insert", "DeleteId"] {
        let token = try await playlist.context.idArray(service).token
        try await expectChanged(false, playlist, token, "before \(change)")
        if change == "Insert" {
          _ = try await playlist.insert(playlist.uri(3), after: 0)
        } else {
          try await playlist.delete(ids[0])
        }
        try await expectChanged(true, playlist, token, "after \(change)")
        let new = try await playlist.context.idArray(service).token
        try playlist.context.expect(new != token, "another token after \(change)", got: "\(token) again")
      }
    },
  ]

  private static func expectChanged(
    _ isChanged: Bool, _ playlist: PlaylistDriver, _ token: String, _ occasion: String
  ) async throws(Finding) {
    let text = try await playlist.call("IdArrayChanged", [("Token", token)])["Value"] ?? ""
    guard case .value(let value) = Bool.read(text), value == isChanged else {
      throw .failure(expected: "IdArrayChanged \(isChanged ? "true" : "false") \(occasion)", got: "\"\(text)\"")
    }
  }

  // MARK: Reading

  private static let reading: [Check] = [
    editing(
      "read-list/order", .practice, "ReadList keeps the order in which it was asked.",
      source: player,
      steps: "Calls ReadList for three tracks in another order than that of the list."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      let asked = [ids[2], ids[0], ids[1]]
      let entries = try await playlist.readList(asked)
      try playlist.context.expect(entries.map(\.id) == asked, "the ids \(asked)", got: "\(entries.map(\.id))")
      try playlist.context.expect(
        entries.map(\.uri) == [2, 0, 1].map { playlist.uri($0) }, "the URIs of these ids", got: "others")
    },
    editing(
      "read-list/unknown", .must, "ReadList leaves out ids that are not in the list.", source: linn,
      steps: "Calls ReadList for two tracks and one that was deleted."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      try await playlist.delete(ids[1])
      let entries = try await playlist.readList(ids)
      try playlist.context.expect(
        entries.map(\.id) == [ids[0], ids[2]], "the ids \([ids[0], ids[2]])", got: "\(entries.map(\.id))")
    },
    editing(
      "read-list/none", .must, "ReadList without ids returns an empty TrackList.", source: linn,
      steps: "Calls ReadList with an empty IdList."
    ) { playlist async throws(Finding) in
      try await playlist.fill(1)
      let entries = try await playlist.readList([])
      try playlist.context.expect(entries.isEmpty, "no entries", got: "\(entries.count)")
    },
    editing(
      "read-unknown", .practice, "Read of an unknown id is refused with 800.", source: player,
      steps: "Calls Read with the id of a track that was deleted."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      try await playlist.delete(ids[0])
      let answer = try await playlist.answer("Read", [("Id", "\(ids[0])")])
      try playlist.context.expectFault([800], answer, to: "an unknown id")
    },
    roundTrip("entities", "with entities and quotes", #"A & B <live> "1" 'x' &amp; &lt;"#),
    roundTrip("non-ascii", "outside of ASCII", "Dvořák – 名曲 – 🎻"),
    roundTrip("blanks", "with blanks at the ends and in lines", "  one\n\ttwo  "),
    roundTrip("long", "of ten kilobytes", String(repeating: "A long title, & more. ", count: 450)),
  ]

  /// Metadata and URI come back byte for byte, in both ways to read them.
  private static func roundTrip(_ id: String, _ what: String, _ title: String) -> Check {
    editing(
      "round-trip/\(id)", .practice, "Read and ReadList return URI and metadata \(what) byte for byte.",
      source: "openhome/ohPipeline: OpenHome/Av/Playlist/ProviderPlaylist.cpp; home-assistant/core#121369",
      steps: "Inserts a track with DIDL-Lite \(what), and reads it with Read and ReadList."
    ) { playlist async throws(Finding) in
      try await playlist.deleteAll()
      let uri = playlist.uri(1) + "?a=1&b=%26&c='x'"
      let metadata = """
        <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" \
        xmlns:dc="http://purl.org/dc/elements/1.1/"><item id="1" parentID="0" restricted="1">\
        <dc:title>\(XMLEscape.text(title))</dc:title></item></DIDL-Lite>
        """
      let id = try await playlist.insert(uri, metadata, after: 0)
      let track = try await playlist.read(id)
      try expectSame(playlist, "Read", "URI", uri, track.uri)
      try expectSame(playlist, "Read", "metadata", metadata, track.metadata)
      guard let entry = try await playlist.readList([id]).first else {
        throw .failure(expected: "the track in ReadList", got: "none")
      }
      try expectSame(playlist, "ReadList", "URI", uri, entry.uri)
      try expectSame(playlist, "ReadList", "metadata", metadata, entry.metadata)
    }
  }

  private static func expectSame(
    _ playlist: PlaylistDriver, _ action: String, _ what: String, _ expected: String, _ value: String
  ) throws(Finding) {
    let same = zip(expected.utf8, value.utf8).prefix { $0 == $1 }.count
    func excerpt(_ text: String) -> String {
      "\"\(String(decoding: text.utf8.dropFirst(max(0, same - 10)).prefix(40), as: UTF8.self))\""
    }
    try playlist.context.expect(
      Array(expected.utf8) == Array(value.utf8), "the same \(what) from \(action), with \(excerpt(expected))",
      got: "\(value.utf8.count) bytes with \(excerpt(value)) after \(same) bytes")
  }

  // MARK: Deletion

  private static let deletion: [Check] = [
    editing(
      "delete-id", .must, "DeleteId removes one track and keeps the ids of the others.", source: linn,
      steps: "Deletes the second of three tracks and reads IdArray."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      try await playlist.delete(ids[1])
      try await expect([ids[0], ids[2]], playlist, "after DeleteId \(ids[1])")
    },
    editing(
      "delete-all", .must, "DeleteAll removes all tracks, and succeeds for an empty list, too.", source: linn,
      steps: "Sends DeleteAll twice and reads IdArray after each."
    ) { playlist async throws(Finding) in
      try await playlist.fill(3)
      for _ in 0..<2 {
        try await playlist.deleteAll()
        try await expect([], playlist, "after DeleteAll")
      }
    },
    editing(
      "delete-unknown", .practice, "DeleteId of an unknown id changes nothing: it succeeds or is refused with 800.",
      source: "\(linn): deletions always succeed; \(player) refuses with 800",
      steps: "Sends DeleteId twice for the same track. The second one may be refused with 800."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(2)
      try await playlist.delete(ids[0])
      let answer = try await playlist.answer("DeleteId", [("Value", "\(ids[0])")])
      if answer.results == nil { try playlist.context.expectFault([800], answer, to: "an unknown id") }
      playlist.context.measure("DeleteId of an unknown id", answer.summary)
      try await expect([ids[1]], playlist, "as before")
    },
    editing(
      "delete-current", .must, "After the deletion of the current track, Id is another one of the list.",
      source: "\(wiki): Id is the track that Play would play",
      steps: "Inserts three tracks, deletes the one that Id names, and reads Id."
    ) { playlist async throws(Finding) in
      let ids = try await playlist.fill(3)
      let current = try await playlist.currentID()
      try await playlist.delete(current)
      let rest = ids.filter { $0 != current }
      let id = try await playlist.currentID()
      try playlist.context.expect(rest.contains(id), "one of the ids \(rest) as Id", got: "\(id)")
    },
  ]
}

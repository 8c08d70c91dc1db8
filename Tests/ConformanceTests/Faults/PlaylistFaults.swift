import UPnP

@testable import Conformance

extension FaultRow {
  private static func playlist(_ id: String, _ fault: Fault) -> FaultRow { FaultRow("oh/playlist/\(id)", fault) }

  /// Faults of Playlist without playback. A new stand-in assigns the ids 1, 2, 3 …
  static let playlist: [FaultRow] = [
    // Appends new tracks to the list.
    playlist("insert-first", .idArray { $0.sorted() }),
    playlist("insert-after", .idArray { $0.sorted() }),
    // Inserts tracks without a known predecessor at the front.
    playlist("insert-unknown", .input("<AfterId>2<", "<AfterId>0<", of: "Insert")),
    playlist("tracks-max", .output("Value", of: "TracksMax", "2")),
    playlist("full", .output("Value", of: "TracksMax", "20")),
    playlist("ids-never-reused/delete-id", .reusedIDs),
    playlist("ids-never-reused/delete-all", .reusedIDs),
    playlist("ids-unique", .output("NewId", of: "Insert", "1")),
    playlist("empty", .action("IdArray") { $0.replace("<Array></Array>", "<Array>AAAAAA==</Array>") }),
    playlist("id-in-list", .output("Value", of: "Id", "0")),
    playlist("token", .output("Value", of: "IdArrayChanged", "0")),
    // Returns the entries in the order of the list.
    playlist("read-list/order", .input("<IdList>3 1 2<", "<IdList>1 2 3<", of: "ReadList")),
    playlist("read-list/unknown", .refuses("<IdList>1 2 3<", code: 800)),
    playlist("read-list/none", .refuses("<IdList></IdList>", code: 402)),
    playlist("read-unknown", .input("<Id>1<", "<Id>2<", of: "Read")),
    // Unescaped twice.
    playlist("round-trip/entities", .action("Read") { $0.replace("&amp;amp;", "&amp;") }),
    playlist("round-trip/non-ascii", .action("ReadList") { $0.replace("Dvořák", "Dvo?ák") }),
    playlist("round-trip/blanks", .action("Read") { $0.replace("  one", "one") }),
    playlist("round-trip/long", .action("Read") { $0.replace(" more. A long title", "") }),
    // Treats the id as an index.
    playlist("delete-id", .input(">2<", ">3<", of: "DeleteId")),
    playlist("delete-all", .refuses("#DeleteAll", code: 501)),
    playlist("delete-unknown", .action("DeleteId") { $0.replace(">800<", ">501<") }),
    playlist("delete-current", .output("Value", of: "Id", "1")),
    playlist("repeat", .input(">1<", ">0<", of: "SetRepeat")),
    playlist("shuffle", .input(">1<", ">0<", of: "SetShuffle")),
    playlist("repeat-event", .eventText("Repeat>", "Loop>")),
    playlist("shuffle-event", .eventText("Shuffle>", "Random>")),
    playlist("seek-id-unknown", .input(">1<", ">2<", of: "SeekId")),
    playlist("seek-index-beyond", .input(">2<", ">1<", of: "SeekIndex")),
    playlist("empty/play", .refuses("Playlist:1#Play\"", code: 701)),
    playlist("empty/pause", .refuses("Playlist:1#Pause\"", code: 701)),
    playlist("empty/stop", .refuses("Playlist:1#Stop\"", code: 701)),
    playlist("empty/next", .refuses("Playlist:1#Next\"", code: 701)),
    playlist("empty/previous", .refuses("Playlist:1#Previous\"", code: 701)),
    playlist("id-array-event", .eventText("IdArray>", "Ids>")),
    playlist("id-array-moderation", Fault(eventCopies: 20)),
    playlist("transport-state", .output("Value", of: "TransportState", "PLAYING")),
    playlist("protocol-info", .output("Value", of: "ProtocolInfo", "http-get:*:flac:*")),
    playlist(
      "protocol-info-radio",
      Fault(onResponse: { request, response in
        if request.target.contains("/Radio/"), request.action == "ProtocolInfo" {
          response.setText("Value", "http-get:*:audio/mpeg:*")
        }
      })),
  ]
}

extension Fault {
  /// Replaces text in the requests for an action.
  static func input(_ old: String, _ new: String, of action: String) -> Fault {
    Fault(onRequest: { if $0.action == action { $0.replace(old, new) } })
  }

  /// Changes the ids that the action IdArray returns.
  fileprivate static func idArray(_ change: @escaping @Sendable ([UInt32]) -> [UInt32]) -> Fault {
    action("IdArray") { response in
      let text = response.text
      guard let start = text.firstRange(of: "<Array>"), let end = text.firstRange(of: "</Array>"),
        let ids = IDArray.ids(String(text[start.upperBound..<end.lowerBound]))
      else { return }
      let bytes = change(ids).flatMap { id in (0..<4).map { UInt8(truncatingIfNeeded: id >> (24 - 8 * $0)) } }
      response.setText("Array", bytes.upnpText)
    }
  }

  /// Reuses ids: the tracks always get the ids 1 to 3.
  fileprivate static let reusedIDs = Fault(onResponse: { request, response in
    guard request.action == "Insert", let start = response.text.firstRange(of: "<NewId>") else { return }
    guard let id = Int(response.text[start.upperBound...].prefix { $0.isNumber }) else { return }
    response.setText("NewId", "\((id - 1) % 3 + 1)")
  })
}

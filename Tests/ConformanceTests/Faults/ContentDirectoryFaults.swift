extension FaultRow {
  private static let unsorted = Fault(onRequest: { request in
    if request.action == "Browse" { request.replace("<SortCriteria>-dc:title<", "<SortCriteria>+dc:title<") }
  })

  /// Replaces text in the answers to Browse, whose result is escaped XML.
  private static func browsed(_ old: String, _ new: String) -> Fault { .action("Browse") { $0.replace(old, new) } }

  private static func browsing(_ old: String, _ new: String) -> Fault { .input(of: "Browse", old, new) }

  static let contentDirectory: [FaultRow] =
    [
      ("2.7.4/root", browsed(#"parentID="-1""#, #"parentID="0""#)),
      ("2.7.4/metadata", browsing("BrowseMetadata", "BrowseDirectChildren")),
      ("2.7.4/parent", browsed(#"parentID="1""#, #"parentID="0""#)),
      ("2.7.4/child-count", browsed(#"childCount="5""#, #"childCount="4""#)),
      ("2.7.4/numbers", .output("NumberReturned", of: "Browse", "1")),
      ("2.7.4/requested-count", browsing("<RequestedCount>1<", "<RequestedCount>2<")),
      ("2.7.4/all", browsing("<RequestedCount>0<", "<RequestedCount>3<")),
      ("2.7.4/paging", browsing("<StartingIndex>2<", "<StartingIndex>1<")),
      ("2.7.4/beyond", browsing("<StartingIndex>100000<", "<StartingIndex>0<")),
      ("2.7.4/unknown-object", browsing("swiftlet-no-such-object", "0")),
      ("2.7.4/unknown-flag", browsing("BrowseNothing", "BrowseMetadata")),
      ("2.7.4/unknown-sort", browsing("+swiftlet:none", "+dc:title")),
      ("2.7.4/sorted", unsorted),
      ("2.7.4/update-id", .output("UpdateID", of: "Browse", "0")),
      ("2.7.3/event", .eventText("SystemUpdateID>7<", "SystemUpdateID>0<")),
      ("2.8/well-formed", browsed("metadata-1-0/DIDL-Lite/", "metadata-1-0/DIDL-Lite")),
      ("2.8/required", browsed(#"restricted="1""#, "")),
      ("2.7.4/filter", browsing("<Filter>dc:title<", "<Filter>*<")),
      ("2.8/protocol-info", browsed("http-get:*:audio/wav:DLNA.ORG_OP=01", "http-get:*:audio/wav")),
      ("2.7.5/malformed", .input(of: "Search", "dc:title contains", "*")),
      ("2.7.5/unknown-container", .input(of: "Search", "swiftlet-no-such-container", "0")),
      ("2.7.5/everything", .input(of: "Search", "<SearchCriteria>*<", "<SearchCriteria>dc:title contains<")),
      ("2.7.5/by-class", .action("Search") { $0.replace("object.item.audioItem", "object.container.album") }),
      ("resource/get", browsed("http-get:*:audio/wav", "http-get:*:audio/mpeg")),
      ("resource/ranges", browsed("/track.wav", "/icon.png")),
    ].map { FaultRow("cds/\($0)", $1, on: .server) } + [
      FaultRow("cm/2.4/source", .output("Source", of: "GetProtocolInfo", "http-get:*:audio/flac:*"), on: .server)
    ]
}

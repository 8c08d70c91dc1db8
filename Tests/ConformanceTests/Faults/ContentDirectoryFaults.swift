extension FaultRow {
  private static let reversed = Fault(onRequest: { request in
    guard request.action == "Browse", let criteria = request.element("SortCriteria") else { return }
    let other = criteria.hasPrefix("+") ? "-" : "+"
    if !criteria.isEmpty { request.replace(">\(criteria)<", ">\(other)\(criteria.dropFirst())<") }
  })

  /// Finds everything by an unknown property.
  private static let findsAll = Fault(onRequest: { request in
    guard let criteria = request.element("SearchCriteria"), criteria.contains("swiftlet:none") else { return }
    request.replace(criteria, "*")
  })

  /// Replaces text in requests for the metadata of an object, or in their answers.
  private static func metadata(_ old: String, _ new: String) -> Fault {
    Fault(
      onRequest: { if $0.body.contains("BrowseMetadata") { $0.replace(old, new) } },
      onResponse: { if $0.body.contains("BrowseMetadata") { $1.replace(old, new) } })
  }

  /// Sends other bytes for a range of the track, which is fetched through the proxy, too.
  private static let otherBytes = Fault(onResponse: { request, response in
    if request.header("range") == "bytes=1-10" { response.body.reverse() }
    guard request.action == "Browse", let proxy = request.header("host"),
      let start = response.text.firstRange(of: "http://127.0.0.1:"),
      let end = response.text[start.upperBound...].firstIndex(of: "/")
    else { return }
    response.replace(String(response.text[start.lowerBound..<end]), "http://\(proxy)")
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
      ("2.7.4/all", browsing("<RequestedCount>0<", "<RequestedCount>1<")),
      ("2.7.4/paging", browsing("<StartingIndex>2<", "<StartingIndex>1<")),
      ("2.7.4/beyond", browsing("<StartingIndex>100000<", "<StartingIndex>0<")),
      ("2.7.4/unknown-object", browsing("swiftlet-no-such-object", "0")),
      ("2.7.4/unknown-object-metadata", metadata("swiftlet-no-such-object", "0")),
      ("2.7.4/metadata-agrees", metadata("Blue", "Azure")),
      ("2.7.4/filter-includes", browsing("<Filter>dc:title,res<", "<Filter>dc:title<")),
      ("2.5/sort-capabilities", .output("SortCaps", of: "GetSortCapabilities", "dc:title,upnp:none")),
      ("2.8/ids", browsed(#"id="1/1""#, #"id="1/0""#)),
      ("2.8/namespaces", browsed("purl.org/dc/elements/1.1/", "purl.org/dc/elements/1.0/")),
      ("2.8/kinds", browsed("object.item.audioItem.musicTrack", "object.container.album")),
      ("2.8/attribute-values", browsed(#"size=""#, #"size="about "#)),
      ("2.8/resource-uris", browsed("http://127.0.0.1", "//127.0.0.1")),
      ("2.7.5/requested-count", .input(of: "Search", "<RequestedCount>1<", "<RequestedCount>0<")),
      ("2.7.5/required", .action("Search") { $0.replace(#"restricted="1""#, "") }),
      ("2.7.5/unknown-property", findsAll),
      ("2.7.5/starting-index", .input(of: "Search", "<StartingIndex>1<", "<StartingIndex>0<")),
      ("2.7.5/in-container", .input(of: "Search", "<ContainerID>2<", "<ContainerID>0<")),
      ("2.5/search-capabilities", .output("SearchCaps", of: "GetSearchCapabilities", "upnp:class,upnp:none")),
      ("2.7.4/unknown-flag", browsing("BrowseNothing", "BrowseMetadata")),
      ("2.7.4/unknown-sort", browsing("+swiftlet:none", "+dc:title")),
      ("2.7.4/sorted", reversed),
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
      ("resource/ranges", otherBytes),
    ].map { FaultRow("cds/\($0)", $1, on: .server) } + [
      FaultRow("cm/2.4/source", .output("Source", of: "GetProtocolInfo", "http-get:*:audio/flac:*"), on: .server)
    ]
}

import DeviceStack
import NIOCore
import NIOHTTP1
import UPnP

@testable import Conformance

/// A media server with five tracks in one container that follows the specifications.
final class StandInMediaServer: ContentDirectory1.Provider, ConnectionManager1.Provider {
  static let trackPath = "/server/track.wav"
  private static let updateID: UInt32 = 7
  private static let protocolInfo = "http-get:*:audio/wav:*"
  private static let file = PCM(seconds: 1).wav

  private struct Object: Sendable {
    var id: String
    var parent: String
    var title: String
    var children: [Object] = []
    var isContainer = true

    var all: [Object] { [self] + children.flatMap(\.all) }
  }

  private static let tracks = ["Blue", "Amber", "Green", "Red", "Violet"].enumerated().map { number, title in
    Object(id: "1/\(number)", parent: "1", title: title, isContainer: false)
  }
  private static let root = Object(
    id: "0", parent: "-1", title: "Root",
    children: [
      Object(id: "2", parent: "0", title: "Empty"), Object(id: "1", parent: "0", title: "Music", children: tracks),
    ])

  private let directory = ContentDirectory1.Variables(.init(systemUpdateID: updateID, containerUpdateIDs: ""))
  private let connections = ConnectionManager1.Variables(
    .init(sourceProtocolInfo: protocolInfo, sinkProtocolInfo: "", currentConnectionIDs: "0"))

  var services: [HostedService] {
    [ContentDirectory1.hosted(by: self, directory), ConnectionManager1.hosted(by: self, connections)]
  }

  // MARK: ContentDirectory

  func getSearchCapabilities() -> ContentDirectory1.GetSearchCapabilitiesOutput { .init(searchCaps: "upnp:class") }

  func getSortCapabilities() -> ContentDirectory1.GetSortCapabilitiesOutput { .init(sortCaps: "dc:title") }

  func getSystemUpdateID() -> ContentDirectory1.GetSystemUpdateIDOutput { .init(id: Self.updateID) }

  func browse(
    _ input: ContentDirectory1.BrowseInput,
    _ reply: @escaping (Result<ContentDirectory1.BrowseOutput, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard let object = Self.root.all.first(where: { $0.id == input.objectID }) else {
      throw ActionFault(701, "No such object")
    }
    let all = input.browseFlag == .browseMetadata ? [object] : try Self.sorted(object.children, by: input.sortCriteria)
    let page = Self.page(all, input.startingIndex, input.requestedCount)
    reply(
      .success(
        .init(
          result: Self.document(page, filter: input.filter), numberReturned: UInt32(page.count),
          totalMatches: UInt32(all.count), updateID: Self.updateID)))
  }

  func search(
    _ input: ContentDirectory1.SearchInput,
    _ reply: @escaping (Result<ContentDirectory1.SearchOutput, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard Self.root.all.contains(where: { $0.id == input.containerID && $0.isContainer }) else {
      throw ActionFault(710, "No such container")
    }
    guard input.searchCriteria == "*" || input.searchCriteria == #"upnp:class derivedfrom "object.item""# else {
      throw ActionFault(708, "Unsupported or invalid search criteria")
    }
    let all = input.containerID == "2" ? [] : Self.tracks
    let page = Self.page(all, input.startingIndex, input.requestedCount)
    reply(
      .success(
        .init(
          result: Self.document(page, filter: input.filter), numberReturned: UInt32(page.count),
          totalMatches: UInt32(all.count), updateID: Self.updateID)))
  }

  private static func page(_ objects: [Object], _ start: UInt32, _ count: UInt32) -> [Object] {
    let rest = objects.dropFirst(Int(start))
    return Array(count == 0 ? rest : rest.prefix(Int(count)))
  }

  private static func sorted(_ objects: [Object], by criteria: String) throws(ActionFault) -> [Object] {
    switch criteria {
    case "": return objects
    case "+dc:title": return objects.sorted { $0.title < $1.title }
    case "-dc:title": return objects.sorted { $0.title > $1.title }
    default: throw ActionFault(709, "Unsupported or invalid sort criteria")
    }
  }

  private static func document(_ objects: [Object], filter: String) -> NestedXML {
    NestedXML { xml in
      xml.markup(
        """
        <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/">
        """)
      for object in objects {
        let name = object.isContainer ? "container" : "item"
        let count = object.isContainer ? " childCount=\"\(object.children.count)\"" : ""
        let type = object.isContainer ? "object.container" : "object.item.audioItem.musicTrack"
        xml.markup("<\(name) id=\"\(object.id)\" parentID=\"\(object.parent)\" restricted=\"1\"\(count)>")
        xml.markup("<dc:title>\(object.title)</dc:title><upnp:class>\(type)</upnp:class>")
        if !object.isContainer, filter == "*" || filter.contains("res") {
          xml.markup("<res protocolInfo=\"http-get:*:audio/wav:DLNA.ORG_OP=01\" size=\"\(file.count)\">")
          xml.text("\(xml.server)\(trackPath)")
          xml.markup("</res>")
        }
        xml.markup("</\(name)>")
      }
      xml.markup("</DIDL-Lite>")
    }
  }

  // MARK: ConnectionManager

  func getProtocolInfo() -> ConnectionManager1.GetProtocolInfoOutput { .init(source: Self.protocolInfo, sink: "") }

  func getCurrentConnectionIDs() -> ConnectionManager1.GetCurrentConnectionIDsOutput { .init(connectionIDs: "0") }

  func getCurrentConnectionInfo(
    _ input: ConnectionManager1.GetCurrentConnectionInfoInput
  ) throws(ActionFault) -> ConnectionManager1.GetCurrentConnectionInfoOutput {
    guard input.connectionID == 0 else { throw ActionFault(706, "Invalid connection reference") }
    return .init(
      rcsID: -1, avTransportID: -1, protocolInfo: "", peerConnectionManager: "", peerConnectionID: -1,
      direction: .output, status: .ok)
  }

  // MARK: The track

  /// Answers requests for the track, whole or from one byte to another.
  @Sendable static func track(_ request: HTTPRequest) -> HTTPReply {
    let range = (request.headers.first(name: "range") ?? "").split { !$0.isNumber }.compactMap { Int($0) }
    guard range.count == 2, range[0] <= range[1], range[1] < file.count else {
      return HTTPReply(HTTPResponse(.ok, headers: ["Content-Type": "audio/wav"], body: ByteBuffer(bytes: file)))
    }
    let headers: HTTPHeaders = [
      "Content-Type": "audio/wav", "Content-Range": "bytes \(range[0])-\(range[1])/\(file.count)",
    ]
    return HTTPReply(
      HTTPResponse(.partialContent, headers: headers, body: ByteBuffer(bytes: file[range[0]...range[1]])))
  }
}

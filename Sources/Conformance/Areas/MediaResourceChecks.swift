import ControlPoint
import UPnP

/// ContentDirectory: DIDL-Lite, Search, and the files behind the resources.
enum MediaResourceChecks {
  static let all: [Check] = documents + search + resources

  private static let service = CheckContext.directory
  private static let schema = "the schema of DIDL-Lite (didl-lite.xsd)"

  // MARK: DIDL-Lite

  private static let documents: [Check] = [
    .directory(
      "2.8/well-formed", .must, "Results are well-formed XML with the document element DIDL-Lite and its namespace.",
      source: schema, steps: "Browses up to 24 containers."
    ) { context async throws(Finding) in
      let problems = try await context.sample().containers.flatMap { container -> [String] in
        guard let root = container.answer.root else { return ["no XML: \"\(container.answer.text.prefix(60))\""] }
        let isRight = root.name == "DIDL-Lite" && root.namespace == "urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"
        return container.answer.repairs + (isRight ? [] : ["<\(root.name) xmlns=\"\(root.namespace)\">"])
      }
      try context.expectNone(problems, "<DIDL-Lite xmlns=\"urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/\">")
    },
    .directory(
      "2.8/required", .must,
      "Objects have the attributes id, parentID and restricted, and a dc:title and upnp:class.", source: schema,
      steps: "Browses up to 24 containers. Passes if nothing is missing, and each class begins with object."
    ) { context async throws(Finding) in
      let problems = try await context.sample().objects.flatMap(CheckContext.missingProperties)
      try context.expectNone(problems, "all required properties")
    },
    .directory(
      "2.7.4/filter", .practice, "A Filter leaves out other properties, and never the required ones.",
      source: "ContentDirectory:1 §2.5, A_ARG_TYPE_Filter",
      steps: "Browses a container with items and the Filter dc:title."
    ) { context async throws(Finding) in
      let sample = try await context.sample()
      guard let container = sample.containers.first(where: { $0.answer.objects.contains { !$0.all("res").isEmpty } })
      else { throw .skip("no item with a resource was found") }
      let answer = try await context.browse(.init(id: container.id, filter: "dc:title", count: 5))
      var problems = answer.objects.filter { !$0.all("res").isEmpty }.map { _ in "a res" }
      problems += answer.objects.flatMap { object in ["title", "class"].filter { object[$0] == nil }.map { "no \($0)" }
      }
      if answer.objects.isEmpty { problems.append("no object") }
      try context.expectNone(problems, "objects with title and class")
    },
    .directory(
      "2.8/protocol-info", .must, "Each resource has a protocolInfo with four fields.", source: schema,
      steps: "Browses up to 24 containers."
    ) { context async throws(Finding) in
      let resources = try await context.sample().items.flatMap { $0.all("res") }
      guard !resources.isEmpty else { throw .skip("no resource was found") }
      let problems = resources.map { $0.attributes["protocolInfo"] ?? "" }.filter {
        let fields = $0.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
        return fields.count < 4 || fields.contains("")
      }
      try context.expectNone(problems.map { "\"\($0.prefix(60))\"" }, "protocol:network:format:info")
    },
  ]

  // MARK: Search

  private static let action = Prerequisite.action(service, "Search")
  private static let items = CheckContext.itemCriteria
  private static let faults = "the table of error codes in ContentDirectory:1 §2.7.5"

  private static let search: [Check] = [
    .directory(
      "2.7.5/malformed", .must, "A malformed SearchCriteria is refused with 708.", source: faults, needs: [action],
      steps: "Searches for: dc:title contains. The value is missing."
    ) { context async throws(Finding) in
      try context.expectFault([708], await context.search("dc:title contains"), to: "a criterion without a value")
    },
    .directory(
      "2.7.5/unknown-container", .must, "A search in a container that does not exist is refused with 710.",
      source: faults, needs: [action],
      steps: "Searches for items in an unknown ContainerID, if SearchCapabilities has upnp:class."
    ) { context async throws(Finding) in
      // A server that refuses the criteria need not look for the container.
      try await context.require("upnp:class", of: .search)
      let answer = try await context.search(items, in: "swiftlet-no-such-container")
      try context.expectFault([710], answer, to: "an unknown ContainerID")
    },
    .directory(
      "2.7.5/everything", .practice, "The SearchCriteria * is accepted.",
      source: "ContentDirectory:1 §2.5.5.1, the grammar of SearchCriteria", needs: [action],
      steps: "Searches for * in the root container."
    ) { context async throws(Finding) in
      let answer = try await context.search("*")
      try context.expect(answer.outputs != nil, "success of Search", got: answer.summary)
    },
    .directory(
      "2.7.5/by-class", .practice, "A search by upnp:class finds items of this class only, and all numbers fit.",
      source: "Windows Media Player and Kodi search so", needs: [action],
      steps:
        "Searches for upnp:class derivedfrom \"object.item\", if SearchCapabilities has upnp:class and an item was found."
    ) { context async throws(Finding) in
      try await context.require("upnp:class", of: .search)
      guard try await !context.sample().items.isEmpty else { throw .skip("no item was found") }
      let answer = try await context.search(items)
      guard let outputs = answer.outputs else { throw .failure(expected: "success of Search", got: answer.summary) }
      let found = DirectoryAnswer(outputs)
      try context.expect(!found.objects.isEmpty, "items", got: "none")
      let others = found.objects.filter { $0.text("class")?.hasPrefix("object.item") != true }
      try context.expectNone(others.map { $0.text("class") ?? "no class" }, "object.item")
      try context.expectNone(found.numberProblems, "numbers that fit the objects")
    },
  ]

  // MARK: Files

  private struct File {
    var url: HTTPURL
    var info: ProtocolInfo
    var size: Int?
  }

  /// A few resources on the device, of different types.
  private static func files(_ context: CheckContext) async throws(Finding) -> [File] {
    let all = try await context.sample().resources.compactMap { element -> File? in
      guard let url = HTTPURL(element.text), url.host == context.target.host else { return nil }
      return File(
        url: url, info: ProtocolInfo(element.attributes["protocolInfo"] ?? ""),
        size: element.attributes["size"].flatMap { Int($0) })
    }
    // Conversions take long to begin.
    let originals = all.filter { $0.info.info("DLNA.ORG_CI") != "1" }
    var seen: Set<String> = []
    let files = originals.filter { seen.insert($0.info.mimeType).inserted }.prefix(3)
    guard !files.isEmpty else { throw .skip("no resource on the device was found") }
    return Array(files)
  }

  /// The head of the answer to GET. The body may be large, and is not read.
  private static func head(
    _ url: HTTPURL, range: String? = nil, _ context: CheckContext
  ) async throws(Finding) -> RawResponse {
    let connection = try await context.connect(url)
    defer { connection.close() }
    var request = RawRequest("GET", url)
    request.set("RANGE", range)
    connection.send(request.text)
    // Read like an answer to HEAD, it ends with its head.
    return try await connection.answers(to: ["HEAD"], within: context.times.answer)[0]
  }

  /// The bytes of a range; nil if the answer may have many more.
  private static func bytes(
    _ first: Int, _ last: Int, of url: HTTPURL, _ context: CheckContext
  ) async throws(Finding) -> [UInt8]? {
    let range = "bytes=\(first)-\(last)"
    let answer = try await head(url, range: range, context)
    guard answer.status == 206, answer.header("content-length") == "\(last - first + 1)" else { return nil }
    return try await context.exchange(RawRequest("GET", url, [("RANGE", range)])).body
  }

  private static let resources: [Check] = [
    .directory(
      "resource/get", .practice, "A resource loads, with the type of its protocolInfo and the length of its size.",
      source: "renderers choose a decoder by the type, and compute positions with the length",
      steps: "Requests up to three resources of different types, and reads the heads of the answers."
    ) { context async throws(Finding) in
      var problems: [String] = []
      for file in try await files(context) {
        let answer = try await head(file.url, context)
        guard answer.status == 200 else {
          problems.append("status \(answer.status) for \(file.info.mimeType)")
          continue
        }
        if let type = answer.mediaType, type != file.info.mimeType {
          problems.append("Content-Type \(type) for \(file.info.mimeType)")
        }
        if let size = file.size, let length = answer.header("content-length").flatMap({ Int($0) }), size != length {
          problems.append("Content-Length \(length) for the size \(size)")
        }
      }
      try context.expectNone(problems, "status 200 with the type and length of the resource")
    },
    .directory(
      "resource/ranges", .practice, "A resource whose DLNA.ORG_OP declares byte ranges answers them with 206.",
      source: "castaway: docs/dlna-conformance.md; renderers seek so",
      steps:
        "Requests bytes 1 to 10 and 0 to 10 of up to three resources with DLNA.ORG_OP=01 or 11. Content-Range has their length, and both answers have the same bytes."
    ) { context async throws(Finding) in
      let files = try await files(context).filter { $0.info.info("DLNA.ORG_OP")?.hasSuffix("1") == true }
      guard !files.isEmpty else { throw .skip("no resource declares byte ranges") }
      var problems: [String] = []
      for file in files {
        let answer = try await head(file.url, range: "bytes=1-10", context)
        let range = answer.header("content-range") ?? "none"
        let length = try await head(file.url, context).header("content-length") ?? "*"
        let ranges = ["bytes 1-10/\(length)", "bytes 1-10/*"]
        if answer.status != 206 || (length == "*" ? !range.hasPrefix("bytes 1-10/") : !ranges.contains(range)) {
          problems.append("status \(answer.status), Content-Range \(range)")
        } else if let start = try await bytes(0, 10, of: file.url, context),
          let part = try await bytes(1, 10, of: file.url, context), part != Array(start.dropFirst())
        {
          problems.append("other bytes")
        }
      }
      try context.expectNone(problems, "status 206 with the bytes 1-10")
    },
    Check(
      "cm/2.4/source", .connectionManager, .practice, "A media server lists the formats of its resources in Source.",
      source: "ConnectionManager:1 §2.2.1; BubbleUPnP filters servers by it",
      needs: [.service(service), .action("ConnectionManager", "GetProtocolInfo")],
      steps: "Calls GetProtocolInfo. Passes if Source has the type of every resource that was found."
    ) { context async throws(Finding) in
      let source = ProtocolInfo.list(try await context.call("ConnectionManager", "GetProtocolInfo")["Source"] ?? "")
      try context.expect(!source.isEmpty, "formats in Source", got: "an empty text")
      let types = Set(source.map(\.mimeType))
      let used = Set(try await files(context).map(\.info.mimeType))
      guard !types.contains("*") else { return }
      try context.expectNone(used.subtracting(types).sorted().map { "no \($0)" }, "the types of the resources")
    },
  ]
}

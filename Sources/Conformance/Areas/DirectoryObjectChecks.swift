import ControlPoint
import UPnP

/// ContentDirectory: the properties of objects, and what Browse and Search have to agree on.
enum DirectoryObjectChecks {
  static let all: [Check] = properties + agreement + search

  private static let service = CheckContext.directory
  private static let schema = "the schema of DIDL-Lite (didl-lite.xsd)"
  private static let appendix = "ContentDirectory:1, appendix B"

  /// Fails with the problems of all objects of the sample.
  private static func objects(
    _ id: String, _ level: Level, _ requirement: String, source: String, expected: String,
    _ problems: @escaping @Sendable (XMLElement) -> [String]
  ) -> Check {
    .directory(
      id, level, requirement, source: source, steps: "Browses up to 24 containers. Passes with \(expected)."
    ) { context async throws(Finding) in
      try context.expectNone(try await context.sample().objects.flatMap(problems), expected)
    }
  }

  // MARK: Properties

  private static let properties: [Check] = [
    .directory(
      "2.8/ids", .practice, "Objects have ids of their own.", source: "\(appendix), @id",
      steps: "Browses up to 24 containers. Passes if no id comes twice."
    ) { context async throws(Finding) in
      let ids = try await context.sample().objects.compactMap { $0.attributes["id"] }
      let repeated = Dictionary(grouping: ids) { $0 }.filter { $0.value.count > 1 }
      try context.expectNone(repeated.keys.sorted().map { "\"\($0)\"" }, "each id once")
    },
    objects(
      "2.8/namespaces", .must, "The title is in the namespace of Dublin Core, and the class in that of UPnP.",
      source: schema, expected: "dc:title and upnp:class"
    ) { object in
      let namespaces = [
        ("title", "http://purl.org/dc/elements/1.1/"), ("class", "urn:schemas-upnp-org:metadata-1-0/upnp/"),
      ]
      return namespaces.compactMap { name, namespace in
        guard let element = object[name], element.namespace != namespace else { return nil }
        return "\(name) in \"\(element.namespace)\""
      }
    },
    objects(
      "2.8/kinds", .practice,
      "The class of a container begins with object.container, and that of an item with object.item.",
      source: "ContentDirectory:1 §2.4; control points choose by one or the other",
      expected: "classes that fit the elements"
    ) { object in
      guard let name = object.text("class"), name.hasPrefix("object.") else { return [] }
      return "\(name).".hasPrefix("object.\(object.name).") ? [] : ["\(name) of <\(object.name)>"]
    },
    objects(
      "2.8/attribute-values", .practice,
      "Values of restricted are booleans, of childCount and size numbers, and of duration H:MM:SS.",
      source: "\(appendix), @restricted, @childCount, res@size and res@duration",
      expected: "values of these forms"
    ) { object in
      var problems: [String] = []
      func judge(_ element: XMLElement, _ name: String, _ isRight: (String) -> Bool) {
        guard let value = element.attributes[name], !isRight(value) else { return }
        problems.append("\(name) \"\(value.prefix(40))\"")
      }
      judge(object, "restricted") { ["0", "1", "true", "false"].contains($0) }
      judge(object, "childCount") { UInt32($0) != nil }
      for resource in object.all("res") {
        judge(resource, "size") { UInt64($0) != nil }
        judge(resource, "duration", isDuration)
      }
      return problems
    },
    objects(
      "2.8/resource-uris", .practice, "A resource is an absolute URI.", source: "\(appendix), res",
      expected: "a scheme in each URI"
    ) { object in
      object.all("res").map(\.text).filter { uri in
        let scheme = uri.prefix { $0 != ":" }
        return scheme.count == uri.count || !(scheme.first?.isLetter ?? false)
          || !scheme.utf8.allSatisfy { $0 < 0x80 && $0 > 0x20 && $0 != UInt8(ascii: "/") }
      }.map { "\"\($0.prefix(60))\"" }
    },
  ]

  /// Whether a text is `H+:MM:SS`, with or without a sign and a fraction.
  private static func isDuration(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("-") || text.hasPrefix("+") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, parts.allSatisfy({ $0.first?.isNumber ?? false }) else { return false }
    let whole = parts[2].prefix { $0 != "." }
    return parts.allSatisfy { $0.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "/") } }
      && parts[1].count == 2 && whole.count == 2
  }

  // MARK: Agreement

  private static let agreement: [Check] = [
    .directory(
      "2.7.4/metadata-agrees", .practice, "BrowseMetadata and BrowseDirectChildren describe an object alike.",
      source: "ContentDirectory:1 §2.7.4.2, BrowseFlag",
      steps: """
        Browses the metadata of up to five objects. Passes if element, parentID, childCount, title and class are those \
        of the container's children.
        """
    ) { context async throws(Finding) in
      let all = try await context.sample().objects
      var problems: [String] = []
      for child in all.prefix(3) + all.suffix(2) {
        guard let id = child.attributes["id"] else { continue }
        let answer = try await context.browse(.init(id: id, flag: "BrowseMetadata"))
        guard let object = answer.objects.first(where: { $0.attributes["id"] == id }) else { continue }
        func compare(_ name: String, _ one: String?, _ other: String?) {
          if one != other { problems.append("\(name) \"\(other ?? "")\" instead of \"\(one ?? "")\" of \"\(id)\"") }
        }
        compare("the element", child.name, object.name)
        compare("parentID", child.attributes["parentID"], object.attributes["parentID"])
        if let count = child.attributes["childCount"], let other = object.attributes["childCount"] {
          compare("childCount", count, other)
        }
        for name in ["title", "class"] { compare(name, child.text(name), object.text(name)) }
      }
      try context.expectNone(problems, "the same properties")
    },
    .directory(
      "2.7.4/filter-includes", .practice, "A Filter with res returns the resources of items.",
      source: "ContentDirectory:1 §2.5, A_ARG_TYPE_Filter; Kodi and BubbleUPnP list the properties that they need",
      steps: "Browses a container with items and the Filter dc:title,res. Passes if items have the resources as before."
    ) { context async throws(Finding) in
      let containers = try await context.sample().containers
      guard let container = containers.first(where: { $0.answer.objects.contains { !$0.all("res").isEmpty } }) else {
        throw .skip("no item with a resource was found")
      }
      let answer = try await context.browse(.init(id: container.id, filter: "dc:title,res", count: 20))
      let without = Set(answer.objects.filter { $0.all("res").isEmpty }.compactMap { $0.attributes["id"] })
      let problems = container.answer.objects.filter { object in
        !object.all("res").isEmpty && without.contains(object.attributes["id"] ?? "")
      }.map { "none of \"\($0.attributes["id"] ?? "")\"" }
      try context.expectNone(problems, "the resources")
    },
    .directory(
      "2.5/sort-capabilities", .practice, "Browse sorts by each property of SortCapabilities.",
      source: "ContentDirectory:1 §2.5, SortCapabilities",
      steps: "Browses the root, sorted by each of up to 20 properties. Passes if each call succeeds."
    ) { context async throws(Finding) in
      let list = CSVList.entries(try await context.result("SortCaps", of: "GetSortCapabilities", service))
        .map { String($0.trimmingBlanks) }.filter { !$0.isEmpty && $0 != "*" }
      guard !list.isEmpty else { throw .skip("SortCapabilities names no property") }
      var problems: [String] = []
      for property in list.prefix(20) {
        let arguments = CheckContext.Browse(count: 1, sort: "+\(property)").arguments
        let answer = try await context.answer(service, "Browse", arguments)
        if answer.outputs == nil { problems.append("\(answer.summary) for \(property)") }
      }
      try context.expectNone(problems, "success for each property")
    },
  ]

  // MARK: Search

  private static let action = Prerequisite.action(service, "Search")

  /// What a search for items by upnp:class finds.
  private static func found(
    _ context: CheckContext, in container: String = CheckContext.rootID, start: Int = 0, count: Int = 20
  ) async throws(Finding) -> DirectoryAnswer {
    try await context.require("upnp:class", of: .search)
    let answer = try await context.search(CheckContext.itemCriteria, in: container, start: start, count: count)
    guard let outputs = answer.outputs else { throw .inconclusive("Search is answered with \(answer.summary)") }
    return DirectoryAnswer(outputs)
  }

  /// The items that a search by upnp:class finds.
  private static func items(_ context: CheckContext, count: Int = 20) async throws(Finding) -> [XMLElement] {
    try await found(context, count: count).objects
  }

  /// Criteria that name a property. A server need not know every operator for every property.
  private static func criteria(_ property: String) -> [String] {
    property == "upnp:class"
      ? [CheckContext.itemCriteria]
      : ["\(property) exists true", "\(property) contains \"1\"", "\(property) = \"1\"", "\(property) >= \"1\""]
  }

  private static let search: [Check] = [
    .directory(
      "2.7.5/requested-count", .must, "Search returns no more than RequestedCount objects.",
      source: "ContentDirectory:1 §2.7.5.2", needs: [action],
      steps: "Searches for items by upnp:class, if SearchCapabilities has it, with the RequestedCount 1."
    ) { context async throws(Finding) in
      let count = try await items(context, count: 1).count
      try context.expect(count <= 1, "at most one object", got: "\(count)")
    },
    .directory(
      "2.7.5/required", .must, "Objects that Search finds have the required properties.", source: schema,
      needs: [action],
      steps:
        "Searches for items by upnp:class, if SearchCapabilities has it. Passes with the properties of cds/2.8/required."
    ) { context async throws(Finding) in
      try context.expectNone(
        try await items(context).flatMap(CheckContext.missingProperties), "all required properties")
    },
    .directory(
      "2.7.5/starting-index", .practice, "Search returns the objects from StartingIndex on.",
      source: "ContentDirectory:1 §2.7.5.2; control points read long results in parts", needs: [action],
      steps: """
        Searches for items by upnp:class, if SearchCapabilities has it, from 0 and from 1 on. Passes if the second \
        result begins with the second object of the first one.
        """
    ) { context async throws(Finding) in
      let ids = try await found(context, count: 2).ids
      guard ids.count == 2, ids[0] != ids[1] else { throw .skip("Search does not find two items") }
      let first = try await found(context, start: 1, count: 1).ids.first
      // The order may change from one search to the next.
      guard first != ids[1], try await found(context, count: 2).ids == ids else { return }
      try context.expect(first == ids[1], "\"\(ids[1])\"", got: first.map { "\"\($0)\"" } ?? "none")
    },
    .directory(
      "2.7.5/in-container", .practice, "Search finds only what is in the container.",
      source: "ContentDirectory:1 §2.7.5; control points search in one album or folder", needs: [action],
      steps: """
        Searches for items by upnp:class, if SearchCapabilities has it, in a container whose children are known and have \
        no children. Passes if it finds no more than these.
        """
    ) { context async throws(Finding) in
      let leaves = try await context.sample().containers.filter { container in
        let objects = container.answer.objects
        return container.answer.total == objects.count && !objects.contains { $0.name == "container" }
      }
      guard let leaf = leaves.min(by: { $0.answer.objects.count < $1.answer.objects.count }) else {
        throw .skip("no container with nothing but items was found")
      }
      let limit = leaf.answer.objects.count
      guard try await found(context, count: limit + 1).objects.count > limit else {
        throw .skip("all items are in one container")
      }
      let count = try await found(context, in: leaf.id, count: limit + 1).objects.count
      try context.expect(count <= limit, "at most \(limit) items in \"\(leaf.id)\"", got: "\(count)")
    },
    .directory(
      "2.5/search-capabilities", .practice, "Search accepts each property of SearchCapabilities.",
      source: "ContentDirectory:1 §2.5, SearchCapabilities", needs: [action],
      steps: "Searches by each of up to 20 properties, with several operators. Passes if one of them succeeds for each."
    ) { context async throws(Finding) in
      let list = CSVList.entries(try await context.result("SearchCaps", of: "GetSearchCapabilities", service))
        .map { String($0.trimmingBlanks) }.filter { !$0.isEmpty && $0 != "*" }
      guard !list.isEmpty else { throw .skip("SearchCapabilities names no property") }
      var problems: [String] = []
      for property in list.prefix(20) {
        var refusal: String?
        for text in criteria(property) {
          let answer = try await context.search(text, count: 1)
          refusal = answer.outputs == nil ? answer.summary : nil
          if refusal == nil { break }
        }
        if let refusal { problems.append("\(refusal) for \(property)") }
      }
      try context.expectNone(problems, "success for each property")
    },
    .directory(
      "2.7.5/unknown-property", .practice, "A search by an unknown property is refused with 708, or finds nothing.",
      source: "the table of error codes in ContentDirectory:1 §2.7.5", needs: [action],
      steps: "Searches for: swiftlet:none = \"1\"."
    ) { context async throws(Finding) in
      let answer = try await context.search(#"swiftlet:none = "1""#)
      guard let outputs = answer.outputs else {
        return try context.expectFault([708], answer, to: "an unknown property")
      }
      let count = DirectoryAnswer(outputs).objects.count
      try context.expect(count == 0, "error 708 or no object", got: "\(count) objects")
    },
  ]
}

extension CheckContext {
  /// The criterion for all items.
  static let itemCriteria = #"upnp:class derivedfrom "object.item""#

  /// The required properties that an object does not have.
  static func missingProperties(_ object: XMLElement) -> [String] {
    let id = object.attributes["id"] ?? "?"
    var missing = ["id", "parentID", "restricted"].filter { object.attributes[$0]?.isEmpty ?? true }
    missing += ["title", "class"].filter { object.text($0)?.isEmpty ?? true }
    if let name = object.text("class"), !name.isEmpty, !name.hasPrefix("object.") { missing.append("class \(name)") }
    return missing.map { "no \($0) of \"\(id)\"" }
  }
}

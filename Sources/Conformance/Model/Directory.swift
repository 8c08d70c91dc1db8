import ControlPoint
import UPnP

/// The answer to Browse or Search.
struct DirectoryAnswer: Sendable {
  /// The DIDL-Lite document.
  var text: String
  /// Nil if it is not XML.
  var root: XMLElement?
  /// Characters that had to be escaped before the document could be read.
  var repairs: [String] = []
  var returned: Int?
  var total: Int?
  var updateID: String

  init(_ results: [String: String]) {
    text = results["Result"] ?? ""
    returned = results["NumberReturned"].flatMap { Int(device: $0) }
    total = results["TotalMatches"].flatMap { Int(device: $0) }
    updateID = results["UpdateID"] ?? ""
    if let reading = try? XMLDocument.read(Array(text.utf8)) {
      root = reading.root
      repairs = reading.repairs
    }
  }

  var objects: [XMLElement] { root?.children.filter { $0.name == "container" || $0.name == "item" } ?? [] }

  var ids: [String] { objects.map { $0.attributes["id"] ?? "" } }

  /// Numbers that do not fit the objects. TotalMatches may be 0 if it is not known.
  var numberProblems: [String] {
    let count = objects.count
    var problems: [String] = []
    if returned != count {
      problems.append("NumberReturned \(returned.map(String.init) ?? "none") with \(count) objects")
    }
    if total.map({ $0 != 0 && $0 < count }) ?? true {
      problems.append("TotalMatches \(total.map(String.init) ?? "none") with \(count) objects")
    }
    return problems
  }
}

/// A part of a media server's content, as the basis of its checks.
struct DirectorySample: Sendable {
  struct Container: Sendable {
    var id: String
    /// Of the element; nil for the root.
    var childCount: String?
    var answer: DirectoryAnswer
  }

  /// The root, and the containers below it in the order of the search.
  var containers: [Container] = []

  var objects: [XMLElement] { containers.flatMap(\.answer.objects) }
  var items: [XMLElement] { objects.filter { $0.name == "item" } }

  /// Resources that are fetched from the device over HTTP.
  var resources: [XMLElement] {
    items.flatMap { $0.all("res") }.filter { $0.attributes["protocolInfo"]?.hasPrefix("http-get:") == true }
  }

  /// How many children of a container are read.
  static let pageSize = 200

  /// A container with several children, all of which have been read.
  /// - Parameter isIncluded: has to be true for all children.
  func container(
    withAtLeast count: Int, where isIncluded: (XMLElement) -> Bool = { _ in true }
  ) throws(Finding) -> Container {
    let whole = containers.filter { container in
      let objects = container.answer.objects
      return objects.count >= count && container.answer.total == objects.count && objects.allSatisfy(isIncluded)
    }
    guard let container = whole.max(by: { $0.answer.objects.count < $1.answer.objects.count }) else {
      throw .skip("no suitable container with \(count) children was found")
    }
    return container
  }
}

extension Check {
  /// A check of ContentDirectory.
  static func directory(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite] = [], steps: String,
    procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "cds/\(id)", .contentDirectory, level, requirement, source: source,
      needs: [.service(CheckContext.directory)] + needs, steps: steps, procedure: procedure)
  }
}

extension CheckContext {
  static let directory = "ContentDirectory"
  static let rootID = "0"

  /// The arguments of Browse.
  struct Browse {
    var id = CheckContext.rootID
    var flag = "BrowseDirectChildren"
    var filter = "*"
    var start = 0
    var count = 0
    var sort = ""

    var arguments: [(name: String, value: String)] {
      [
        ("ObjectID", id), ("BrowseFlag", flag), ("Filter", filter), ("StartingIndex", "\(start)"),
        ("RequestedCount", "\(count)"), ("SortCriteria", sort),
      ]
    }
  }

  func browse(_ browse: Browse) async throws(Finding) -> DirectoryAnswer {
    DirectoryAnswer(try await call(Self.directory, "Browse", browse.arguments))
  }

  func search(
    _ criteria: String, in container: String = rootID, start: Int = 0, count: Int = 20
  ) async throws(Finding) -> SOAPAnswer {
    try await answer(
      Self.directory, "Search",
      [
        ("ContainerID", container), ("SearchCriteria", criteria), ("Filter", "*"), ("StartingIndex", "\(start)"),
        ("RequestedCount", "\(count)"), ("SortCriteria", ""),
      ])
  }

  /// What a server can search or sort by.
  enum Capability: String {
    case search = "Search"
    case sort = "Sort"
  }

  /// Skips a check unless the server can search or sort by a property.
  func require(_ property: String, of capability: Capability) async throws(Finding) {
    let name = capability.rawValue
    let list = try await call(Self.directory, "Get\(name)Capabilities")["\(name)Caps"] ?? ""
    guard list == "*" || CSVList.entries(list).contains(where: { $0.trimmingBlanks == property }) else {
      throw .skip("\(name)Capabilities has no \(property)")
    }
  }

  /// Containers and items that several checks use: level by level, until a container with items has been read.
  func sample() async throws(Finding) -> DirectorySample {
    try await shared.value("directory", isLogged: true) { () async throws(Finding) in
      let (maximumContainers, enoughItems) = (24, 3)
      var sample = DirectorySample()
      var pending: [(id: String, childCount: String?)] = [(Self.rootID, nil)]
      while let next = pending.first, sample.containers.count < maximumContainers, sample.items.count < enoughItems {
        pending.removeFirst()
        let answer = try await browse(Browse(id: next.id, count: DirectorySample.pageSize))
        sample.containers.append(.init(id: next.id, childCount: next.childCount, answer: answer))
        pending += answer.objects.filter { $0.name == "container" }.compactMap { element in
          element.attributes["id"].map { ($0, element.attributes["childCount"]) }
        }
      }
      return sample
    }
  }
}

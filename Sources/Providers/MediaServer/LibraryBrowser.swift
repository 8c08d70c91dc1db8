import LocalLibrary
import UPnP

/// Answers Browse and Search from the library, on any thread.
struct LibraryBrowser: Sendable {
  /// The results of Browse and Search.
  struct Answer: Sendable {
    var result: NestedXML
    var numberReturned: UInt32
    var totalMatches: UInt32
    var updateID: UInt32
  }

  /// The part of a list that a client asks for.
  struct Range: Sendable {
    var start: UInt32
    /// 0 for all.
    var count: UInt32

    /// Objects in one answer. Clients ask for the rest, since they see the total.
    private static let maximumCount = 5000

    var positions: Swift.Range<Int> {
      let start = Int(start)
      return start..<start + (count == 0 ? Self.maximumCount : min(Int(count), Self.maximumCount))
    }
  }

  static let noObject = ActionFault(701, "No such object")
  static let noContainer = ActionFault(710, "No such container")

  let library: any LibraryContents

  // MARK: Browse

  func metadata(_ id: String, filter: DIDLFilter) async throws(ActionFault) -> Answer {
    guard let id = LibraryObjectID(id) else { throw Self.noObject }
    var xml = LibraryXML(filter: filter)
    var updateID = library.systemUpdateID
    let entry: LibraryEntry
    var position: Int?
    do throws(LibraryError) {
      switch id {
      case .container(let id):
        let container = try await library.container(id)
        updateID = container.updateID
        entry = .container(container)
      case .track(let id, let parent, let place):
        _ = try await library.container(parent)
        entry = .track(try await library.track(id), parent: parent)
        position = place
      case .link(let position, let parent):
        let page = try await library.children(of: parent, sort: [], range: position..<position + 1)
        guard let first = page.entries.first, case .link = first else { throw .missing }
        entry = first
      }
    } catch {
      throw Self.fault(error, missing: Self.noObject)
    }
    _ = xml.add(entry, position: position)
    return Answer(result: xml.document, numberReturned: 1, totalMatches: 1, updateID: updateID)
  }

  func children(
    of id: String, filter: DIDLFilter, range: Range, sort: String
  ) async throws(ActionFault) -> Answer {
    guard let id = LibraryObjectID(id) else { throw Self.noObject }
    guard case .container(let container) = id else { throw Self.noContainer }
    let keys = try Self.keys(sort)
    do throws(LibraryError) {
      let page = try await library.children(of: container, sort: keys, range: range.positions)
      return Self.answer(page, filter: filter, start: keys.isEmpty ? Int(range.start) : nil)
    } catch {
      throw Self.fault(error, missing: Self.noObject)
    }
  }

  // MARK: Search

  func search(
    in id: String, criteria: String, filter: DIDLFilter, range: Range, sort: String
  ) async throws(ActionFault) -> Answer {
    guard let container = LibraryContainerID(id) else { throw Self.noContainer }
    let parsed: SearchCriteria
    do throws(CriteriaError) {
      parsed = try SearchCriteria(criteria)
    } catch {
      throw Self.unsupported("\(error)")
    }
    if let unknown = parsed.properties.subtracting(LibraryProperty.searchable).min() {
      throw Self.unsupported("Unknown property \(unknown.prefix(100))")
    }
    let keys = try Self.keys(sort)
    do throws(LibraryError) {
      let page = try await library.search(parsed, in: container, sort: keys, range: range.positions)
      return Self.answer(page, filter: filter, start: nil)
    } catch {
      throw Self.fault(error, missing: Self.noContainer)
    }
  }

  private static func keys(_ sort: String) throws(ActionFault) -> [SortKey] {
    do throws(CriteriaError) {
      return try SortKey.keys(sort, properties: LibraryProperty.sortable)
    } catch {
      throw ActionFault(709, "Unsupported or invalid sort criteria: \(error)")
    }
  }

  private static func unsupported(_ reason: String) -> ActionFault {
    ActionFault(708, "Unsupported or invalid search criteria: \(reason)")
  }

  /// - Parameter start: the position of the first entry; nil if the order is not the list's own.
  private static func answer(_ page: LibraryPage, filter: DIDLFilter, start: Int?) -> Answer {
    var xml = LibraryXML(filter: filter)
    for (index, entry) in page.entries.enumerated() {
      guard xml.add(entry, position: start.map { $0 + index }) else { break }
    }
    return Answer(
      result: xml.document, numberReturned: UInt32(xml.count), totalMatches: UInt32(clamping: page.total),
      updateID: page.updateID)
  }

  private static func fault(_ error: LibraryError, missing: ActionFault) -> ActionFault {
    switch error {
    case .missing: missing
    case .unsupported: unsupported("This cannot be compared")
    case .failed: ActionFault(720, "Cannot process the request")
    }
  }
}

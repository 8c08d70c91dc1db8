import SQLite

@testable import LocalLibrary
@testable import Providers
@testable import UPnP

/// Each line as an argument of ContentDirectory: search criteria, sort criteria, a filter and the id of an object.
enum SearchTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    guard let database = try? LibraryDatabase.openWriter(path: ":memory:") else { return check(false, "no database") }
    let reader = LibraryReader(database: database, systemUpdateID: 0)
    var input = Input(input)
    while let line = input.line() {
      search(line, reader)
      sort(line, reader)
      _ = DIDLFilter(line)
      if let id = LibraryObjectID(line) { check(id.text == line, "\(id.text) of \(line)") }
    }
  }

  private static func search(_ text: String, _ reader: LibraryReader) {
    guard let criteria = try? SearchCriteria(text) else { return }
    for id in [LibraryContainerID.root, .list(.albums), .entry(.folders, 1)] {
      do throws(LibraryError) {
        check(try reader.search(criteria, in: id, sort: [], range: 0..<10).total == 0, "finds something for \(text)")
      } catch {
        // An index that is empty has no entry, and a property may be unknown; but the SQL is always correct.
        if case .failed = error { check(false, "\(error) for \(text)") }
      }
    }
  }

  private static func sort(_ text: String, _ reader: LibraryReader) {
    guard let keys = try? SortKey.keys(text, properties: LibraryProperty.sortable) else { return }
    let page = try? reader.children(of: .list(.tracks), sort: keys, range: 0..<10)
    check(page?.total == 0, "cannot sort by \(text)")
  }
}

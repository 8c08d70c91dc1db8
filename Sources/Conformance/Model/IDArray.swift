import ControlPoint
import UPnP

/// The form of OpenHome's IdArray: 32-bit ids in big-endian order, in base64.
enum IDArray {
  /// - Returns: nil for another form. Zeros, with which Radio fills its places, are kept.
  static func ids(_ text: String) -> [UInt32]? {
    guard case .value(let bytes) = [UInt8].read(text), bytes.count.isMultiple(of: 4) else { return nil }
    return stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
  }
}

/// An entry of the document that ReadList of Playlist or Radio returns.
struct ListEntry: Sendable, Hashable {
  var id: UInt32
  /// Empty for Radio.
  var uri: String
  var metadata: String

  /// The entries of a document such as `<TrackList><Entry>…</Entry></TrackList>`; nil if it has another form.
  static func all(in text: String, root: String) -> [ListEntry]? {
    guard let reading = try? XMLDocument.read(Array(text.utf8)), reading.repairs.isEmpty, reading.root.name == root
    else { return nil }
    var entries: [ListEntry] = []
    for element in reading.root.children {
      guard element.name == "Entry", let id = element.text("Id").flatMap({ UInt32($0) }),
        let metadata = element["Metadata"]
      else { return nil }
      entries.append(ListEntry(id: id, uri: element["Uri"]?.content ?? "", metadata: metadata.content))
    }
    return entries
  }
}

extension CheckContext {
  /// The token and the ids of the IdArray action of Playlist or Radio.
  func idArray(_ service: String) async throws(Finding) -> (token: String, ids: [UInt32]) {
    let values = try await call(service, "IdArray")
    let array = values["Array"] ?? ""
    guard let ids = IDArray.ids(array) else {
      throw .failure(expected: "32-bit numbers in base64 as IdArray", got: "\"\(array.prefix(40))\"")
    }
    return (values["Token"] ?? "", ids)
  }

  /// Calls ReadList of Playlist or Radio.
  /// - Parameter output: the name of the output argument, and of the document's root.
  func readList(_ service: String, _ output: String, ids: [UInt32]) async throws(Finding) -> [ListEntry] {
    let list = ids.map(String.init).joined(separator: " ")
    let text = try await call(service, "ReadList", [("IdList", list)])[output] ?? ""
    guard let entries = ListEntry.all(in: text, root: output) else {
      throw .failure(expected: "<\(output)> with entries of Id and Metadata", got: "\"\(text.prefix(60))\"")
    }
    return entries
  }
}

@testable import ControlPoint
@testable import UPnP

/// The input is tested as a media server's answer to Browse, as container updates, as protocolInfo and as search words.
enum MediaTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    for object in MediaObjects(didlLite: text).objects {
      let document = object.didlLite
      check(XMLTarget.isWellFormed(document), "no renderer can read \(document)")
      let again = MediaObjects(didlLite: document).objects
      check(again.count == 1, "\(again.count) objects in \(document)")
      check(again.first.map { withoutSource($0) } == withoutSource(object), "\(document) is another object")
      let rewritten = withoutSource(object).didlLite
      check(XMLTarget.isWellFormed(rewritten), "no renderer can read \(rewritten)")
      _ = try? ResourceChoice(sink: ProtocolInfo.list(text)).best(of: object)
    }
    let updates = ContainerUpdate.list(text)
    check(updates.count <= 10_000, "\(updates.count) updates")
    let search = MediaSearch(text)
    if let criteria = search.criteria(MediaCapabilities("dc:title")) {
      check(quotes(in: criteria) == 2 * search.words.count, "a quote ends \(criteria)")
    }
  }

  /// The number of quotes without a backslash before them.
  private static func quotes(in criteria: String) -> Int {
    var count = 0
    var isEscaped = false
    for character in criteria.unicodeScalars {
      if character == "\"", !isEscaped { count += 1 }
      isEscaped = character == "\\" && !isEscaped
    }
    return count
  }

  private static func withoutSource(_ object: MediaObject) -> MediaObject {
    var object = object
    object.source = nil
    return object
  }
}

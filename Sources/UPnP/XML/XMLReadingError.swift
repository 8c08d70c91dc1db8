/// Why a document cannot be read.
package enum XMLReadingError: Error, Sendable, Hashable, CustomStringConvertible {
  case malformed
  /// A document type declaration or an entity of its own: nothing that UPnP sends has them, and they are how documents
  /// explode.
  case documentType
  case tooDeep
  /// More attributes or namespaces than anything that UPnP sends.
  case tooComplex

  package var description: String {
    switch self {
    case .malformed: "not well-formed XML"
    case .documentType: "XML with a document type declaration"
    case .tooDeep: "XML nested too deeply"
    case .tooComplex: "XML with too many attributes or namespaces"
    }
  }
}

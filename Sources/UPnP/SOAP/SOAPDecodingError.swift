/// Why a body is no SOAP request.
package enum SOAPDecodingError: Error, Hashable, CustomStringConvertible {
  case unreadable(XMLReadingError)
  /// Well-formed, but no envelope with a body with an action.
  case noAction

  package var description: String {
    switch self {
    case .unreadable(let error): "the body is \(error)"
    case .noAction: "the body is no SOAP envelope with an action in it"
    }
  }
}

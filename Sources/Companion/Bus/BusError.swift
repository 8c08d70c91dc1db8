/// Why a call on the bus has no result.
package enum BusError: Error, Equatable, CustomStringConvertible {
  /// The bus cannot be reached now.
  case notConnected
  /// The connection ended before the reply.
  case disconnected
  /// The other side did not reply in time, or ended.
  case noReply
  /// The other side replied with an error.
  case remote(BusFault)
  /// A reply with other types than documented, or a damaged one.
  case unexpectedReply
  /// A message with more values than `BusReader` accepts.
  case tooLarge
  /// The message cannot be built: an invalid name or path, or values that do not match their signature.
  case invalidMessage

  package var description: String {
    switch self {
    case .notConnected: "There is no connection to the bus."
    case .disconnected: "The connection to the bus has ended."
    case .noReply: "There was no reply."
    case .remote(let fault): fault.description
    case .unexpectedReply: "The reply has an unexpected form."
    case .tooLarge: "The reply is too large."
    case .invalidMessage: "The message is invalid."
    }
  }

  /// Whether the other side replied with the error of that name.
  package func isRemote(_ name: String) -> Bool {
    if case .remote(let fault) = self { fault.name == name } else { false }
  }
}

/// An error in a message, by its name on the bus.
package struct BusFault: Error, Hashable, CustomStringConvertible {
  package let name: String
  package let message: String

  package init(_ name: String, _ message: String) {
    self.name = name
    self.message = message
  }

  package static func failed(_ message: String) -> BusFault { BusFault("org.freedesktop.DBus.Error.Failed", message) }

  package static func invalidArguments(_ message: String) -> BusFault {
    BusFault("org.freedesktop.DBus.Error.InvalidArgs", message)
  }

  package static func notSupported(_ message: String) -> BusFault {
    BusFault("org.freedesktop.DBus.Error.NotSupported", message)
  }

  /// One line of limited length, since another program has written it.
  package var description: String {
    let text = String(message.prefix(200).map { $0.isNewline || $0 == "\0" ? " " : $0 })
    return text.isEmpty ? String(name.prefix(200)) : text
  }
}

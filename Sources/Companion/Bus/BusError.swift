/// Why a call on the bus failed.
package enum BusError: Error, Equatable, CustomStringConvertible {
  /// There was no connection to the bus when the call was made.
  case notConnected
  /// The connection ended before the reply.
  case disconnected
  /// The called program did not reply in time, or exited.
  case noReply
  /// The called program replied with an error.
  case remote(BusFault)
  /// The reply is damaged or has other types than documented.
  case unexpectedReply
  /// The message exceeds the limits of `BusReader`.
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

  /// Whether the called program replied with the error of this name.
  package func isRemote(_ name: String) -> Bool {
    if case .remote(let fault) = self { fault.name == name } else { false }
  }
}

/// A D-Bus error: its name and its message.
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

  /// The message, or else the name, on one line of limited length: another program has written it.
  package var description: String {
    let text = String(message.prefix(200).map { $0.isNewline || $0 == "\0" ? " " : $0 })
    return text.isEmpty ? String(name.prefix(200)) : text
  }
}

import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import UPnP

/// Why a request to a device failed.
public enum ControlPointError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The device refused the action with a UPnPError (UDA 1.1 §3.2.2).
  case fault(code: Int, description: String)
  /// The device does not declare the service, or the action. No request was sent.
  case notOffered(String)
  /// No answer within the time limit.
  case timeout
  /// The connection was refused, or there is no route. The text is the system's.
  case unreachable(String)
  /// The URL is on a host that the address policy excludes. No request was sent.
  case notAllowed(HTTPURL)
  /// An HTTP status other than 200, without a UPnPError.
  case status(Int)
  /// The answer exceeds the limit in bytes.
  case tooLarge
  /// The answer is invalid. The text is one sentence.
  case malformed(String)
  /// The task was cancelled.
  case cancelled
  /// The control point has been stopped.
  case stopped

  public var description: String {
    switch self {
    case .fault(let code, let description):
      "The device refused with error \(code): \(description)" + (description.hasSuffix(".") ? "" : ".")
    case .notOffered(let what): "The device does not offer \(what)."
    case .timeout: "The device did not answer in time."
    case .unreachable(let reason): "The device cannot be reached: \(reason)."
    case .notAllowed(let url):
      url.address == nil
        ? "\(url) has a name instead of an IPv4 address. No request was sent."
        : "\(url) is not on a directly connected network. No request was sent."
    case .status(let code): "The device answered with HTTP status \(code)."
    case .tooLarge: "The device's answer is too large."
    case .malformed(let sentence): sentence
    case .cancelled: "Cancelled."
    case .stopped: "The control point has been stopped."
    }
  }

  /// Translates an error of NIO.
  init(transport error: any Error) {
    switch error {
    case let error as ControlPointError: self = error
    case ChannelError.connectTimeout: self = .timeout
    case let error as NIOConnectionError:
      self =
        error.connectionErrors.first.map { ControlPointError(transport: $0.error) } ?? .unreachable("no connection")
    case let error as IOError: self = .unreachable(String(cString: strerror(error.errnoCode)).lowercased())
    case HTTPParserError.invalidEOFState:
      self = .malformed("The connection was closed before the answer was complete.")
    case is HTTPParserError: self = .malformed("The answer is not valid HTTP.")
    default: self = .unreachable("\(error)")
    }
  }
}

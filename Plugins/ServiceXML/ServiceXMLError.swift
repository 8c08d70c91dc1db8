/// A problem in a file under service-xml or in a target's selection of them.
public struct ServiceXMLError: Error, Equatable, CustomStringConvertible {
  /// The kinds of files, with their endings.
  public enum File: String, Sendable {
    case scpd = "xml"
    case rules
    case selection = "txt"
  }

  public var file: File
  /// The line, from 1; nil if unknown.
  public var line: Int?
  public var message: String

  public init(_ message: String, in file: File = .scpd, line: Int? = nil) {
    self.message = message
    self.file = file
    self.line = line
  }

  public var description: String { report(at: "") }

  /// The error in the form that build systems and editors recognize.
  /// - Parameter path: the path of the file, without its ending.
  public func report(at path: String) -> String {
    "\(path).\(file.rawValue)\(line.map { ":\($0)" } ?? ""): error: \(message)"
  }
}

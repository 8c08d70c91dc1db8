/// A problem in the configuration: its origin, its key and a sentence.
struct ConfigurationProblem: Error, Equatable, CustomStringConvertible {
  var origin: ConfigurationOrigin
  /// nil if the problem does not concern a single key.
  var key: String?
  var sentence: String

  /// `file:line: key: sentence`
  var description: String {
    switch origin {
    case .fallback, .file, .page: ([origin.description] + [key].compactMap(\.self) + [sentence]).joined(separator: ": ")
    case .environment, .option: "\(origin): \(sentence)"
    }
  }
}

/// The source of a value.
enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
  case fallback
  case file(path: String, line: Int?)
  /// The file with the settings of the speaker's page.
  case page(path: String)
  case environment(variable: String)
  case option(String)

  var description: String {
    switch self {
    case .fallback: "default"
    case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
    case .page(let path): path
    case .environment(let variable): variable
    case .option(let name): "--\(name)"
    }
  }
}

/// Why a value is refused. A list or a table can have several reasons.
struct ValueProblem: Error {
  struct Reason: Equatable {
    /// The line of the problem; nil for the line of the whole value.
    var line: Int?
    /// The member of the value that it concerns; nil for the whole value.
    var member: String?
    var sentence: String
  }

  var reasons: [Reason]

  init(_ reasons: [Reason]) { self.reasons = reasons }

  init(_ sentence: String) { reasons = [Reason(sentence: sentence)] }
}

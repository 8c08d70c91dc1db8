/// Where a value comes from.
enum ConfigurationOrigin: Sendable, Equatable, CustomStringConvertible {
  case fallback
  case file(path: String, line: Int?)
  case environment(variable: String)
  case option(String)

  var description: String {
    switch self {
    case .fallback: "default"
    case .file(let path, let line): line.map { "\(path):\($0)" } ?? path
    case .environment(let variable): variable
    case .option(let name): "--\(name)"
    }
  }
}

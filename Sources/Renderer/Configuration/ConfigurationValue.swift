/// What was written for a key, and where.
struct ConfigurationNode: Sendable, Equatable {
  var value: ConfigurationValue
  /// Of the file, from 1; nil for what comes from elsewhere.
  var line: Int?
}

/// What can be written for a key.
indirect enum ConfigurationValue: Sendable, Equatable {
  case text(String)
  case whole(Int)
  case number(Double)
  case truth(Bool)
  case list([ConfigurationNode])
  case table(ConfigurationTable)
  /// A date or a time, which no key takes.
  case date(String)
  /// What an option or the environment gives, which says nothing of its type.
  case plain(String)

  /// As people would quote it.
  var quoted: String {
    switch self {
    case .text(let text), .plain(let text), .date(let text): "“\(text)”"
    case .whole(let number): "\(number)"
    case .number(let number): "\(number)"
    case .truth(let truth): "\(truth)"
    case .list: "A list"
    case .table: "A table"
    }
  }
}

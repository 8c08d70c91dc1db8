/// A setting, as `GET /api/settings` shows it. docs/api.md describes every member.
package struct SettingEntry: Encodable, Sendable {
  package struct Choice: Encodable, Sendable, Equatable {
    package var value: String
    /// The name for people.
    package var name: String

    package init(value: String, name: String) {
      self.value = value
      self.name = name
    }
  }

  package var key: String
  /// What the setting does, in a sentence.
  package var label: String
  /// text, integer, decibels, seconds, bool, choice or output.
  package var kind: String
  /// The choices of the kinds choice and output.
  package var choices: [Choice]?
  package var minimum: Double?
  package var maximum: Double?
  /// nil if it is unset.
  package var value: SettingValue?
  package var `default`: SettingValue?
  /// The default in words.
  package var defaultText: String
  /// command line, environment, page, file or default.
  package var origin: String
  /// The environment variable or the option that sets it.
  package var originName: String?
  package var editable: Bool
  /// Why it is not editable.
  package var whyNot: String?

  package init(
    key: String, label: String, kind: String, choices: [Choice]? = nil, minimum: Double? = nil, maximum: Double? = nil,
    value: SettingValue?, default: SettingValue?, defaultText: String, origin: String, originName: String? = nil,
    whyNot: String?
  ) {
    self.key = key
    self.label = label
    self.kind = kind
    self.choices = choices
    self.minimum = minimum
    self.maximum = maximum
    self.value = value
    self.default = `default`
    self.defaultText = defaultText
    self.origin = origin
    self.originName = originName
    editable = whyNot == nil
    self.whyNot = whyNot
  }
}

package enum SettingValue: Codable, Sendable, Equatable {
  case text(String)
  case integer(Int)
  case number(Double)
  case bool(Bool)

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let bool = try? container.decode(Bool.self) {
      self = .bool(bool)
    } else if let integer = try? container.decode(Int.self) {
      self = .integer(integer)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else {
      self = .text(try container.decode(String.self))
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .text(let text): try container.encode(text)
    case .integer(let integer): try container.encode(integer)
    case .number(let number): try container.encode(number)
    case .bool(let bool): try container.encode(bool)
    }
  }
}

/// Reads and changes the settings of the speaker. `Renderer` implements it.
package protocol SettingsKeeper: Sendable {
  /// The settings that the page shows. May wait for the list of outputs.
  func entries() async -> [SettingEntry]
  /// Sets a value, or forgets the page's value.
  /// - Returns: the setting afterwards.
  func set(_ key: String, to value: SettingValue?) async -> Result<SettingEntry, SettingRefusal>
}

/// Why a setting was not changed.
package enum SettingRefusal: Error, Sendable, Equatable {
  case unknown
  /// A stronger source sets it; with the reason.
  case notEditable(String)
  /// The value is invalid; with the reason.
  case wrong(String)
}

import DeviceStack

/// The contents of an event message.
struct EventedVariables: Sendable, Equatable {
  struct Key: Hashable, Sendable, CustomStringConvertible {
    var name: String
    var channel: String?

    var description: String { channel.map { "\(name)/\($0)" } ?? name }
  }

  var values: [Key: String] = [:]
  /// The namespace of LastChange; nil for an event without LastChange.
  var namespace: String?

  subscript(_ name: String, channel: String? = nil) -> String? { values[Key(name: name, channel: channel)] }

  var names: Set<String> { Set(values.keys.map(\.name)) }

  struct Unexpected: Error { var text: String }

  /// Parses a message body and its LastChange strictly (UDA 1.1 §4.3,
  /// AVTransport:1 §2.3.1).
  init(_ body: String) throws {
    for (path, text) in try XMLText.leaves(of: body) {
      guard path.count == 3, path[0] == "propertyset", path[1] == "property" else { throw Unexpected(text: body) }
      if path[2] == "LastChange" { try readLastChange(text) } else { values[Key(name: path[2])] = text }
    }
  }

  private mutating func readLastChange(_ text: String) throws {
    let elements = try XMLText.elements(of: text)
    guard elements.count >= 2, elements[0].name == "Event", elements[1].name == "InstanceID",
      elements[1].attributes == ["val": "0"]
    else { throw Unexpected(text: text) }
    namespace = elements[0].namespace
    for element in elements.dropFirst(2) {
      let key = Key(name: element.name, channel: element.attributes["channel"])
      guard let value = element.attributes["val"], element.namespace == namespace, values[key] == nil else {
        throw Unexpected(text: text)
      }
      values[key] = value
    }
  }
}

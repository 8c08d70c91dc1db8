import UPnP

/// Decodes the body of an event: a property set, and the document inside LastChange (UDA 1.1 §4.3,
/// AVTransport:1 §2.3.1, RenderingControl:1 §2.2.1).
///
/// Devices escape LastChange twice or not at all, omit namespaces, or write values as text. All of that is read and recorded.
package struct EventReader {
  private static let namespace = "urn:schemas-upnp-org:event-1-0"
  /// Variables of one event beyond this many are ignored.
  static let maximumVariables = 1000

  package struct Reading: Sendable {
    package var variables: [EventedVariable] = []
    package var deviations: [Deviation] = []
    /// Whether a part of the event could not be decoded.
    package var isIncomplete = false
  }

  private var reading = Reading()
  private var log = DeviationLog(place: "event", source: "UDA 1.1 §4.3")

  /// - Throws: if the body is not readable XML.
  package static func read(_ bytes: [UInt8]) throws(XMLReadingError) -> Reading {
    let document = try XMLDocument.read(bytes)
    var reader = EventReader()
    for repair in document.repairs { reader.log.add(repair, source: "XML 1.0 §2.4") }
    reader.propertySet(document.root)
    reader.reading.deviations = reader.log.deviations
    return reader.reading
  }

  private mutating func propertySet(_ root: XMLElement) {
    if root.name != "propertyset" { log.add("The document element is <\(root.name)> instead of <propertyset>.") }
    if root.namespace != Self.namespace {
      log.add("The namespace is \"\(root.namespace)\" instead of \(Self.namespace).")
    }
    for element in root.children {
      guard element.name == "property" else {
        log.add("<\(element.name)> is not inside a <property>.")
        property(element)
        continue
      }
      if element.children.count != 1 { log.add("A <property> has \(element.children.count) elements instead of one.") }
      for child in element.children { property(child) }
    }
  }

  private mutating func property(_ element: XMLElement) {
    if element.name == "LastChange" {
      lastChange(element)
    } else {
      add(EventedVariable(element.name, element.content))
    }
  }

  private mutating func add(_ variable: EventedVariable) {
    guard reading.variables.count < Self.maximumVariables else {
      if !reading.isIncomplete { log.add("There are more than \(Self.maximumVariables) variables.") }
      reading.isIncomplete = true
      return
    }
    reading.variables.append(variable)
  }

  // MARK: LastChange

  private mutating func lastChange(_ element: XMLElement) {
    if let event = element["Event"] {
      log.add("LastChange contains elements instead of escaped text.", source: "AVTransport:1 §2.3.1")
      return self.event(event)
    }
    var text = element.text
    // An empty LastChange reports no change.
    guard !text.isEmpty else { return }
    if text.hasPrefix("&lt;") {
      log.add("LastChange is escaped twice.", source: "AVTransport:1 §2.3.1")
      text = Self.unescaped(text)
    }
    do throws(XMLReadingError) {
      let document = try XMLDocument.read(Array(text.utf8))
      for repair in document.repairs { log.add("LastChange: \(repair)", source: "XML 1.0 §2.4") }
      event(document.root)
    } catch {
      log.add("LastChange is \(error).", source: "AVTransport:1 §2.3.1")
      reading.isIncomplete = true
    }
  }

  private mutating func event(_ root: XMLElement) {
    if root.name != "Event" {
      log.add("LastChange contains <\(root.name)> instead of <Event>.", source: "AVTransport:1 §2.3.1")
    }
    if root.namespace.isEmpty { log.add("LastChange has no namespace.", source: "AVTransport:1 §2.3.1") }
    for element in root.children {
      guard element.name == "InstanceID" else {
        log.add("\(element.name) is outside of an <InstanceID>.", source: "AVTransport:1 §2.3.1")
        variable(element)
        continue
      }
      // Ignores other instances, which are other players.
      guard Self.attribute("val", of: element) ?? "0" == "0" else { continue }
      for child in element.children { variable(child) }
    }
  }

  private mutating func variable(_ element: XMLElement) {
    let channel = Self.attribute("channel", of: element)
    if let value = Self.attribute("val", of: element) {
      return add(EventedVariable(element.name, channel: channel, value))
    }
    log.add("\(element.name) has no attribute val.", source: "AVTransport:1 §2.3.1")
    if !element.text.isEmpty { add(EventedVariable(element.name, channel: channel, element.text)) }
  }

  /// An attribute in any case, as some devices write `Channel`.
  private static func attribute(_ name: String, of element: XMLElement) -> String? {
    element.attributes[name] ?? element.attributes.first { $0.key.lowercased() == name }?.value
  }

  /// Resolves the predefined entities once.
  private static func unescaped(_ text: String) -> String {
    let entities = ["lt": "<", "gt": ">", "quot": "\"", "apos": "'", "amp": "&"]
    var result = ""
    var rest = text[...]
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      let name = rest[rest.utf8.index(after: start)...].prefix(5).prefix { $0 != ";" }
      let end = name.endIndex
      if let character = entities[String(name)], end < rest.endIndex, rest[end] == ";" {
        result += character
        rest = rest[rest.index(after: end)...]
      } else {
        result += "&"
        rest = rest[rest.utf8.index(after: start)...]
      }
    }
    return result + rest
  }
}

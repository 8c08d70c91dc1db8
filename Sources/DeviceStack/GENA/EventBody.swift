import NIOCore

/// The body of an event message (UDA 1.1 §4.3.2).
enum EventBody {
  /// - Returns: a property set that holds the given variables with their current values.
  static func build(_ variables: VariableSet, of store: VariableStore) -> ByteBuffer {
    var text = #"<?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">"#
    switch store.form {
    case .properties:
      for index in variables.indices {
        append(store.variables[index].name, XMLEscape.text(store.value(of: index)), to: &text)
      }
    case .lastChange(let namespace):
      append("LastChange", XMLEscape.text(lastChange(variables, of: store, namespace: namespace)), to: &text)
    }
    text += "</e:propertyset>"
    return ByteBuffer(string: text)
  }

  private static func append(_ name: String, _ escaped: String, to text: inout String) {
    text += "<e:property><\(name)>\(escaped)</\(name)></e:property>"
  }

  /// The document inside LastChange (AVTransport:1 §2.3.1, RenderingControl:1 §2.2.1), of the only instance, 0.
  private static func lastChange(_ variables: VariableSet, of store: VariableStore, namespace: String) -> String {
    var text = #"<Event xmlns="\#(XMLEscape.attribute(namespace))"><InstanceID val="0">"#
    for index in variables.indices {
      let variable = store.variables[index]
      let channel = variable.channel.map { #" channel="\#(XMLEscape.attribute($0))""# } ?? ""
      text += #"<\#(variable.name)\#(channel) val="\#(XMLEscape.attribute(store.value(of: index)))"/>"#
    }
    return text + "</InstanceID></Event>"
  }
}

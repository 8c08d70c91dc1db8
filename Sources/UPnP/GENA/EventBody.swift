import NIOCore

/// The body of an event message (UDA 1.1 §4.3.2).
package enum EventBody {
  package typealias LastChangeVariable = (name: String, channel: String?, value: String)

  /// A property set with these variables.
  package static func build(_ properties: some Sequence<(name: String, value: String)>) -> ByteBuffer {
    var text = #"<?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">"#
    for (name, value) in properties { append(name, XMLEscape.text(value), to: &text) }
    text += "</e:propertyset>"
    return ByteBuffer(string: text)
  }

  private static func append(_ name: String, _ escaped: String, to text: inout String) {
    text += "<e:property><\(name)>\(escaped)</\(name)></e:property>"
  }

  /// The document inside LastChange (AVTransport:1 §2.3.1, RenderingControl:1 §2.2.1), of the only instance, 0.
  package static func lastChange(_ variables: some Sequence<LastChangeVariable>, namespace: String) -> String {
    var text = #"<Event xmlns="\#(XMLEscape.attribute(namespace))"><InstanceID val="0">"#
    for variable in variables {
      let channel = variable.channel.map { #" channel="\#(XMLEscape.attribute($0))""# } ?? ""
      text += #"<\#(variable.name)\#(channel) val="\#(XMLEscape.attribute(variable.value))"/>"#
    }
    return text + "</InstanceID></Event>"
  }
}

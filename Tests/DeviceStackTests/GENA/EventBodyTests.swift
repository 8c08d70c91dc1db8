import NIOCore
import Testing
import UPnP

@testable import DeviceStack

struct EventBodyTests {
  private let open = #"<?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0">"#

  @Test func putsEachVariableInAProperty() {
    let store = VariableStore(
      form: .properties,
      initial: [(.init("One"), "1 < 2 & \"3\""), (.init("Two"), ""), (.init("Three"), "a\u{1}\r\nb")])
    #expect(
      String(buffer: EventBody.build(store.all, of: store))
        == open + "<e:property><One>1 &lt; 2 &amp; \"3\"</One></e:property><e:property><Two></Two></e:property>"
        + "<e:property><Three>a&#13;\nb</Three></e:property></e:propertyset>")
    #expect(
      String(buffer: EventBody.build(VariableSet(index: 1), of: store))
        == open + "<e:property><Two></Two></e:property></e:propertyset>")
  }

  @Test func putsAllInLastChange() {
    let store = VariableStore(
      form: .lastChange(namespace: "urn:schemas-upnp-org:metadata-1-0/RCS/"),
      initial: [
        (.init("TransportState"), "PLAYING"), (.init("Volume", channel: "Master"), "12"),
        (.init("CurrentTrackMetaData"), "<a t=\"x\ty\">&amp;\n</a>"),
      ])
    #expect(
      String(buffer: EventBody.build(store.all, of: store))
        == open + "<e:property><LastChange>"
        + "&lt;Event xmlns=\"urn:schemas-upnp-org:metadata-1-0/RCS/\"&gt;&lt;InstanceID val=\"0\"&gt;"
        + "&lt;TransportState val=\"PLAYING\"/&gt;&lt;Volume channel=\"Master\" val=\"12\"/&gt;"
        + "&lt;CurrentTrackMetaData val=\"&amp;lt;a t=&amp;quot;x&amp;#9;y&amp;quot;&amp;gt;"
        + "&amp;amp;amp;&amp;#10;&amp;lt;/a&amp;gt;\"/&gt;"
        + "&lt;/InstanceID&gt;&lt;/Event&gt;</LastChange></e:property></e:propertyset>")
  }
}

import ControlPoint

/// `decode-events [EVENTS]`: measures how many events per second the control point decodes. 20 000 events by default.
///
/// The events are those of a renderer that begins a track: LastChange with metadata and with the volume.
@main
enum DecodeEvents {
  static func main() throws {
    let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
    let bodies = [lastChange(transport), lastChange(rendering)].map { Array($0.utf8) }
    var variables = 0
    let duration = try ContinuousClock().measure {
      for number in 0..<count { variables += try EventReader.read(bodies[number % bodies.count]).variables.count }
    }
    let seconds = Double(duration.components.seconds) + Double(duration.components.attoseconds) * 1e-18
    print("\(Int(Double(count) / seconds)) events per second; \(count) events, \(variables) variables, \(duration)")
  }

  private static func lastChange(_ text: String) -> String {
    """
    <?xml version="1.0"?><e:propertyset xmlns:e="urn:schemas-upnp-org:event-1-0"><e:property><LastChange>\
    \(escaped(text))</LastChange></e:property></e:propertyset>
    """
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
  }

  private static let metadata = escaped(
    """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/"><item id="1" parentID="0" restricted="1">\
    <dc:title>A title of some length</dc:title><upnp:artist>An artist</upnp:artist><upnp:album>An album</upnp:album>\
    <res protocolInfo="http-get:*:audio/flac:*" duration="0:03:20.000">http://192.0.2.1:8200/music/1.flac</res>\
    </item></DIDL-Lite>
    """)
  private static let transport = """
    <Event xmlns="urn:schemas-upnp-org:metadata-1-0/AVT/"><InstanceID val="0"><TransportState val="PLAYING"/>\
    <CurrentTrack val="1"/><NumberOfTracks val="1"/><CurrentTrackDuration val="0:03:20"/>\
    <CurrentTrackURI val="http://192.0.2.1:8200/music/1.flac"/><CurrentTrackMetaData val="\(metadata)"/>\
    <AVTransportURI val="http://192.0.2.1:8200/music/1.flac"/><AVTransportURIMetaData val="\(metadata)"/>\
    </InstanceID></Event>
    """
  private static let rendering = """
    <Event xmlns="urn:schemas-upnp-org:metadata-1-0/RCS/"><InstanceID val="0"><Volume channel="Master" val="30"/>\
    <Mute channel="Master" val="0"/></InstanceID></Event>
    """
}

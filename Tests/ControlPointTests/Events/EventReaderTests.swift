import Testing

@testable import ControlPoint

/// Bodies of events as devices send them.
@Suite struct EventReaderTests {
  private static let namespace = #"xmlns:e="urn:schemas-upnp-org:event-1-0""#
  private static let av = #"xmlns="urn:schemas-upnp-org:metadata-1-0/AVT/""#
  private static let playing = [EventedVariable("TransportState", "PLAYING")]
  private static let plain =
    "<Event \(av)><InstanceID val=\"0\"><TransportState val=\"PLAYING\"/></InstanceID></Event>"

  private static func read(_ body: String) throws -> EventReader.Reading { try EventReader.read(Array(body.utf8)) }

  private static func set(_ property: String) -> String {
    "<e:propertyset \(namespace)><e:property>\(property)</e:property></e:propertyset>"
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  private static func lastChange(_ text: String) -> String { set("<LastChange>\(escaped(text))</LastChange>") }

  @Test func readsAPropertySet() throws {
    let reading = try Self.read(
      "<e:propertyset \(Self.namespace)><e:property><Id>7</Id></e:property>"
        + "<e:property><Metadata>&lt;a&gt; b </Metadata></e:property></e:propertyset>")
    #expect(reading.variables == [EventedVariable("Id", "7"), EventedVariable("Metadata", "<a> b ")])
    #expect(reading.deviations == [])
    #expect(!reading.isIncomplete)
  }

  @Test func readsChannelsOfTheFirstInstance() throws {
    let reading = try Self.read(
      Self.lastChange(
        """
        <Event xmlns="urn:schemas-upnp-org:metadata-1-0/RCS/"><InstanceID val="0"><Volume channel="Master" val="30"/>\
        <Volume channel="LF" val="29"/></InstanceID><InstanceID val="1"><Volume channel="Master" val="1"/></InstanceID></Event>
        """))
    let volumes = [
      EventedVariable("Volume", channel: "Master", "30"), EventedVariable("Volume", channel: "LF", "29"),
    ]
    #expect(reading.variables == volumes)
    #expect(reading.deviations == [])
  }

  @Test(arguments: [
    (escaped(plain), "LastChange is escaped twice."), (plain.replacing(av, with: ""), "no namespace"),
    (plain.replacing(" val=\"PLAYING\"/>", with: ">PLAYING</TransportState>"), "no attribute val"),
    (plain.replacing("<InstanceID val=\"0\">", with: "").replacing("</InstanceID>", with: ""), "outside"),
    (plain.replacing("\"PLAYING\"", with: "\"PLAYING\" x=\"a&b\""), "begins no entity"),
    (plain.replacing("Event", with: "event"), "<event> instead"),
  ])
  func readsAndRecordsDeviations(text: String, deviation: String) throws {
    let reading = try Self.read(Self.lastChange(text))
    #expect(reading.variables == Self.playing)
    #expect(reading.deviations.contains { $0.text.contains(deviation) }, "\(reading.deviations)")
  }

  @Test func readsUnescapedLastChange() throws {
    let reading = try Self.read(Self.set("<LastChange>\(Self.plain)</LastChange>"))
    #expect(reading.variables == Self.playing)
    #expect(reading.deviations.count == 1)
  }

  @Test func readsLastChangeInCDATA() throws {
    let reading = try Self.read(Self.set("<LastChange><![CDATA[\(Self.plain)]]></LastChange>"))
    #expect(reading.variables == Self.playing)
    #expect(reading.deviations == [])
  }

  @Test(arguments: [
    ("<propertyset><property><Id>7</Id></property></propertyset>", "namespace"),
    ("<e:propertyset><e:property><Id>7</Id></e:property></e:propertyset>", "namespace"),
    ("<e:propertyset \(namespace)><Id>7</Id></e:propertyset>", "not inside"),
  ])
  func readsPropertySetsWithDeviations(body: String, deviation: String) throws {
    let reading = try Self.read(body)
    #expect(reading.variables == [EventedVariable("Id", "7")])
    #expect(reading.deviations.contains { $0.text.contains(deviation) }, "\(reading.deviations)")
  }

  @Test(arguments: ["<Event><InstanceID", "PLAYING", "<!DOCTYPE a><a/>"])
  func reportsAnUnreadableLastChange(text: String) throws {
    let reading = try Self.read(Self.lastChange(text))
    #expect(reading.variables == [])
    #expect(reading.isIncomplete)
    #expect(reading.deviations.count == 1)
  }

  @Test func ignoresAnEmptyLastChange() throws {
    let reading = try Self.read(Self.lastChange(""))
    #expect(reading.variables == [])
    #expect(!reading.isIncomplete)
  }

  @Test func boundsTheNumberOfVariables() throws {
    let many = (0..<1200).map { "<e:property><V\($0)/></e:property>" }.joined()
    let reading = try Self.read("<e:propertyset \(Self.namespace)>\(many)</e:propertyset>")
    #expect(reading.variables.count == EventReader.maximumVariables)
    #expect(reading.isIncomplete)
  }

  @Test(arguments: ["", "no XML", "<e:propertyset"])
  func throwsForAnUnreadableBody(body: String) {
    #expect(throws: (any Error).self) { try Self.read(body) }
  }
}

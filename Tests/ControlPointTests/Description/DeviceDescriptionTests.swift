import Testing
import UPnP

@testable import ControlPoint

@Suite struct DeviceDescriptionTests {
  private static let location = HTTPURL(host: "192.0.2.1", port: 1400, target: "/dev/description.xml")

  private static func read(_ text: String) throws -> DeviceDescription {
    try DeviceDescriptionReader.read(Array(text.utf8), from: location)
  }

  private static func root(
    _ device: String, before: String = "<specVersion><major>1</major><minor>0</minor></specVersion>"
  )
    -> String
  {
    """
    <?xml version="1.0"?><root xmlns="urn:schemas-upnp-org:device-1-0" configId="7">\(before)<device>\
    <deviceType>urn:schemas-upnp-org:device:MediaRenderer:1</deviceType><friendlyName>Kitchen</friendlyName>\
    <manufacturer>Example</manufacturer><modelName>One</modelName><UDN>uuid:1</UDN>\(device)</device></root>
    """
  }

  private static func service(_ name: String, _ urls: String) -> String {
    """
    <service><serviceType>urn:schemas-upnp-org:service:\(name)</serviceType>\
    <serviceId>urn:upnp-org:serviceId:\(name)</serviceId>\(urls)</service>
    """
  }

  @Test func readsACompleteDescription() throws {
    let services =
      Self.service(
        "AVTransport:1", "<SCPDURL>a.xml</SCPDURL><controlURL>/c</controlURL><eventSubURL>../e</eventSubURL>")
      + Self.service("AVTransport:2", "<SCPDURL>/b</SCPDURL><controlURL>/d</controlURL><eventSubURL/>")
    let description = try Self.read(
      Self.root(
        """
        <presentationURL>/page</presentationURL><iconList><icon><mimetype>image/png</mimetype><width>48</width>\
        <height>32</height><depth>8</depth><url>i.png</url></icon></iconList><serviceList>\(services)</serviceList>
        """))
    #expect(description.deviations == [])
    #expect(description.configID == 7)
    #expect(description.specVersion == .init(major: 1, minor: 0))
    #expect(description.root.friendlyName == "Kitchen")
    #expect(description.root.presentationURL?.description == "http://192.0.2.1:1400/page")
    #expect(description.root.icons.first?.url.target == "/dev/i.png")
    #expect(description.root.icons.first?.width == 48)
    let first = try #require(description.root.services.first)
    #expect(first.scpdURL?.target == "/dev/a.xml")
    #expect(first.controlURL?.target == "/c")
    #expect(first.eventURL?.target == "/e")
    let best = description.root.service(try #require(URN("urn:schemas-upnp-org:service:AVTransport:1")))
    #expect(best?.type == "urn:schemas-upnp-org:service:AVTransport:2")
    #expect(best?.eventURL == nil)
  }

  @Test func readsEmbeddedDevices() throws {
    let inner = """
      <deviceList><device><deviceType>urn:schemas-upnp-org:device:X:1</deviceType><friendlyName>Inner</friendlyName>\
      <manufacturer>E</manufacturer><modelName>M</modelName><UDN>uuid:2</UDN></device></deviceList>
      """
    let description = try Self.read(Self.root(inner))
    #expect(description.root.all.map(\.friendlyName) == ["Kitchen", "Inner"])
    #expect(description.deviations == [])
  }

  /// Each description is read, with one deviation whose sentence contains the text.
  @Test(arguments: [
    (Self.root("", before: ""), "specVersion"),
    (Self.root("").replacing("uuid:1", with: "1"), "uuid:"),
    (Self.root("").replacing("Kitchen", with: ""), "friendlyName"),
    (Self.root("").replacing("Kitchen", with: "Tom & Ann"), "&amp;"),
    (Self.root("").replacing(" xmlns=\"urn:schemas-upnp-org:device-1-0\"", with: ""), "namespace"),
    (Self.root("").replacing(":MediaRenderer:1", with: ""), "deviceType"),
    (
      Self.root(
        "", before: "<specVersion><major>1</major><minor>1</minor></specVersion><URLBase>http://192.0.2.1/</URLBase>"),
      "URLBase"
    ),
    (
      Self.root(
        "<serviceList>\(Self.service("A:1", "<SCPDURL>/a</SCPDURL><eventSubURL/>"))</serviceList>"), "controlURL"
    ),
    (
      Self.root(
        "<serviceList>\(Self.service("A:1", "<SCPDURL>https://x/</SCPDURL><controlURL>/</controlURL><eventSubURL/>"))</serviceList>"
      ),
      "no http URL"
    ),
  ])
  func toleratesAndRecordsDeviations(document: String, expected: String) throws {
    let description = try Self.read(document)
    #expect(description.deviations.count == 1)
    #expect(description.deviations.first?.text.contains(expected) == true, "\(description.deviations)")
  }

  @Test func resolvesAgainstURLBase() throws {
    let description = try Self.read(
      Self.root(
        "<serviceList>\(Self.service("A:1", "<SCPDURL>a</SCPDURL><controlURL>b</controlURL><eventSubURL/>"))</serviceList>",
        before: "<specVersion><major>1</major><minor>0</minor></specVersion><URLBase>http://192.0.2.1:9/x/</URLBase>"))
    #expect(description.root.services.first?.scpdURL?.description == "http://192.0.2.1:9/x/a")
    #expect(description.deviations == [])
  }

  @Test(arguments: ["", "<root/>", "<html><body/></html>", "<root><device>", "<!DOCTYPE a [<!ENTITY b 'c'>]><root/>"])
  func refusesWhatIsNoDescription(document: String) {
    #expect(throws: DeviceDescriptionReader.Failure.self) { try Self.read(document) }
  }

  @Test func boundsWhatAHostileDescriptionMayHold() throws {
    let service = Self.service("A:1", "")
    let description = try Self.read(
      Self.root("<serviceList>\(String(repeating: service, count: 10_000))</serviceList>"))
    #expect(description.root.services.count == DeviceDescriptionReader.maximumServices)
    #expect(description.deviations.count == DeviationLog.limit)
    let devices = String(repeating: "<device/>", count: 1000)
    #expect(
      try Self.read(Self.root("<deviceList>\(devices)</deviceList>")).root.all.count
        == DeviceDescriptionReader.maximumDevices)
    let long = try Self.read(Self.root("").replacing("uuid:1", with: String(repeating: "x", count: 100_000)))
    #expect(long.deviations.allSatisfy { $0.text.count <= 300 })
    #expect(throws: DeviceDescriptionReader.Failure.unreadable(.tooComplex)) {
      try Self.read(Self.root(String(repeating: "<a/>", count: XMLDocument.maximumElements)))
    }
  }
}

@Suite struct ServiceDescriptionTests {
  private static func scpd(_ actions: String, _ variables: String) -> String {
    """
    <scpd xmlns="urn:schemas-upnp-org:service-1-0"><specVersion><major>1</major><minor>0</minor></specVersion>\
    <actionList>\(actions)</actionList><serviceStateTable>\(variables)</serviceStateTable></scpd>
    """
  }

  private static let variables = """
    <stateVariable sendEvents="yes"><name>Volume</name><dataType>ui2</dataType><allowedValueRange><minimum>0</minimum>\
    <maximum>100</maximum></allowedValueRange></stateVariable><stateVariable sendEvents="no"><name>Channel</name>\
    <dataType>string</dataType><allowedValueList><allowedValue>Master</allowedValue></allowedValueList></stateVariable>
    """
  private static let action = """
    <action><name>GetVolume</name><argumentList><argument><name>Channel</name><direction>in</direction>\
    <relatedStateVariable>Channel</relatedStateVariable></argument><argument><name>CurrentVolume</name>\
    <direction>out</direction><relatedStateVariable>Volume</relatedStateVariable></argument></argumentList></action>
    """

  private static func read(_ text: String) throws -> ServiceDescription {
    try ServiceDescriptionReader.read(Array(text.utf8), name: "RenderingControl")
  }

  @Test func readsACompleteSCPD() throws {
    let scpd = try Self.read(Self.scpd(Self.action, Self.variables))
    #expect(scpd.deviations == [])
    let action = try #require(scpd.action("GetVolume"))
    #expect(action.inputs.map(\.name) == ["Channel"])
    #expect(action.outputs.map(\.name) == ["CurrentVolume"])
    let volume = try #require(scpd.variable(of: action.outputs[0]))
    #expect(volume.isEvented)
    #expect(volume.range == .init(minimum: "0", maximum: "100", step: nil))
    #expect(scpd.variable("Channel")?.allowedValues == ["Master"])
    #expect(scpd.variable("Channel")?.isEvented == false)
  }

  @Test(arguments: [
    (Self.scpd(Self.action, Self.variables.replacing("ui2", with: "byte")), "byte"),
    (Self.scpd(Self.action.replacing(">Volume<", with: ">Loud<"), Self.variables), "Loud"),
    (Self.scpd(Self.action + Self.action, Self.variables), "twice"),
    (Self.scpd(Self.action.replacing(">in<", with: ">IN<"), Self.variables), "IN"),
    (
      Self.scpd(
        Self.action.replacing(">in<", with: ">out<").replacing(
          ">out</direction><relatedStateVariable>Volume", with: ">in</direction><relatedStateVariable>Volume"),
        Self.variables), "after output"
    ),
    (Self.scpd(Self.action, Self.variables).replacing("service-1-0", with: "service-1-1"), "namespace"),
  ])
  func toleratesAndRecordsDeviations(document: String, expected: String) throws {
    let scpd = try Self.read(document)
    #expect(scpd.deviations.count == 1)
    #expect(scpd.deviations.first?.text.contains(expected) == true, "\(scpd.deviations)")
    #expect(scpd.action("GetVolume") != nil)
  }
}

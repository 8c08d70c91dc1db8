import Testing

@testable import UPnP

struct SSDPWriterTests {
  private let writer = SSDPWriter(
    settings: SSDPSettings(product: "Linux/5.10 UPnP/1.1 Test/1.0", httpPort: 49152, bootID: 10, maxAge: 1801))
  private let announcement = Announcement(
    of: Advertisement(
      udn: "uuid:00000000-0000-0000-0000-00000000000b",
      deviceType: URN(domain: "av-openhome-org", kind: .device, name: "Source", version: 1),
      serviceTypes: [URN(domain: "av-openhome-org", kind: .service, name: "Product", version: 4)],
      descriptionPath: "/oh/description.xml", configID: 8), as: "urn:av-openhome-org:service:Product:4")

  @Test func writesAlive() {
    #expect(
      writer.notify(.alive(bootID: 11), announcement, address: "10.9.0.1")
        == "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nNT: urn:av-openhome-org:service:Product:4\r\n"
        + "NTS: ssdp:alive\r\n"
        + "USN: uuid:00000000-0000-0000-0000-00000000000b::urn:av-openhome-org:service:Product:4\r\n"
        + "CACHE-CONTROL: max-age=1801\r\nLOCATION: http://10.9.0.1:49152/oh/description.xml\r\n"
        + "SERVER: Linux/5.10 UPnP/1.1 Test/1.0\r\nBOOTID.UPNP.ORG: 11\r\nCONFIGID.UPNP.ORG: 8\r\n\r\n")
  }

  @Test func writesByebye() {
    #expect(
      writer.notify(.byebye(bootID: 11), announcement, address: "10.9.0.1")
        == "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nNT: urn:av-openhome-org:service:Product:4\r\n"
        + "NTS: ssdp:byebye\r\n"
        + "USN: uuid:00000000-0000-0000-0000-00000000000b::urn:av-openhome-org:service:Product:4\r\n"
        + "BOOTID.UPNP.ORG: 11\r\nCONFIGID.UPNP.ORG: 8\r\n\r\n")
  }

  @Test func writesUpdate() {
    #expect(
      writer.notify(.update(bootID: 11, next: 12), announcement, address: "10.9.0.1")
        == "NOTIFY * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nNT: urn:av-openhome-org:service:Product:4\r\n"
        + "NTS: ssdp:update\r\n"
        + "USN: uuid:00000000-0000-0000-0000-00000000000b::urn:av-openhome-org:service:Product:4\r\n"
        + "LOCATION: http://10.9.0.1:49152/oh/description.xml\r\nNEXTBOOTID.UPNP.ORG: 12\r\n"
        + "BOOTID.UPNP.ORG: 11\r\nCONFIGID.UPNP.ORG: 8\r\n\r\n")
  }

  @Test func writesAResponse() {
    #expect(
      writer.response(announcement, bootID: 11, address: "10.9.0.1", date: "Sun, 06 Nov 1994 08:49:37 GMT")
        == "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1801\r\nDATE: Sun, 06 Nov 1994 08:49:37 GMT\r\nEXT:\r\n"
        + "LOCATION: http://10.9.0.1:49152/oh/description.xml\r\nSERVER: Linux/5.10 UPnP/1.1 Test/1.0\r\n"
        + "ST: urn:av-openhome-org:service:Product:4\r\n"
        + "USN: uuid:00000000-0000-0000-0000-00000000000b::urn:av-openhome-org:service:Product:4\r\n"
        + "BOOTID.UPNP.ORG: 11\r\nCONFIGID.UPNP.ORG: 8\r\n\r\n")
  }

  @Test func keepsAnnouncementsForHalfAnHourAtLeast() {
    #expect(SSDPSettings(product: "", httpPort: 1, bootID: 1, maxAge: 60).maxAge == 1800)
  }
}

import Testing

@testable import UPnP

struct SOAPActionTests {
  private static let avt = "urn:schemas-upnp-org:service:AVTransport:1"

  @Test(arguments: [
    "\"\(avt)#Play\"", "\(avt)#Play", "  \"\(avt)#Play\"\t", "\"\(avt)#Play", "\"\(avt)#Play\"; charset=utf-8",
  ])
  func reads(header: String) throws {
    let action = try #require(SOAPAction(header))
    #expect(action.serviceType.description == Self.avt)
    #expect(action.action == "Play")
  }

  @Test(arguments: [
    "", "\"", "\"\"", "#", "Play", "#Play", avt, "\"\(avt)\"", "\(avt)#", "\"\(avt)#\"",
    "urn:schemas-upnp-org:device:MediaRenderer:1#Play", "urn:schemas-upnp-org:service:AVTransport:#Play",
    "'\(avt)#Play'",
  ])
  func refuses(header: String) { #expect(SOAPAction(header) == nil) }
}

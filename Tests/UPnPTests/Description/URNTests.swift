import Testing

@testable import UPnP

struct URNTests {
  @Test(arguments: [
    ("urn:schemas-upnp-org:device:MediaRenderer:1", "schemas-upnp-org", URN.Kind.device, "MediaRenderer", 1),
    ("urn:av-openhome-org:service:Product:12", "av-openhome-org", .service, "Product", 12),
  ])
  func readsAndWrites(text: String, domain: String, kind: URN.Kind, name: String, version: Int) throws {
    let urn = try #require(URN(text))
    #expect(urn == URN(domain: domain, kind: kind, name: name, version: version))
    #expect(urn.description == text)
  }

  @Test(arguments: [
    "", "urn", "urn:a:device:b", "urn:a:device:b:1:2", "urn:a:device:b:", "urn:a:device:b:0", "urn:a:device:b:-1",
    "urn:a:device:b:+1", "urn:a:device:b:1.0", "urn:a:device:b:x", "urn:a:device:b: 1", "urn::device:b:1",
    "urn:a:device::1", "urn:a:Device:b:1", "URN:a:device:b:1", "urn:a:thing:b:1", " urn:a:device:b:1",
    "urn:a:device:b:99999999999999999999", "upnp:rootdevice", "uuid:1", "urn:a:device:b:١",
  ])
  func refuses(text: String) { #expect(URN(text) == nil) }

  @Test(arguments: [
    ("urn:a:service:b:2", true), ("urn:a:service:b:1", true), ("urn:a:service:b:3", false),
    ("urn:c:service:b:2", false),
    ("urn:a:device:b:2", false), ("urn:a:service:d:2", false),
  ])
  func satisfiesItsOwnVersionAndEarlierOnes(asked: String, satisfied: Bool) throws {
    let ours = try #require(URN("urn:a:service:b:2"))
    #expect(ours.satisfies(try #require(URN(asked))) == satisfied)
  }
}

import Testing
import UPnP

struct DIDLFilterTests {
  @Test(
    arguments: [
      ("*", ["upnp:album": true, "res": true]),
      ("dc:creator,*", ["upnp:album": true]),
      ("", ["upnp:album": false, "res": false]),
      ("upnp:album", ["upnp:album": true, "res": false]),
      (" upnp:album , res ", ["upnp:album": true, "res": true]),
      ("res@duration", ["res": true, "upnp:album": false]),
      ("upnp:artist@role", ["upnp:artist": true]),
    ])
  func elementsAreSelected(filter: String, expected: [String: Bool]) {
    for (element, isIncluded) in expected { #expect(DIDLFilter(filter).includes(element) == isIncluded) }
  }

  @Test(
    arguments: [
      ("*", "duration", "res", true), ("res", "duration", "res", false), ("res@duration", "duration", "res", true),
      ("res@duration", "size", "res", false), ("@childCount", "childCount", "container", true),
      ("container@childCount", "childCount", "container", true), ("container@childCount", "childCount", "item", false),
      ("@duration", "duration", "res", false), ("", "childCount", "container", false),
    ])
  func attributesAreSelected(filter: String, attribute: String, element: String, isIncluded: Bool) {
    #expect(DIDLFilter(filter).includes(attribute, of: element) == isIncluded)
  }
}

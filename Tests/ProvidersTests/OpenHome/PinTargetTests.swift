import Testing

@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore

@Suite struct PinTargetTests {
  private static let escaped = "http%3A%2F%2Fradio%2Flive%3Fa%3D1%26b%3D%C3%BC"

  private static func target(_ mode: String, _ type: String, _ uri: String) throws(PinFault) -> PinTarget {
    try PinTarget(Pin(mode: mode, type: type, uri: uri))
  }

  @Test(
    arguments: [
      ("url", "stream", "url://stream?version=1&path=\(escaped)", .stream(uri: "http://radio/live?a=1&b=ü")),
      ("url", "stream", "url://stream?path=\(escaped)&version=1", .stream(uri: "http://radio/live?a=1&b=ü")),
      ("url", "", "url://stream?version=1&path=https%3A%2F%2Fradio%2F", .stream(uri: "https://radio/")),
      // Not encoded: the address extends to the end.
      ("url", "stream", "url://stream?version=1&path=http://radio/?a=1&b=2", .stream(uri: "http://radio/?a=1&b=2")),
      // A plain HTTP address.
      ("url", "stream", "http://radio/%41?path=x", .stream(uri: "http://radio/%41?path=x")),
      ("url", "stream", "HTTP://radio/", .stream(uri: "HTTP://radio/")),
      ("playlist", "m3u", "http://nas/list.m3u", .playlist(uri: "http://nas/list.m3u")),
      ("playlist", "", "playlist://m3u?version=1&path=http%3A%2F%2Fnas%2Fa.m3u", .playlist(uri: "http://nas/a.m3u")),
      ("transport", "source", "transport://source?version=1&id=Radio", .source(.radio)),
      ("transport", "source", "transport://source?udn=4c494e4e-0026&id=playlist&version=1", .source(.playlist)),
      ("transport", "source", "transport://source?id=UPnP%20AV", .source(.upnpAV)),
      ("transport", "", "transport://source?id=UpnpAv", .source(.upnpAV)),
      ("radio", "preset", "radio://preset?version=1&id=1", .preset(1)),
      (
        "upnp.cd", "container", "upnp.cd://container?version=1&udn=4d69&id=64%241%2F%3D",
        .folder(PinFolder(server: "4d69", id: "64$1/=", isContainer: true))
      ),
      (
        "upnp.cd", "", "upnp.cd://x?version=1&udn=uuid%3A4d69&trackId=7",
        .folder(PinFolder(server: "4d69", id: "7", isContainer: false))
      ),
      ("radio", "preset", "radio://preset?id=100&version=1", .preset(100)),
    ] as [(String, String, String, PinTarget)])
  func validPinsHaveTarget(_ mode: String, _ type: String, _ uri: String, _ target: PinTarget) throws {
    #expect(try Self.target(mode, type, uri) == target)
  }

  @Test(
    arguments: [
      ("", "stream", "http://radio/", .modeNotSupported), ("tidal", "album", "tidal://album?id=1", .modeNotSupported),
      ("URL", "stream", "http://radio/", .modeNotSupported),
      ("url", "stream", "", .uriNotSupported), ("url", "stream", "radio", .uriNotSupported),
      ("url", "stream", "http://", .uriNotSupported), ("url", "stream", "ftp://radio/", .uriNotSupported),
      ("url", "stream", "file:///etc/passwd", .uriNotSupported), ("url", "album", "http://radio/", .uriNotSupported),
      ("url", "stream", "url://stream?version=1", .uriNotSupported),
      ("url", "stream", "url://stream?version=1&path=", .uriNotSupported),
      ("url", "stream", "url://stream?version=1&path=%FF", .uriNotSupported),
      ("url", "stream", "url://album?version=1&path=\(escaped)", .uriNotSupported),
      ("url", "stream", "url://stream?version=1&path=url%3A%2F%2Fstream", .uriNotSupported),
      ("url", "stream", "transport://source?id=Radio", .uriNotSupported),
      ("playlist", "m3u", "playlist://m3u?version=1", .uriNotSupported), ("playlist", "m3u", "", .uriNotSupported),
      ("transport", "source", "transport://source?version=1", .uriNotSupported),
      ("transport", "source", "transport://source?id=1", .uriNotSupported),
      ("transport", "source", "transport://input?id=Radio", .uriNotSupported),
      ("radio", "preset", "radio://preset?id=0", .uriNotSupported),
      ("upnp.cd", "", "upnp.cd://container?version=1&id=1", .uriNotSupported),
      ("upnp.cd", "", "upnp.cd://container?version=1&udn=a&id=", .uriNotSupported),
      ("upnp.cd", "", "http://nas/", .uriNotSupported),
      ("radio", "preset", "radio://preset?id=101", .uriNotSupported),
      ("radio", "preset", "radio://preset?id=one", .uriNotSupported),
      ("radio", "preset", "radio://preset?version=1", .uriNotSupported),
      ("radio", "stream", "radio://stream?id=1", .uriNotSupported), ("radio", "preset", "", .uriNotSupported),
      ("transport", "source", "Radio", .uriNotSupported), ("transport", "source", "", .uriNotSupported),
    ] as [(String, String, String, PinFault)])
  func invalidPinsAreRefused(_ mode: String, _ type: String, _ uri: String, _ fault: PinFault) {
    #expect(throws: fault) { try Self.target(mode, type, uri) }
  }
}

import Testing

@testable import Renderer

@Suite struct SpellingTests {
  private static let names = ["name", "output", "device_release", "hooks.play", "hooks.stop", "port", "log_level"]

  @Test(arguments: [
    ("nmae", "name"), ("names", "name"), ("Output", "output"), ("devicerelease", "device_release"),
    ("device-release", "device_release"), ("hooks.paly", "hooks.play"), ("hook.stop", "hooks.stop"),
    ("loglevel", "log_level"), ("prot", "port"), ("friendly_name", "name"), ("level", "log_level"),
    ("on", nil), ("x", nil), ("colour", nil), ("", nil),
  ])
  func findsTheNearestName(name: String, nearest: String?) {
    #expect(name.nearest(of: Self.names) == nearest)
  }
}

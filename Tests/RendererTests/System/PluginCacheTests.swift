import Testing

@testable import Renderer

struct PluginCacheTests {
  @Test(
    arguments: [
      (["CACHE_DIRECTORY": "/var/cache/swiftlet", "HOME": "/root"], "/var/cache/swiftlet"),
      (["CACHE_DIRECTORY": "/var/cache/a:/var/cache/b"], "/var/cache/a"),
      (["XDG_CACHE_HOME": "/tmp/cache", "HOME": "/home/a"], "/tmp/cache/swiftlet"),
      (["HOME": "/home/a"], "/home/a/.cache/swiftlet"),
      (["XDG_CACHE_HOME": "cache"], nil),
      (["HOME": ""], nil),
      ([:], nil),
    ] as [([String: String], String?)])
  func theFolderIsTheServicesOrTheUsers(environment: [String: String], folder: String?) {
    #expect(PluginCache.folder(environment) == folder)
  }
}

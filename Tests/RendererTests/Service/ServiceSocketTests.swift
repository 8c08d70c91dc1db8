import Glibc
import Testing

@testable import Renderer

@Suite struct ServiceSocketTests {
  @Test func sendsInOneDatagramToAPath() async throws {
    let folder = try TemporaryFolder()
    let manager = try ListeningManager(folder.path + "/notify")
    #expect(try #require(ServiceSocket(manager.path)).send([.ready, .status("here")]) == 0)
    #expect(await manager.next() == "READY=1\nSTATUS=here\n")
  }

  @Test func sendsToAnAbstractName() async throws {
    let manager = try ListeningManager("@swiftlet-test/\(getpid())")
    #expect(try #require(ServiceSocket(manager.path)).send([.watchdog]) == 0)
    #expect(await manager.next() == "WATCHDOG=1\n")
  }

  @Test func reportsAMissingListener() async throws {
    let folder = try TemporaryFolder()
    #expect(try #require(ServiceSocket(folder.path + "/nobody")).send([.ready]) == ENOENT)
    #expect(try #require(ServiceSocket("@swiftlet-test/nobody")).send([.ready]) == ECONNREFUSED)
  }

  @Test(arguments: ["", "/", "@", "run/notify", "vsock:2:1234", "/" + String(repeating: "x", count: 107)])
  func refusesInvalidAddresses(path: String) {
    #expect(ServiceSocket(path) == nil)
  }

  @Test func acceptsTheLongestAddress() {
    #expect(ServiceSocket("/" + String(repeating: "x", count: 106)) != nil)
  }
}

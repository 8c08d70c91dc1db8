import Logging
import Playback
import Testing

@testable import swiftlet

@Suite struct DeviceIdentityTests {
  private static func open(_ folder: TemporaryFolder) throws -> DeviceIdentity {
    try DeviceIdentity(
      folder: StateFolder(path: folder.path), logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
  }

  @Test func isTheSameAfterARestartAndCountsTheStarts() throws {
    let folder = try TemporaryFolder()
    let first = try Self.open(folder)
    first.keep(port: 49_321)
    let second = try Self.open(folder)
    #expect(second.rendererUUID == first.rendererUUID)
    #expect(second.port == 49_321)
    #expect((first.bootID, second.bootID) == (1, 2))
    second.keep(bootID: 9)
    #expect(try Self.open(folder).bootID == 10)
  }

  @Test func setsAsideWhatItCannotRead() throws {
    let folder = try TemporaryFolder()
    folder.write("gibberish", to: "device")
    let first = try Self.open(folder)
    let aside = try #require(folder.files.first { $0.hasPrefix("device.unreadable-") })
    #expect(folder.read(aside) == "gibberish")
    #expect(try Self.open(folder).rendererUUID == first.rendererUUID)
  }

  @Test func differsFromADeviceInAnotherFolder() throws {
    #expect(try Self.open(TemporaryFolder()).rendererUUID != Self.open(TemporaryFolder()).rendererUUID)
  }
}

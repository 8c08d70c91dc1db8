import Logging
import PlaybackStore
import Testing

@testable import Renderer

@Suite struct DeviceIdentityTests {
  /// Calls the body with the identity of one run.
  private static func run<T>(
    _ folder: TemporaryFolder, _ body: (DeviceIdentity, StateStore) throws -> T
  ) async throws -> T {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let store = try StateStore(folder: StateFolder(path: folder.path), logger: logger)
    let result = try body(DeviceIdentity(store: store, logger: logger), store)
    await store.shutdown()
    return result
  }

  @Test func survivesARestartAndCountsBoots() async throws {
    let folder = try TemporaryFolder()
    let uuid = try await Self.run(folder) { identity, _ in
      #expect(identity.bootID == 1)
      identity.keep(port: 49_321)
      return identity.rendererUUID
    }
    try await Self.run(folder) { identity, _ in
      #expect(identity.rendererUUID == uuid)
      #expect(identity.port == 49_321)
      #expect(identity.bootID == 2)
      identity.keep(bootID: 9)
    }
    try await Self.run(folder) { identity, _ in #expect(identity.bootID == 10) }
  }

  @Test func damagedIdentityIsSetAsideAndReplaced() async throws {
    let folder = try TemporaryFolder()
    var gibberish = StateText()
    gibberish.add("seed", "gibberish")
    try await Self.run(folder) { _, store in try store.commit(gibberish, as: "device") }
    let uuid = try await Self.run(folder) { identity, _ in identity.rendererUUID }
    try await Self.run(folder) { identity, store in
      #expect(identity.rendererUUID == uuid)
      #expect(store.load("device.unreadable") == gibberish)
    }
  }

  @Test func everyFolderHasItsOwnIdentity() async throws {
    let first = try await Self.run(TemporaryFolder()) { identity, _ in identity.rendererUUID }
    let second = try await Self.run(TemporaryFolder()) { identity, _ in identity.rendererUUID }
    #expect(first != second)
  }
}

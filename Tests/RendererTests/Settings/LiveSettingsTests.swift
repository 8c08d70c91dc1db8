import PlaybackStore
import Testing

@testable import Renderer

@Suite struct LiveSettingsTests {
  private let folder: TemporaryFolder
  private let updates = ConfigurationUpdates()

  init() throws { folder = try TemporaryFolder() }

  private func settings(_ text: String = "", environment: [String: String] = [:], page: String = "") throws
    -> (LiveSettings, StateFile, LogOutput)
  {
    let log = LogOutput(level: .info, descriptor: -1)
    let file = StateFile(PageFile.name, in: try StateFolder(path: folder.path), logger: log.logger())
    let owner = ConfigurationReading(file: ConfigurationFile(path: "f", text: text), environment: environment)
    let page = PageFile(path: file.path, text: page)
    let inForce = owner.adding(page.settings, path: page.path).configuration
    return (
      LiveSettings(owner: owner, page: page, inForce: inForce, updates: updates, log: log, file: file), file, log
    )
  }

  private static func owner(_ text: String) -> ConfigurationReading {
    ConfigurationReading(file: ConfigurationFile(path: "f", text: text))
  }

  private var keys: ConfigurationKeys { .shared }

  @Test func aValueIsInForceAtOnceAndAfterAReload() async throws {
    let (settings, _, _) = try settings("name = \"File\"")
    var sent = updates.subscribe().makeAsyncIterator()
    let entry = try settings.set(keys.name, to: .text("Page"))
    #expect(entry.value == .text("Page"))
    #expect(entry.origin == .page(path: "\(folder.path)/page.toml"))
    #expect(await sent.next()?.name == "Page")
    #expect(settings.reload(Self.owner("name = \"Other\"\nroom = \"Attic\"")).applied == ["room"])
    #expect(await sent.next()?.name == "Page")
    let reset = try settings.set(keys.name, to: nil)
    #expect(reset.value == .text("Other"))
    #expect(reset.origin == .file(path: "f", line: 1))
    #expect(await sent.next()?.name == "Other")
  }

  @Test func aStrongerOriginKeepsItsValue() async throws {
    let (settings, _, _) = try settings(environment: ["SWIFTLET_NAME": "Outside"], page: "name = \"Page\"")
    let entry = try #require(settings.entries.first { $0.key.name == "name" })
    #expect(entry.origin == .environment(variable: "SWIFTLET_NAME"))
    #expect(entry.value == .text("Outside"))
    #expect(settings.entries.first { $0.key.name == "room" }?.origin == .fallback)
  }

  @Test func aContradictionChangesNothing() throws {
    let (settings, _, _) = try settings("startup_volume = 60")
    let problem = #expect(throws: ValueProblem.self) { try settings.set(keys.maximumVolume, to: .integer(50)) }
    #expect(
      problem?.reasons.map(\.sentence) == ["Not in force: 60 is more than max_volume, which is 50."])
    #expect(settings.entries.first { $0.key.name == "max_volume" }?.value == .integer(100))
  }

  /// A setting of the page does not undo a refresh of the presets.
  @Test func refreshedPresetsStay() async throws {
    let (settings, _, _) = try settings()
    let presets = "presets = [{ title = \"A\", uri = \"http://a\" }]"
    #expect(settings.reloadPresets(Self.owner(presets)))
    #expect(!settings.reloadPresets(Self.owner(presets)))
    var sent = updates.subscribe().makeAsyncIterator()
    _ = try settings.set(keys.room, to: .text("Attic"))
    #expect(await sent.next()?.presets.count == 1)
  }

  @Test func theFileHoldsWhatWasSetLast() async throws {
    let (settings, file, _) = try settings()
    for room in ["A", "B", "C"] { _ = try settings.set(keys.room, to: .text(room)) }
    let running = Task { await file.run() }
    let end = ContinuousClock.now + .seconds(30)
    while folder.read(PageFile.name)?.contains("room = \"C\"") != true, .now < end {
      try await Task.sleep(for: .milliseconds(5))
    }
    #expect(folder.read(PageFile.name)?.contains("room = \"C\"") == true)
    #expect(folder.files == [PageFile.name])
    running.cancel()
  }

  @Test func aDamagedFileIsSetAsideAndItsValidSettingsStay() async throws {
    let text = "room = \"A\"\nport = 1\n"
    folder.write(text, to: PageFile.name)
    let (settings, _, log) = try settings(page: text)
    #expect(settings.entries.first { $0.key.name == "room" }?.value == .text("A"))
    #expect(folder.files.count == 1)
    #expect(folder.files[0].hasPrefix("page.toml.unreadable-"))
    #expect(log.problems.count == 2)
  }
}

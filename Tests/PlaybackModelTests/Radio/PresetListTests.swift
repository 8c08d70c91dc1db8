import Testing

@testable import PlaybackModel

@Suite struct PresetListTests {
  private static func preset(_ name: String) -> RadioPreset { RadioPreset(title: name, uri: "http://radio/\(name)") }

  /// Two presets of the configuration, and three others.
  private static let list = PresetList(configured: ["A", "B"].map(preset), own: ["c", "d", "e"].map(preset))

  private func titles(_ list: PresetList) -> String {
    list.presets.ids.compactMap { list.presets[$0]?.title }.joined()
  }

  private func id(_ title: Character) -> UInt32 {
    Self.list.presets.ids.first { Self.list.presets[$0]?.title == String(title) } ?? 0
  }

  @Test func onlyThoseOfTheConfigurationAreReadOnly() {
    #expect(Self.list.presets.ids.map(Self.list.isReadOnly) == [true, true, false, false, false])
    #expect(Self.list.isReadOnly(7))
  }

  @Test func othersAreAddedChangedAndRemoved() throws {
    var list = Self.list
    let added = try list.add(Self.preset("f"))
    #expect(titles(list) == "ABcdef")
    let changed = try list.change(id("d"), to: Self.preset("D"))
    #expect(titles(list) == "ABcDef")
    #expect(list.presets[changed] == Self.preset("D"))
    try list.remove(added)
    #expect(titles(list) == "ABcDe")
    list.setConfigured([Self.preset("Z")])
    #expect(titles(list) == "ZcDe")
    #expect(list.own == ["c", "D", "e"].map(Self.preset))
  }

  @Test(
    arguments: [
      ("0", "ABxcde"), ("A", "ABxcde"), ("c", "ABcxde"), ("e", "ABcdex"),
    ] as [(Character, String)])
  func othersAreAddedInTheirPlace(after: Character, titles: String) throws {
    var list = Self.list
    let added = try list.add(Self.preset("x"), after: id(after))
    #expect(self.titles(list) == titles && list.presets[added] == Self.preset("x"))
    #expect(throws: PresetError.unknown) { try list.add(Self.preset("y"), after: 7) }
  }

  @Test(
    arguments: [
      ("c", "d", "ABdce"), ("e", "0", "ABecd"), ("e", "B", "ABecd"), ("c", "e", "ABdec"), ("d", "c", "ABcde"),
    ] as [(Character, Character, String)])
  func othersAreMoved(id moved: Character, after: Character, titles: String) throws {
    var list = Self.list
    try list.move(id(moved), after: id(after))
    #expect(self.titles(list) == titles)
    #expect(Set(list.presets.ids) == Set(Self.list.presets.ids))
  }

  @Test(
    arguments: [
      ("A", "c", .readOnly), ("x", "c", .unknown), ("c", "c", .unknown),
    ] as [(Character, Character, PresetError)])
  func refusedChangesChangeNothing(id moved: Character, after: Character, error: PresetError) {
    var list = Self.list
    #expect(throws: error) { try list.move(id(moved), after: id(after)) }
    guard moved != after else { return }
    #expect(throws: error) { try list.remove(id(moved)) }
    #expect(throws: error) { try list.change(id(moved), to: Self.preset("y")) }
    #expect(list == Self.list)
  }

  /// Two equal presets, one of the configuration and one added, have different ids.
  @Test func idsDoNotClash() throws {
    var list = PresetList(configured: [Self.preset("A")])
    let id = try list.add(Self.preset("A"))
    #expect(list.presets.ids.count == 2)
    #expect(list.presets.ids[0] != id)
    #expect(!list.isReadOnly(id))
  }

  @Test func allTogetherAreAtMostAHundred() throws {
    var list = PresetList(configured: (0..<99).map { Self.preset("\($0)") })
    _ = try list.add(Self.preset("x"))
    #expect(throws: PresetError.full) { try list.add(Self.preset("y")) }
    list.setConfigured((0..<100).map { Self.preset("\($0)") })
    #expect(list.presets.count == 100)
    #expect(list.own == [Self.preset("x")])
  }
}

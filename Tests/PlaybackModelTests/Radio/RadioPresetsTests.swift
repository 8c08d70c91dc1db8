import Testing

@testable import PlaybackModel

@Suite struct RadioPresetsTests {
  private let first = RadioPreset(title: "First", uri: "http://radio/1", artwork: "http://radio/1.png")
  private let second = RadioPreset(title: "Second", uri: "http://radio/2")

  @Test func presetIDsAreUnique() {
    let presets = RadioPresets([first, second, first])
    #expect(presets.count == 3)
    #expect(Set(presets.ids).count == 3)
    #expect(presets.ids.allSatisfy { (1...UInt32(Int32.max)).contains($0) })
    #expect(presets.ids.map { presets[$0] } == [first, second, first])
    #expect(presets[0] == nil)
  }

  /// Controllers cache presets by id, also over restarts of the speaker.
  @Test func idDependsOnPresetContents() {
    let before = RadioPresets([first, second])
    #expect(RadioPresets([second, first]).ids == before.ids.reversed())
    #expect(before.ids == [1_971_780_783, 606_154_653])
    for change in [
      RadioPreset(title: "Other", uri: first.uri, artwork: first.artwork),
      RadioPreset(title: first.title, uri: "http://radio/3", artwork: first.artwork),
      RadioPreset(title: first.title, uri: first.uri),
    ] {
      let after = RadioPresets([change, second])
      #expect(after.ids[0] != before.ids[0])
      #expect(after.ids[1] == before.ids[1])
    }
  }

  @Test func tokenChangesWithIDs() {
    let presets = RadioPresets([first, second])
    #expect(RadioPresets([first, second]).token == presets.token)
    for others in [[second, first], [first], [], [first, second, second]] {
      #expect(RadioPresets(others).token != presets.token)
    }
  }

  @Test func idArrayHasFixedSize() {
    #expect(RadioPresets().idArray == Array(repeating: 0, count: 400))
    let presets = RadioPresets([first, second])
    #expect(presets.idArray.count == 400)
    let expected = presets.ids.flatMap { id in [24, 16, 8, 0].map { UInt8(id >> $0 & 255) } }
    #expect(Array(presets.idArray.prefix(8)) == expected)
    #expect(presets.idArray.dropFirst(8).allSatisfy { $0 == 0 })
  }

  @Test func presetsAreLimitedToHundred() {
    let many = (0..<150).map { RadioPreset(title: "\($0)", uri: "http://radio/\($0)") }
    let presets = RadioPresets(many)
    #expect(presets.count == 100)
    #expect(presets.ids.compactMap { presets[$0] } == Array(many.prefix(100)))
    #expect(presets.idArray.count == 400)
  }

  @Test func firstPresetIsFoundByURI() {
    let again = RadioPreset(title: "Again", uri: first.uri)
    let presets = RadioPresets([second, first, again])
    #expect(presets.id(ofURI: first.uri) == presets.ids[1])
    #expect(presets.id(ofURI: "http://radio/9") == nil)
  }
}

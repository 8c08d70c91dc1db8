import PlaybackModel
import Testing

@testable import SpeakerCore

@Suite struct SpeakerSectionsTests {
  private static let names: [(SpeakerSections, String)] = [
    (.identity, "identity"), (.source, "source"), (.playing, "playing"), (.position, "position"), (.format, "format"),
    (.output, "output"), (.volume, "volume"), (.modes, "modes"), (.queue, "queue"), (.presets, "presets"),
    (.pins, "pins"), (.equalizer, "equalizer"), (.alarms, "alarms"), (.announcement, "announcement"),
  ]

  /// What each change of the player makes stale, written by hand.
  @Test(arguments: [
    (PlayerChanges.state, "playing position format"), (.item, "source playing position format queue presets"),
    (.next, "playing"), (.duration, "playing position"), (.position, "position"),
    (.streamInfo, "playing position format"), (.title, "playing"), (.error, "playing"), (.capabilities, "playing"),
    (.repeatsOne, ""), (.finished, ""), (.volume, "volume"), (.mute, "volume"), (.balance, "volume"),
    (.volumeLimit, "volume"), (.source, "source playing position format queue presets"),
    (.standby, "source playing"), (.list, ""), (.output, "output"), (.signalPath, "output"),
    (.announcement, "announcement"),
    (PlayerChanges([.volume, .title]), "playing volume"),
  ])
  func aChangeMakesItsSectionsStale(changes: PlayerChanges, sections: String) {
    let stale = SpeakerSections(changes)
    #expect(Self.names.filter { stale.contains($0.0) }.map(\.1).joined(separator: " ") == sections)
  }

  @Test func allSectionsAreKnown() {
    #expect(Self.names.reduce(into: SpeakerSections()) { $0.insert($1.0) } == .all)
  }
}

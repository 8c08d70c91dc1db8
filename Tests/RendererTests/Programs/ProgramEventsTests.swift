import FoundationEssentials
import PlaybackModel
import Testing

@testable import Renderer

@Suite struct ProgramEventsTests {
  // MARK: Lines

  @Test(
    arguments: [
      (
        "title=A\nartist=B\nalbum=C\nart=http://h/c\nduration=200\nposition=5\n",
        [.track(title: "A", artist: "B", album: "C", artURL: "http://h/c"), .progress(.seconds(5), of: .seconds(200))]
      ),
      ("title=A\nstate=playing\n", [.track(title: "A", artist: nil, album: nil, artURL: nil), .playing(true)]),
      (
        "title=A = B\nposition=1\ntitle=A = B\nposition=2\n",
        [
          .track(title: "A = B", artist: nil, album: nil, artURL: nil), .progress(.seconds(1), of: nil),
          .progress(.seconds(2), of: nil),
        ]
      ),
      ("volume=40\nvolume=101\nvolume=x\nstate=other\nposition=-1\nnonsense\n=\n", [.volume(40)]),
      ("state=paused\n", [.playing(false)]),
      ("title=unfinished", []),
    ] as [(String, [ProgramEvent])])
  func linesAreEvents(text: String, events: [ProgramEvent]) {
    var whole = TextEvents()
    #expect(whole.add(Array(text.utf8)) == events)
    var parts = TextEvents()
    #expect(text.utf8.flatMap { parts.add([$0]) } == events)
  }

  @Test func aLineWithoutEndDoesNotGrow() {
    var lines = LineSplitter()
    #expect(lines.add([UInt8](repeating: 0x61, count: 100_000)).isEmpty)
    #expect(lines.add([0x0A]).map(\.count) == [4096])
  }

  /// Regression: a line of any length was shown whole.
  @Test func aLongLineIsShownInPart() throws {
    let slot = ProgramSlot(ProgramDescription(name: try #require(ProgramName("X")), command: ["x"]))
    slot.add(line: String(repeating: "ä", count: 3_000))
    slot.add(line: "short")
    #expect(slot.lines == [String(repeating: "ä", count: 300) + "…", "short"])
  }

  // MARK: shairport-sync

  private static func item(_ code: String, _ data: [UInt8]) -> String {
    let hex = code.utf8.map { String($0, radix: 16) }.joined()
    let body = data.isEmpty ? "" : "\n<data encoding=\"base64\">\n\(Data(data).base64EncodedString())</data>"
    return "<item><type>73736e63</type><code>\(hex)</code><length>\(data.count)</length>\(body)</item>\n"
  }

  private static func item(_ code: String, _ text: String) -> String { item(code, Array(text.utf8)) }

  private static let rows: [(String, [ProgramEvent])] = [
    (
      item("mdst", "1") + item("asal", "First") + item("asar", "The Author") + item("minm", "Rock & Roll")
        + item("mden", "1"),
      [.track(title: "Rock & Roll", artist: "The Author", album: "First", artURL: nil)]
    ),
    (
      item("mdst", "1") + item("minm", "A") + item("mden", "2") + item("mdst", "3") + item("mden", "3"),
      [
        .track(title: "A", artist: nil, album: nil, artURL: nil),
        .track(title: nil, artist: nil, album: nil, artURL: nil),
      ]
    ),
    (item("PICT", [0xFF, 0xD8, 0xFF]), [.art([0xFF, 0xD8, 0xFF])]),
    (item("PICT", ""), [.art([])]),
    // Frames of RTP wrap.
    (item("prgr", "4294879096/44100/8776"), [.progress(.seconds(3), of: .milliseconds(2199))]),
    (item("prgr", "44100/88200/4454100"), [.progress(.seconds(1), of: .seconds(100))]),
    (item("prgr", "1/2"), []),
    // Recorded from shairport-sync 3.3.8 with PulseAudio 16.1.
    (
      """
      <item><type>73736e63</type><code>70766f6c</code><length>19</length>
      <data encoding="base64">
      MC4wMCwwLjAwLDAuMDAsMC4wMA==</data></item>
      """, [.volume(100)]
    ),
    (item("pvol", "-30.00,0,0,0"), [.volume(0)]), (item("pvol", "-15.00,0,0,0"), [.volume(50)]),
    (item("pvol", "-144.00,0,0,0"), [.volume(0)]), (item("pvol", "x"), []), (item("pvol", "nan"), []),
    (item("pbeg", "") + item("pend", ""), [.playing(true), .playing(false)]),
    ("<item><code>zz</code></item><item></item>", []),
  ]

  @Test(arguments: rows) func itemsAreEvents(text: String, events: [ProgramEvent]) {
    var whole = ShairportEvents()
    #expect(whole.add(Array(text.utf8)) == events)
    var parts = ShairportEvents()
    #expect(text.utf8.flatMap { parts.add([$0]) } == events)
  }

  @Test func endlessItemsDoNotGrow() {
    var events = ShairportEvents()
    for _ in 0..<20 { #expect(events.add([UInt8](repeating: 0x41, count: 1 << 20)).isEmpty) }
    #expect(events.add(Array(Self.item("PICT", [0xFF, 0xD8, 0xFF]).utf8)).count == 1)
  }

  @Test(arguments: 0...100) func volumesAreTranslatedBothWays(step: Int) {
    #expect(AirPlayVolume.step(of: AirPlayVolume.decibels(of: step)) == step)
  }

  // MARK: librespot

  @Test func librespotsEnvironmentBecomesLines() {
    let track = LibrespotEvent.lines([
      "PLAYER_EVENT": "track_changed", "NAME": "Rock\nRoll", "ARTISTS": "One\nTwo", "ALBUM": "First",
      "COVERS": "https://h/large\nhttps://h/small", "DURATION_MS": "200500",
    ])
    #expect(
      track == [
        "title=Rock, Roll", "artist=One, Two", "album=First", "art=https://h/large", "duration=200.5", "position=0",
      ])
    #expect(
      LibrespotEvent.lines(["PLAYER_EVENT": "playing", "POSITION_MS": "1500"]) == ["position=1.5", "state=playing"])
    #expect(LibrespotEvent.lines(["PLAYER_EVENT": "paused", "POSITION_MS": "0"]) == ["position=0.0", "state=paused"])
    #expect(LibrespotEvent.lines(["PLAYER_EVENT": "stopped"]) == ["state=paused"])
    #expect(LibrespotEvent.lines(["PLAYER_EVENT": "volume_changed", "VOLUME": "1"]) == [])
    #expect(LibrespotEvent.lines([:]) == [])
  }
}

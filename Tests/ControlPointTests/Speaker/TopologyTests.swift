import Testing

@testable import ControlPoint

/// Sources, rooms and volume scales.
@Suite struct TopologyTests {
  @Test(
    arguments: [
      (
        """
        <SourceList><Source><Name>Music</Name><Type>Playlist</Type><Visible>true</Visible><SystemName>pl</SystemName>\
        </Source><Source><Name>AV</Name><Type>UpnpAv</Type><Visible>false</Visible><SystemName>av</SystemName></Source>\
        </SourceList>
        """,
        [
          SpeakerSource(index: 0, name: "Music", systemName: "pl", type: "Playlist"),
          SpeakerSource(index: 1, name: "AV", systemName: "av", type: "UpnpAv", isVisible: false),
        ], 0
      ),
      ("<SourceList/>", [], 0),
      // Product:1 has no SystemName.
      (
        "<SourceList><Source><Name>R &amp; B</Name><Type>Radio</Type><Visible>1</Visible></Source></SourceList>",
        [SpeakerSource(index: 0, name: "R & B", type: "Radio")], 0
      ),
      ("<SourceList><Source/></SourceList>", [SpeakerSource(index: 0, name: "", type: "", isVisible: false)], 3),
      (
        "<SourceList><Source><Type>Radio</Type></Source></SourceList>",
        [SpeakerSource(index: 0, name: "Radio", type: "Radio")], 2
      ),
      // A bare &, another element, and a foreign document element.
      (
        """
        <Sources xmlns="urn:x"><Other/><Source><Name>R & B</Name><Type>Radio</Type><Visible>maybe</Visible></Source>\
        </Sources>
        """,
        [SpeakerSource(index: 0, name: "R & B", type: "Radio")], 3
      ),
    ] as [(String, [SpeakerSource], Int)])
  func sources(xml: String, sources: [SpeakerSource], deviations: Int) throws {
    let result = try SpeakerSources(xml: xml)
    #expect(result.sources == sources)
    #expect(result.deviations.count == deviations)
  }

  @Test(arguments: ["", "x", "<SourceList>", "<!DOCTYPE a><SourceList/>"])
  func malformedSources(xml: String) {
    #expect(throws: ControlPointError.self) { try SpeakerSources(xml: xml) }
  }

  @Test func sourcesAreBounded() throws {
    let one = "<Source><Name>a</Name><Type>b</Type><Visible>true</Visible></Source>"
    let result = try SpeakerSources(xml: "<SourceList>\(String(repeating: one, count: 300))</SourceList>")
    #expect(result.sources.count == SpeakerSources.maximumSources)
    #expect(result.deviations.count == 1)
  }

  @Test func roomsGroupSpeakers() {
    let rooms = SpeakerRoom.rooms(of: [
      SpeakerProfile(id: "1", room: "Kitchen", name: "Radio", isInStandby: true),
      SpeakerProfile(id: "2", room: " kitchen", name: "Main", isInStandby: true),
      SpeakerProfile(id: "3", room: "", name: "Bath"),
      SpeakerProfile(id: "4", room: "attic", name: "Main", isInStandby: false),
      SpeakerProfile(id: "5", room: "Attic", name: "Main", isInStandby: true),
    ])
    #expect(rooms.map(\.name) == ["Attic", "Bath", "Kitchen"])
    #expect(rooms.map { $0.speakers.map(\.id) } == [["4", "5"], ["3"], ["2", "1"]])
    #expect(rooms.map(\.isInStandby) == [false, false, true])
  }

  typealias Scale = SpeakerVolumeScale

  @Test(arguments: [
    (Scale(maximum: 100), 40, 40), (Scale(maximum: 100), 140, 100), (Scale(maximum: 100), -1, 0),
    (Scale(maximum: 100, limit: 60), 80, 60), (Scale(maximum: 30), 50, 15),
    // A percentage above 0 is never silent.
    (Scale(maximum: 15), 1, 1), (Scale(maximum: 15), 0, 0), (Scale(maximum: 0), 100, 0),
    (Scale(minimum: 10, maximum: 20), 50, 15), (Scale(maximum: 100, limit: 0), 5, 0),
  ])
  func steps(scale: Scale, percent: Int, steps: Int) { #expect(scale.steps(percent) == steps) }

  @Test(arguments: [
    (Scale(maximum: 100), 40, 40), (Scale(maximum: 15), 15, 100), (Scale(maximum: 15), 8, 53),
    (Scale(minimum: 10, maximum: 20), 15, 50), (Scale(maximum: 50), 80, 100),
  ])
  func percent(scale: Scale, steps: Int, percent: Int) { #expect(scale.percent(steps) == percent) }

  @Test(arguments: [
    (Scale(maximum: 100), 40, 5, 45), (Scale(maximum: 100), 40, -50, 0),
    (Scale(maximum: 100), 98, 5, 100), (Scale(maximum: 100, limit: 42), 40, 5, 42),
    (Scale(maximum: 15), 8, 1, 9), (Scale(maximum: 15), 8, -1, 7), (Scale(maximum: 15), 8, 0, 8),
    (Scale(maximum: 100), 40, .max, 100), (Scale(maximum: 100), 40, .min, 0),
  ])
  func changes(scale: Scale, current: Int, change: Int, steps: Int) {
    #expect(scale.steps(from: current, changedBy: change) == steps)
  }
}

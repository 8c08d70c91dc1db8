import PlaybackModel
import Testing

@testable import Providers

/// Which source AVTransport shows, as a table.
@Suite struct ShownSourceTests {
  /// What happens: the current source changes, or an AV controller sets an item.
  enum Step: Sendable {
    case current(Source, TransportState, track: Int)
    case sets
    case removes
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var steps: [Step]
    var shown: Source

    init(_ name: String, _ steps: [Step], _ shown: Source) {
      (testDescription, self.steps, self.shown) = (name, steps, shown)
    }
  }

  static let rows: [Row] = [
    Row("nothing has an item", [], .upnpAV),
    Row("a filled playlist, stopped", [.current(.playlist, .stopped, track: 1)], .playlist),
    Row("a playing radio", [.current(.radio, .playing, track: 1)], .radio),
    Row("its own item plays", [.sets, .current(.upnpAV, .playing, track: 1)], .upnpAV),
    Row("a selected source without an item", [.current(.radio, .noMedia, track: 0)], .upnpAV),
    Row(
      "a source that ended",
      [.current(.playlist, .playing, track: 1), .current(.playlist, .stopped, track: 2)], .playlist),
    Row(
      "another source takes over",
      [.sets, .current(.upnpAV, .playing, track: 1), .current(.radio, .transitioning, track: 2)],
      .radio),
    Row(
      "and ends: the own item does not come back by itself",
      [
        .sets, .current(.upnpAV, .playing, track: 1), .current(.radio, .playing, track: 2),
        .current(.radio, .stopped, track: 2),
      ],
      .radio),
    Row(
      "but when its source is selected",
      [
        .sets, .current(.upnpAV, .playing, track: 1), .current(.radio, .playing, track: 2),
        .current(.upnpAV, .stopped, track: 1),
      ],
      .upnpAV),
    // SetAVTransportURI while another source is current.
    Row("an item set while the source is stopped", [.current(.playlist, .stopped, track: 1), .sets], .upnpAV),
    Row("an item set while it plays", [.current(.playlist, .playing, track: 1), .sets], .upnpAV),
    Row(
      "a join before Play",
      [.current(.playlist, .playing, track: 1), .sets, .current(.playlist, .playing, track: 2)], .upnpAV),
    Row(
      "it runs dry before Play",
      [.current(.playlist, .playing, track: 1), .sets, .current(.playlist, .transitioning, track: 1)], .upnpAV),
    Row(
      "it is paused before Play",
      [.current(.playlist, .playing, track: 1), .sets, .current(.playlist, .paused, track: 1)], .upnpAV),
    Row(
      "it starts again",
      [.current(.playlist, .stopped, track: 1), .sets, .current(.playlist, .transitioning, track: 1)], .playlist),
    Row(
      "it resumes", [.current(.playlist, .paused, track: 1), .sets, .current(.playlist, .playing, track: 1)], .playlist),
    Row(
      "another track of it is chosen",
      [.current(.playlist, .playing, track: 1), .sets, .current(.playlist, .transitioning, track: 2)], .playlist),
    Row(
      "another source is selected",
      [.current(.playlist, .stopped, track: 1), .sets, .current(.radio, .stopped, track: 2)],
      .radio),
    Row("tracks are added to the empty playlist", [.sets, .current(.playlist, .stopped, track: 1)], .upnpAV),
    // An empty URI.
    Row("an item removed while the source is stopped", [.current(.playlist, .stopped, track: 1), .removes], .upnpAV),
    Row("an item removed while it plays", [.current(.playlist, .playing, track: 1), .removes], .playlist),
    Row(
      "an item set and removed while it plays", [.current(.playlist, .playing, track: 1), .sets, .removes], .playlist),
  ]

  @Test(arguments: rows)
  func table(row: Row) {
    var shown = ShownSource(.init(source: .playlist, state: .noMedia, trackID: 0))
    for step in row.steps {
      switch step {
      case .current(let source, let state, let track):
        shown.follow(.init(source: source, state: state, trackID: track))
      case .sets: shown.setItem(isEmpty: false)
      case .removes: shown.setItem(isEmpty: true)
      }
    }
    #expect(shown.source == row.shown)
  }
}

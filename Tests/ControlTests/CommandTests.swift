import ControlPoint
import Testing

@testable import swiftlet_control

@Suite struct CommandNamesTests {
  private static let names = ["play", "pause", "previous", "queue", "volume", "help", "devices"]

  @Test(arguments: [
    ("plya", "Did you mean \"play\"?"), ("VOLUM", "Did you mean \"volume\"?"), ("prev", "Did you mean \"previous\"?"),
    ("list", "Did you mean \"devices\"?"), ("resume", "Did you mean \"play\"?"),
    ("skip", "`swiftlet-control --help` lists all."), ("xylophone", "`swiftlet-control --help` lists all."),
  ])
  func suggestsACommand(word: String, hint: String) {
    #expect(CommandNames.message(for: word, among: Self.names) == "There is no command \"\(word)\". \(hint)")
  }

  @Test(arguments: ["play", "help", "--version", "-h", "---completion"])
  func leavesTheRestToTheParser(word: String) { #expect(CommandNames.message(for: word, among: Self.names) == nil) }
}

@Suite struct DeviceNamesTests {
  @Test func readsWhatItWrites() {
    var names = DeviceNames()
    names.set("@", to: "Kitchen")
    names.set("Downstairs", to: "Kitchen, uuid:1")
    #expect(names.text == "@ = Kitchen\ndownstairs = Kitchen, uuid:1\n")
    #expect(DeviceNames(names.text) == names)
    names.set("@", to: nil)
    #expect(names.defaultDevice == nil)
  }

  @Test(arguments: [
    ("@", ["Living room"]), ("DOWN", ["Kitchen", "Living room"]), ("Bath", ["Bath"]),
    ("Bath, @", ["Bath", "Living room"]),
    ("http://192.0.2.1/a,b", ["http://192.0.2.1/a,b"]),
  ])
  func replacesNames(text: String, devices: [String]) {
    let names = DeviceNames("@ = Living room\nbroken line\n = x\ndown = Kitchen,@\n")
    #expect(names.list(text) == devices)
  }
}

@Suite struct EndWatchTests {
  private typealias Row = (time: Int, state: PlaybackState, track: String?, hasEnded: Bool)

  private func check(_ rows: [Row], ofTrack: Bool = false) {
    var watch = EndWatch(ofTrack: ofTrack)
    for (number, row) in rows.enumerated() {
      let hasEnded = watch.observe(row.state, row.track.map { PlayedURI($0) }, at: .seconds(row.time))
      #expect(hasEnded == row.hasEnded, "row \(number)")
    }
  }

  @Test func waitsForTheEndOfTheQueue() {
    check([
      (0, .playing, "a", false), (10, .stopped, "a", false), (11, .playing, "b", false), (20, .paused, "b", false),
      (1000, .stopped, "b", false), (1003, .stopped, "b", true),
    ])
  }

  @Test func waitsForTheEndOfTheTrack() {
    check([(0, .playing, "a", false), (1, .buffering, "a", false), (2, .playing, "b", true)], ofTrack: true)
  }

  @Test func aStoppedSpeakerHasFinished() { check([(0, .noMedia, nil, false), (3, .noMedia, nil, true)]) }
}

@Suite struct QueueOrderTests {
  @Test(arguments: [(1, 3, 30), (3, 1, 0), (2, 1, 0), (1, 2, 20), (4, 2, 10), (2, 4, 40)] as [(Int, Int, UInt32)])
  func findsThePredecessor(number: Int, target: Int, id: UInt32) {
    let entries = ([10, 20, 30, 40] as [UInt32]).map { SpeakerQueue.Entry(id: $0, item: SpeakerItem(uri: "\($0)")) }
    #expect(SpeakerQueue(entries: entries).predecessor(moving: number, to: target) == id)
  }
}

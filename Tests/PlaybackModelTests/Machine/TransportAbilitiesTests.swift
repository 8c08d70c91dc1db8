import Testing

@testable import PlaybackModel

/// What can be done with a source, written out by hand.
@Suite struct TransportAbilitiesTests {
  typealias Neighbours = TransportAbilities.Neighbours

  /// What the deck contains.
  enum Deck: Sendable {
    case nothing, stopped, playing, playingWithNext, playingLive, playingUnseekable, firstOfTwo, lastOfTwo, received

    var machine: PlayerMachine {
      let state: TransportState = self == .nothing ? .noMedia : self == .stopped ? .stopped : .playing
      var machine = PlayerTable.machine(in: state, next: false)
      let now = PlayerTable.now
      switch self {
      case .nothing, .stopped, .playing: break
      case .received: _ = machine.setItem(MediaItem(uri: "ohz://239.255.255.250:51972/zone"))
      case .playingWithNext: _ = machine.setUpcoming([PlayerTable.b])
      case .playingLive:
        _ = machine.handle(.streamInfo(trackID: machine.trackID, StreamInfo(isSeekable: false, isLive: true)), now: now)
      case .playingUnseekable:
        _ = machine.handle(.streamInfo(trackID: machine.trackID, StreamInfo(isSeekable: false)), now: now)
      case .firstOfTwo, .lastOfTwo:
        _ = machine.handle(
          .listed(trackID: machine.trackID, ["http://host/x", "http://host/y"].listed), now: now)
        if self == .lastOfTwo { _ = try? machine.skipToNext() }
      }
      return machine
    }
  }

  @Test(arguments: [
    (Deck.nothing, Neighbours.ofDeck, ""),
    (.stopped, .ofDeck, "play pause seek"),
    (.playing, .ofDeck, "play pause seek"),
    (.playingWithNext, .ofDeck, "play pause seek next"),
    (.firstOfTwo, .ofDeck, "play pause seek next"),
    (.lastOfTwo, .ofDeck, "play pause seek previous"),
    (.playingUnseekable, .ofDeck, "play pause"),
    (.playingLive, .ofDeck, "play pause pauseStops"),
    (.received, .ofDeck, "play pauseStops"),
    // The playlist alone knows its tracks: the deck contains only some of them.
    (.nothing, .inPlaylist(isEmpty: true, hasSuccessor: false), "skipsStart"),
    (.playing, .inPlaylist(isEmpty: false, hasSuccessor: false), "play pause seek previous skipsStart"),
    (.playing, .inPlaylist(isEmpty: false, hasSuccessor: true), "play pause seek next previous skipsStart"),
    (.playingWithNext, .inPlaylist(isEmpty: false, hasSuccessor: false), "play pause seek previous skipsStart"),
    // A preset, and a channel that is none, with the tracks of its own list.
    (
      .playingLive, .inPresets(isPreset: true, hasNext: true, hasPrevious: false),
      "play pause next pauseStops skipsStart"
    ),
    (
      .playingLive, .inPresets(isPreset: true, hasNext: false, hasPrevious: true),
      "play pause previous pauseStops skipsStart"
    ),
    (.playingLive, .inPresets(isPreset: false, hasNext: false, hasPrevious: false), "play pause pauseStops"),
    (.firstOfTwo, .inPresets(isPreset: false, hasNext: false, hasPrevious: false), "play pause seek next"),
  ])
  func abilitiesFollowFromDeckAndNeighbours(deck: Deck, neighbours: Neighbours, expected: String) {
    let can = deck.machine.abilities.with(neighbours)
    let flags = [
      ("play", can.play), ("pause", can.pause), ("seek", can.seek), ("next", can.next), ("previous", can.previous),
      ("pauseStops", can.pauseStops), ("skipsStart", can.skipsStart),
    ]
    #expect(flags.filter(\.1).map(\.0).joined(separator: " ") == expected)
  }

  /// The words of the interfaces: the API, and hooks, status and MQTT.
  @Test(arguments: [
    (TransportState.noMedia, "empty", "stopped"), (.stopped, "stopped", "stopped"),
    (.transitioning, "buffering", "buffering"), (.playing, "playing", "playing"), (.paused, "paused", "paused"),
  ])
  func everyStateHasItsWords(state: TransportState, word: String, short: String) {
    #expect(state.word == word)
    #expect(state.shortWord == short)
  }

  @Test(arguments: [(Source.playlist, "playlist"), (.radio, "radio"), (.upnpAV, "upnp"), (.receiver, "receiver")])
  func everySourceHasItsWord(source: Source, word: String) {
    #expect(source.word == word)
    #expect(Source(word: word) == source)
    #expect(Source(word: "\(word)!") == nil)
  }

  @Test(arguments: [
    ("AirPlay", "airplay"), ("Line in", "line-in"), ("Radio 2. Set", "radio-2-set"),
    ("Zwanzig Zeichen 3456", "zwanzig-zeichen-3456"),
  ])
  func aProgramIsNamedByItsWord(text: String, word: String) throws {
    let name = try #require(ProgramName(text))
    #expect(name.word == word)
    #expect(name.text == text)
    #expect(Source(word: word) == .program(name))
    #expect(Source.program(name).name == text)
    #expect(ProgramName(address: name.address) == name)
  }

  @Test(arguments: ["", "2nd", " x", "Küche", "a/b", "a_b", "Einundzwanzig Zeichen", "x\n"])
  func otherNamesOfProgramsAreRefused(text: String) { #expect(ProgramName(text) == nil) }
}

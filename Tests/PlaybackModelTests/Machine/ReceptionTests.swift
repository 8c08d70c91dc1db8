import Testing

@testable import PlaybackModel

/// What a received stream shows of its sender, and until when.
@Suite struct ReceptionTests {
  private static let now = ContinuousClock.now
  private static let sender = MediaItem(uri: "ohz://239.255.255.250:51972/zone", metadata: "<sender>")
  private static let track = MediaItem(uri: "http://host/a", metadata: "<track>")
  private static let tags = TrackTags(title: "Song", isLive: true)

  private static func machine(_ item: MediaItem = sender, hasSound: Bool = false) throws -> PlayerMachine {
    var machine = PlayerMachine()
    _ = machine.setItem(item)
    _ = try machine.play(now: now)
    if hasSound { _ = machine.handle(.playing(generation: 1, position: .zero), now: now) }
    return machine
  }

  private static func changes(_ actions: [PlayerAction]) -> PlayerChanges? {
    guard case .notify(let changes)? = actions.last else { return nil }
    return changes
  }

  // MARK: Tracks

  /// A sender that plays nothing sends a track without an address and its own metadata.
  @Test(arguments: [
    (MediaItem(uri: "http://host/a", metadata: "<track>"), MediaItem(uri: "http://host/a", metadata: "<track>")),
    (MediaItem(uri: "", metadata: "<other>"), MediaItem(uri: sender.uri, metadata: "<other>")),
    (MediaItem(uri: "http://host/a"), MediaItem(uri: "http://host/a")),
    (MediaItem(uri: ""), sender),
  ])
  func announcedTrackIsShown(announced: MediaItem, shown: MediaItem) throws {
    var machine = try Self.machine(hasSound: true)
    #expect(machine.shownItem == Self.sender)
    let (before, actions) = (machine.trackID, machine.handle(.track(announced), now: Self.now))
    #expect(machine.shownItem == shown)
    #expect(machine.trackURI == shown.uri)
    #expect(machine.item == Self.sender)
    #expect(machine.trackID > before)
    #expect(machine.state == .playing)
    #expect(Self.changes(actions) == [.item, .position])
    #expect(actions.count == 1)
  }

  /// The same track again is another one, which begins anew.
  @Test func everyAnnouncementIsATrack() throws {
    var machine = try Self.machine(hasSound: true)
    _ = machine.handle(.track(Self.track), now: Self.now)
    _ = machine.handle(.metatext("<text>", Self.tags), now: Self.now)
    let before = machine.trackID
    _ = machine.handle(.track(Self.track), now: Self.now + .seconds(5))
    #expect(machine.trackID == before + 1)
    #expect(machine.metatext == nil)
    #expect(machine.title == nil)
    #expect(machine.position(now: Self.now + .seconds(7)) == .seconds(2))
  }

  /// The pipeline knows only its own track.
  @Test func factsOfTheStreamStay() throws {
    var machine = try Self.machine(hasSound: true)
    let id = machine.trackID
    _ = machine.handle(.track(Self.track), now: Self.now)
    _ = machine.handle(.streamInfo(trackID: id, StreamInfo(codecName: "FLAC", isLive: true)), now: Self.now)
    _ = machine.handle(.duration(trackID: id, .declared(.seconds(60))), now: Self.now)
    #expect(machine.streamInfo?.codecName == "FLAC")
    #expect(machine.duration == .seconds(60))
    _ = machine.handle(.track(Self.track), now: Self.now)
    #expect(machine.streamInfo?.codecName == "FLAC")
    #expect(machine.duration == nil)
  }

  // MARK: Texts

  @Test func metatextChangesTheTitle() throws {
    var machine = try Self.machine()
    _ = machine.handle(.track(Self.track), now: Self.now)
    let before = machine.trackID
    #expect(Self.changes(machine.handle(.metatext("<text>", Self.tags), now: Self.now)) == .title)
    #expect([machine.metatext, machine.title] == ["<text>", "Song"])
    #expect(machine.trackID == before)
    // A text without a title counts as well.
    #expect(Self.changes(machine.handle(.metatext("<new>", Self.tags), now: Self.now)) == .title)
    #expect(machine.handle(.metatext("<new>", Self.tags), now: Self.now).isEmpty)
    _ = machine.handle(.metatext("", TrackTags()), now: Self.now)
    #expect([machine.metatext, machine.title] == [nil, nil])
  }

  // MARK: Waiting

  @Test func senderWithoutSoundIsWaitedFor() throws {
    var machine = try Self.machine()
    #expect(machine.isWaiting)
    #expect(Self.changes(machine.handle(.sound(isArriving: true), now: Self.now)) == .state)
    #expect(machine.state == .transitioning && !machine.isWaiting)
    _ = machine.handle(.playing(generation: 1, position: .zero), now: Self.now)
    _ = machine.handle(.sound(isArriving: false), now: Self.now)
    #expect(machine.state == .playing && !machine.isWaiting)
    _ = machine.handle(.buffering(generation: 1, position: .zero), now: Self.now)
    #expect(machine.isWaiting)
  }

  @Test func otherStreamsBuffer() throws {
    var machine = try Self.machine(MediaItem(uri: "http://host/radio"))
    #expect(machine.state == .transitioning && !machine.isWaiting)
    #expect(machine.handle(.track(Self.track), now: Self.now).isEmpty)
    #expect(machine.handle(.metatext("<text>", Self.tags), now: Self.now).isEmpty)
    #expect(machine.shownItem?.uri == "http://host/radio")
  }

  // MARK: Ends

  /// Another sender and a stop end what the former one has announced, and late messages are ignored.
  @Test func announcementsEndWithPlayback() throws {
    for end in [
      { _ = $0.stop() }, { _ = $0.setItem(MediaItem(uri: "ohu://192.0.2.1:5000")) }, { _ = $0.setItem(nil) },
      { _ = $0.handle(.failed(generation: 1, .notFound), now: Self.now) },
    ] as [(inout PlayerMachine) -> Void] {
      var machine = try Self.machine(hasSound: true)
      _ = machine.handle(.track(Self.track), now: Self.now)
      _ = machine.handle(.metatext("<text>", Self.tags), now: Self.now)
      end(&machine)
      #expect(machine.shownItem == machine.item)
      #expect([machine.metatext, machine.title] == [nil, nil])
    }
    var stopped = try Self.machine()
    _ = stopped.stop()
    #expect(stopped.handle(.track(Self.track), now: Self.now).isEmpty)
  }

  @Test(arguments: ["ohz", "ohm", "ohu", "OHZ", "http", "ohs", ""])
  func streamsOfSendersAreReceived(scheme: String) {
    #expect(Track(id: 1, uri: "\(scheme)://a").isReceived == ["ohz", "ohm", "ohu"].contains(scheme.lowercased()))
  }
}

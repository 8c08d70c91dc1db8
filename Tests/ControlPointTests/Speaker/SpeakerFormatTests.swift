import Testing

@testable import ControlPoint

/// Parses the answers of speakers about their queue and track.
@Suite struct SpeakerFormatTests {
  @Test(
    arguments: [
      ([], []), ([0, 0, 0, 1], [1]), ([0, 0, 0, 1, 0xFF, 0, 0, 2], [1, 0xFF00_0002]),
      ([0, 0, 0, 5, 0, 0, 0, 0], [5]),
    ] as [([UInt8], [UInt32])])
  func ids(array: [UInt8], ids: [UInt32]) throws { #expect(try OpenHomeQueue.ids(array) == ids) }

  @Test func brokenIds() {
    #expect(throws: ControlPointError.self) { try OpenHomeQueue.ids([0, 0, 1]) }
  }

  @Test(
    arguments: [
      ("<TrackList/>", [:]),
      (
        """
        <TrackList><Entry><Id>1</Id><Uri>http://a/?b&amp;c</Uri><Metadata>&lt;DIDL-Lite/&gt; </Metadata></Entry>\
        <Entry><Id>2</Id><Uri>u</Uri></Entry><Entry><Id>x</Id><Uri>u</Uri></Entry><Entry/></TrackList>
        """,
        [1: SpeakerItem(uri: "http://a/?b&c", metadata: "<DIDL-Lite/> "), 2: SpeakerItem(uri: "u")]
      ),
      (
        "<TrackList><Entry><Id>1</Id><Uri>a</Uri></Entry><Entry><Id>1</Id><Uri>b</Uri></Entry></TrackList>",
        [1: SpeakerItem(uri: "a")]
      ),
    ] as [(String, [UInt32: SpeakerItem])])
  func trackList(xml: String, items: [UInt32: SpeakerItem]) throws {
    #expect(try OpenHomeQueue.items(trackList: xml) == items)
  }

  @Test func brokenTrackList() {
    #expect(throws: ControlPointError.self) { try OpenHomeQueue.items(trackList: "<TrackList>") }
  }

  private static let metadata = """
    <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
    xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="1" parentID="0" restricted="1"><dc:title>T</dc:title>\
    <upnp:class>object.item.audioItem.musicTrack</upnp:class><upnp:artist role="Composer">C</upnp:artist>\
    <upnp:artist>A</upnp:artist><upnp:album>L</upnp:album><upnp:albumArtURI>http://art</upnp:albumArtURI>\
    <res protocolInfo="http-get:*:audio/mpeg:*" duration="0:02:00">http://b</res>\
    <res protocolInfo="http-get:*:audio/flac:*" duration="0:03:00">http://a</res></item></DIDL-Lite>
    """

  @Test(
    arguments: [
      (
        metadata,
        SpeakerTrack(
          uri: "http://a", title: "T", artist: "A", album: "L", artwork: "http://art", duration: .seconds(180))
      ),
      ("", SpeakerTrack(uri: "http://a")), ("NOT_IMPLEMENTED", SpeakerTrack(uri: "http://a")),
      ("<DIDL-Lite", SpeakerTrack(uri: "http://a")),
    ])
  func tracks(metadata: String, track: SpeakerTrack) {
    #expect(SpeakerItem(uri: "http://a", metadata: metadata).track == track)
  }

  @Test(arguments: [
    ("PLAYING", PlaybackState.playing), ("Playing", .playing), ("PAUSED_PLAYBACK", .paused), ("Paused", .paused),
    ("STOPPED", .stopped), (" Stopped ", .stopped), ("TRANSITIONING", .buffering), ("Buffering", .buffering),
    ("Waiting", .waiting), ("NO_MEDIA_PRESENT", .noMedia), ("RECORDING", .unknown), ("", .unknown),
  ])
  func states(text: String, state: PlaybackState) { #expect(PlaybackState(transportState: text) == state) }

  private static let instant = ContinuousClock.now

  private static func now(
    _ state: PlaybackState = .playing, position: Int?, of duration: Int? = 100, after seconds: Int = 0,
    uri: String = "a"
  ) -> NowPlaying {
    NowPlaying(
      state: state, track: SpeakerTrack(uri: uri), duration: duration.map { .seconds($0) },
      position: position.map { .seconds($0) }, instant: instant + .seconds(seconds))
  }

  @Test(
    arguments: [
      (now(position: 10), 5, 15), (now(.paused, position: 10), 5, 10), (now(position: 98), 5, 100),
      (now(position: 10, of: nil), 500, 510), (now(position: nil), 5, nil), (now(position: 10), -5, 10),
      (now(position: 120), 5, 120),
    ] as [(NowPlaying, Int, Int?)])
  func position(now: NowPlaying, after seconds: Int, position: Int?) {
    #expect(now.position(at: Self.instant + .seconds(seconds)) == position.map { .seconds($0) })
  }

  @Test(
    arguments: [
      (now(position: 10), now(position: 15, after: 5), true), (now(position: 10), now(position: 16, after: 5), true),
      (now(position: 10), now(position: 40, after: 5), false), (now(position: 10), now(position: 10, after: 5), false),
      (now(.paused, position: 10), now(.paused, position: 10, after: 50), true),
      (now(position: 10), now(.paused, position: 15, after: 5), false),
      (now(position: 10), now(position: 15, after: 5, uri: "b"), false),
      (now(position: nil), now(position: nil, after: 5), true), (now(position: nil), now(position: 1, after: 5), false),
    ])
  func continuation(now: NowPlaying, later: NowPlaying, isContinuation: Bool) {
    #expect(now.isContinued(by: later) == isContinuation)
  }

  @Test(
    arguments: [
      (701, .avTransport, .transitionNotAvailable), (717, .avTransport, .playSpeedNotSupported),
      (701, .playlist, nil), (801, .avTransport, nil), (401, .avTransport, nil),
      (800, .playlist, .noSuchTrack), (800, .radio, .noSuchTrack),
      // Each of these services has its own meaning of 801.
      (801, .playlist, .queueFull), (801, .transport, .notPossibleWithSource), (801, .product, nil),
    ] as [(Int, SpeakerCapabilities.Mechanism, TransportFault?)])
  func faults(code: Int, service: SpeakerCapabilities.Mechanism, fault: TransportFault?) {
    #expect(ControlPointError.fault(code: code, description: "").transportFault(of: service) == fault)
    #expect(ControlPointError.timeout.transportFault(of: service) == nil)
  }
}

import ControlPoint
import UPnP

/// The device reports and fetches exactly the URI that was set, and reports its metadata unchanged.
enum MediaURIChecks {
  private static let escaping = "home-assistant/core#121369"

  /// A query with characters that must neither be unescaped nor escaped again.
  private static let escapes = "?a=1&b=%C3%BC%26&c=x%20y+z"

  static let all: [Check] = [
    .playing(
      "avt/2.4/current-uri", "GetMediaInfo returns the URI that was set.", area: .avTransport,
      source: "BubbleUPnP compares it with what it has set",
      steps: "Sets a URI. Passes if CurrentURI of GetMediaInfo is the same."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.set(media)
      let uri = try await transport.call("GetMediaInfo")["CurrentURI"] ?? ""
      try transport.context.expect(uri == media.url, "CurrentURI \(media.url)", got: uri)
    },
    .playing(
      "avt/2.4/track-uri", "GetPositionInfo returns the URI that plays.", area: .avTransport,
      source: "BubbleUPnP sees by it that the next track has begun",
      steps: "Plays a tone. Passes if TrackURI of GetPositionInfo is its URI."
    ) { transport async throws(Finding) in
      let media = try await transport.startTone()
      let uri = try await transport.position().values["TrackURI"] ?? ""
      try transport.context.expect(uri == media.url, "TrackURI \(media.url)", got: uri)
    },
    .playing(
      "avt/2.4/track-metadata", "TrackMetaData has the title of what plays.", area: .avTransport,
      source: "Home Assistant's dlna_dmr shows it",
      steps: "Plays a tone with a title. Passes if dc:title in TrackMetaData of GetPositionInfo is this title."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      let title = "Tom & Jerry <1940>"
      try await transport.set(uri: media.url, metadata: media.media.metadata(url: media.url, title: title))
      try await transport.play()
      try await transport.wait(for: .playing)
      let metadata = try await transport.position().values["TrackMetaData"] ?? ""
      let found = (try? XMLDocument.read(Array(metadata.utf8)).root)?["item"]?["title"]?.content ?? ""
      try transport.context.expect(found == title, "the title \"\(title)\"", got: "\"\(found)\"")
    },
    .playing(
      "avt/2.4/uri-query", "A URI is fetched as it was set, with its query and its escapes.",
      source: "measured with gmediarender 0.1, Rygel 0.42.1 and Kodi 20.1",
      steps: """
        Plays a URI with a query of two arguments and escaped characters. Passes if the request has exactly this target.
        """
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      let query = escapes
      try await transport.set(uri: media.url + query, metadata: media.media.metadata(url: media.url + query))
      try await transport.play()
      guard let request = await media.waitForGet(within: transport.context.times.transition) else {
        throw .failure(expected: "a request for the URI", got: "none")
      }
      try transport.context.expect(
        request.target == media.path + query, "a request for \(media.path + query)", got: request.target)
    },
    .playing(
      "avt/2.4/uri-escapes", "A URI with escapes and ampersands is reported as it was set.", area: .avTransport,
      source: "BubbleUPnP compares it with what it has set; \(escaping)",
      steps: "Plays such a URI. Passes if CurrentURI of GetMediaInfo and TrackURI of GetPositionInfo are the same."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      let uri = media.url + escapes
      try await transport.set(uri: uri, metadata: media.media.metadata(url: uri))
      let current = try await transport.call("GetMediaInfo")["CurrentURI"] ?? ""
      try transport.context.expect(current == uri, "CurrentURI \(uri)", got: current)
      try await transport.begin()
      try await transport.wait(for: .playing)
      let track = try await transport.position().values["TrackURI"] ?? ""
      try transport.context.expect(track == uri, "TrackURI \(uri)", got: track)
    },
    .playing(
      "avt/2.3/event-uri-escapes", "A URI with escapes and ampersands is evented as it was set.", area: .avTransport,
      source: "Home Assistant's dlna_dmr compares it with what it has set", needs: [.transportEvents],
      steps: "Subscribes and sets such a URI. Passes if AVTransportURI in an event is the same."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      let uri = media.url + escapes
      try await transport.withEvents { events throws(Finding) in
        try await transport.set(uri: uri, metadata: media.media.metadata(url: uri))
        try await transport.expect(events, "AVTransportURI", [uri], after: 0)
      }
    },
    .playing(
      "avt/2.4/no-metadata", "A URI without metadata is played.",
      source: "hzeller/gmrender-resurrect#139",
      steps: "Sets a URI with empty CurrentURIMetaData and plays it. Passes if the state becomes PLAYING."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 10)
      try await transport.set(uri: media.url, metadata: "")
      try await transport.play()
      try await transport.wait(for: .playing)
    },
    .playing(
      "avt/2.4/clear-uri", "An empty URI removes the media.", area: .avTransport,
      source: "the state NO_MEDIA_PRESENT of AVTransport:1 §2.5",
      steps: """
        Sets a URI and then an empty one. Passes if the state becomes NO_MEDIA_PRESENT or STOPPED, and CurrentURI is \
        empty. A device that refuses an empty URI is skipped.
        """
    ) { transport async throws(Finding) in
      try await transport.set(try await transport.context.serveTone(seconds: 10))
      let answer = try await transport.answer("SetAVTransportURI", [("CurrentURI", ""), ("CurrentURIMetaData", "")])
      if let code = answer.faultCode { throw .skip("the device refuses an empty URI with \(code)") }
      try await transport.wait(for: .noMedia, .stopped)
      let uri = try await transport.call("GetMediaInfo")["CurrentURI"] ?? ""
      try transport.context.expect(uri.isEmpty, "an empty CurrentURI", got: uri)
    },
    .playing(
      "avt/2.4/set-while-playing", "After SetAVTransportURI in PLAYING, the device plays the new item or stops.",
      source: "Windows HCK, DMR SETAVT-01",
      steps: """
        Plays a tone for 1 s and sets another one. Passes if the other one is fetched in PLAYING, or if the device stops; \
        CurrentURI is the new URI in both cases. The report says which.
        """
    ) { transport async throws(Finding) in
      _ = try await transport.startTone()
      try await transport.wait(forPosition: .seconds(1))
      let other = try await transport.context.serveTone(seconds: 10)
      try await transport.set(other)
      let uri = try await transport.call("GetMediaInfo")["CurrentURI"] ?? ""
      try transport.context.expect(uri == other.url, "CurrentURI \(other.url)", got: uri)
      // A device that plays the new item may stop for a moment.
      await transport.context.clock.sleep(.milliseconds(500))
      if try await transport.wait(for: .playing, .stopped) == .playing {
        let request = await other.waitForGet(within: transport.context.times.effect)
        try transport.context.expect(request != nil, "a request for the new URI in PLAYING", got: "none")
        transport.context.measure("after SetAVTransportURI", "plays the new item")
      } else {
        transport.context.measure("after SetAVTransportURI", "stops")
      }
    },
    metadata("entities", "with entities", title: "&amp; &lt;b&gt; &quot;q&quot; &amp;amp;"),
    metadata("cdata", "with a CDATA section", title: "<![CDATA[A & B <c>]]>"),
    metadata("characters", "beyond ASCII", title: "Grüße, 音楽, Ω, 🎵"),
    metadata("large", "of 100 kB", title: String(repeating: "A long title. ", count: 7200)),
  ]

  /// - Parameter title: in XML.
  private static func metadata(_ name: String, _ what: String, title: String) -> Check {
    .playing(
      "avt/2.4/metadata-\(name)", "Metadata \(what) is returned as it was set.", area: .avTransport, source: escaping,
      steps: "Sets a URI with metadata \(what). Passes if GetMediaInfo returns CurrentURIMetaData byte for byte."
    ) { transport async throws(Finding) in
      let media = try await transport.context.serveTone(seconds: 1)
      let plain = media.media.metadata(url: media.url, title: "TITLE")
      let metadata = plain.replacing("TITLE", with: title)
      try await transport.set(uri: media.url, metadata: metadata)
      let result = try await transport.call("GetMediaInfo")["CurrentURIMetaData"] ?? ""
      guard result != metadata else { return }
      let common = zip(result, metadata).prefix { $0 == $1 }.count
      func excerpt(_ text: String) -> String { "\"\(text.dropFirst(max(0, common - 20)).prefix(60))\"" }
      throw .failure(
        expected: "\(metadata.utf8.count) bytes of metadata, with \(excerpt(metadata))",
        got: "\(result.utf8.count) bytes, with \(excerpt(result))")
    }
  }
}

import ControlPoint
import UPnP

/// DIDL-Lite through SetAVTransportURI and back. Nothing is played.
enum MetadataChecks {
  private static let needs: [Prerequisite] = [
    .action(TransportDriver.service, "SetAVTransportURI"), .action(TransportDriver.service, "GetMediaInfo"),
  ]
  private static let shown = "control points show the title of GetMediaInfo, such as BubbleUPnP and Home Assistant"

  static let all: [Check] = titles + forms + events

  /// Sets a URI with metadata.
  /// - Returns: the answer to GetMediaInfo.
  private static func info(
    after metadata: String, _ media: ServedMedia, _ context: CheckContext
  ) async throws(Finding) -> [String: String] {
    try await context.transport.set(uri: media.url, metadata: metadata)
    return try await context.transport.call("GetMediaInfo")
  }

  /// The title in DIDL-Lite.
  private static func title(_ metadata: String) -> String? {
    guard let reading = try? XMLDocument.read(Array(metadata.utf8)), reading.repairs.isEmpty else { return nil }
    return reading.root.all("item").first?.text("title")
  }

  private static func expect(
    _ expected: String, in metadata: String?, _ context: CheckContext
  ) throws(Finding) {
    let text = metadata ?? ""
    let found = title(text)
    try context.expect(
      found == expected, "the title \"\(expected.prefix(60))\"",
      got: found.map { "\"\($0.prefix(60))\"" } ?? "no DIDL-Lite but \"\(text.prefix(60))\"")
  }

  // MARK: Titles

  /// Sets metadata with a title, and reads it.
  private static func title(
    _ id: String, _ what: String, _ title: String, source: String = shown,
    _ change: @escaping @Sendable (String) -> String = { $0 }
  ) -> Check {
    Check(
      "avt/2.4.1/title-\(id)", .avTransport, .practice, "A title with \(what) is returned as it was set.",
      source: source,
      needs: needs, changes: [.transport],
      steps: "Sets a URI whose metadata have a title with \(what). Passes if GetMediaInfo returns that title."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let metadata = change(media.media.metadata(url: media.url, title: title))
      try expect(title, in: try await info(after: metadata, media, context)["CurrentURIMetaData"], context)
    }
  }

  private static let titles: [Check] = [
    title(
      "markup", "the characters of markup", "Tom & \"Jerry\" <live> 'n' &amp;", source: "hzeller/gmrender-resurrect#42"),
    title("unicode", "letters of many scripts", "Ünïcödé – 東京 – Привет – ไทย"),
    title("right-to-left", "letters from right to left", "שלום – مرحبا"),
    title("emoji", "emoji", "🎵 👩‍🎤 🇪🇺"),
    title("cdata", "a CDATA section", "A & B", source: "XML 1.0 §2.7") {
      $0.replacing(">A &amp; B<", with: "><![CDATA[A & B]]><")
    },
    title("references", "character references", "Café", source: "XML 1.0 §4.1") {
      $0.replacing(">Café<", with: ">Caf&#233;<")
    },
    title("long", "4000 characters", String(repeating: "la ", count: 1333) + "!"),
  ]

  // MARK: Forms of metadata

  /// Sets metadata in another form. The device has to take the URI.
  private static func form(
    _ id: String, _ requirement: String, source: String, steps: String,
    _ metadata: @escaping @Sendable (ServedMedia) -> String
  ) -> Check {
    Check(
      "avt/2.4.1/\(id)", .avTransport, .practice, requirement, source: source, needs: needs, changes: [.transport],
      steps: "\(steps) Passes if GetMediaInfo returns the URI."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let uri = try await info(after: metadata(media), media, context)["CurrentURI"] ?? ""
      try context.expect(uri == media.url, "the URI \(media.url)", got: "\"\(uri)\"")
    }
  }

  private static let forms: [Check] = [
    Check(
      "avt/2.4.1/metadata-identical", .avTransport, .practice, "GetMediaInfo returns the metadata byte for byte.",
      source: "OpenHome and UPnP AV control points compare it with what they have set", needs: needs,
      changes: [.transport], steps: "Sets a URI with metadata. Passes if CurrentURIMetaData is the same text."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let found = try await info(after: media.metadata, media, context)["CurrentURIMetaData"] ?? ""
      try context.expect(found == media.metadata, "the metadata as they were set", got: "\"\(found.prefix(200))\"")
    },
    form(
      "metadata-not-implemented", "The metadata may be NOT_IMPLEMENTED.",
      source: "AVTransport:1 §2.2 (the value of variables that are not supported)",
      steps: "Sets a URI with the metadata NOT_IMPLEMENTED."
    ) { _ in "NOT_IMPLEMENTED" },
    form(
      "unknown-elements", "The metadata may have elements and attributes of unknown namespaces.",
      source: "the vendors' extensions of DIDL-Lite, such as those of Sony and PlexConnect",
      steps: "Sets metadata with unknown elements and attributes."
    ) { media in
      media.metadata.replacing(
        "<upnp:class>", with: "<x:a xmlns:x=\"urn:example:x\" x:b=\"1\"><x:c/></x:a><upnp:class>")
    },
    form(
      "several-resources", "The metadata may have several resources.",
      source: "media servers such as Gerbera and MiniDLNA offer several", steps: "Sets metadata with three resources."
    ) { media in
      media.metadata.replacing(
        "</item>",
        with: "<res protocolInfo=\"http-get:*:audio/x-none:*\">http://192.0.2.9/a</res>"
          + "<res protocolInfo=\"rtsp-rtp-udp:*:audio/mpeg:*\">rtsp://192.0.2.9/b</res></item>")
    },
    form(
      "duration-forms", "The duration of a resource may have a sign and a fraction.",
      source: "the type of res@duration in av.xsd, as castaway's docs/dlna-conformance.md states",
      steps: "Sets metadata with the duration +0:00:01.5/10."
    ) { media in
      media.metadata.replacing("duration=\"", with: "duration=\"+0:00:01.5/10\" x=\"")
    },
    Check(
      "avt/2.4.1/malformed-metadata", .avTransport, .practice,
      "Malformed metadata are refused or ignored, and do not disturb the transport.",
      source: "home-assistant/core sends what its users write", needs: needs, changes: [.transport],
      steps: "Sets a URI with metadata that are no XML, and then one with ordinary metadata. "
        + "Passes if the second call succeeds and its URI is returned."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      for metadata in ["<DIDL-Lite><item>", "&&&", "<a/>", "text"] {
        let answer = try await context.transport.answer(
          "SetAVTransportURI", [("CurrentURI", media.url), ("CurrentURIMetaData", metadata)])
        try context.expect(
          answer.results != nil || answer.faultCode != nil, "success or an error for \"\(metadata)\"",
          got: answer.summary)
      }
      let uri = try await info(after: media.metadata, media, context)["CurrentURI"] ?? ""
      try context.expect(uri == media.url, "the URI \(media.url)", got: "\"\(uri)\"")
    },
    Check(
      "hostile/metadata/long", .hostile, .practice, "The device survives metadata of 100 kB.",
      source: "measured with gmediarender 0.1, which refuses it with status 413", needs: needs, changes: [.transport],
      mode: .hostile,
      steps: "Sets a URI with a description of 100 kB. Passes if the device answers in any way or not at all, "
        + "and then takes an ordinary URI."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let text = "<dc:description>\(String(repeating: "a", count: 100_000))</dc:description><upnp:class>"
      let metadata = media.metadata.replacing("<upnp:class>", with: text)
      let answer = try? await context.transport.answer(
        "SetAVTransportURI", [("CurrentURI", media.url), ("CurrentURIMetaData", metadata)])
      context.measure("answer", answer?.summary ?? "none")
      if answer?.results != nil {
        let found = try await context.transport.call("GetMediaInfo")["CurrentURIMetaData"] ?? ""
        context.measure("returned", "\(found.utf8.count) of \(metadata.utf8.count) bytes")
      }
      let uri = try await info(after: media.metadata, media, context)["CurrentURI"] ?? ""
      try context.expect(uri == media.url, "the URI \(media.url) afterwards", got: "\"\(uri)\"")
    },
  ]

  // MARK: Elsewhere

  /// Parts of metadata that a display needs.
  private static let fields = [
    "The Testers", "Checks and Balances", "http://192.0.2.1/cover.jpg", "0:00:01", "object.item.audioItem.musicTrack",
  ]

  private static func fullMetadata(of media: ServedMedia) -> String {
    media.metadata.replacing(
      "<upnp:class>",
      with: "<upnp:artist>\(fields[0])</upnp:artist><upnp:album>\(fields[1])</upnp:album>"
        + "<upnp:albumArtURI>\(fields[2])</upnp:albumArtURI><upnp:class>")
  }

  private static let events: [Check] = [
    Check(
      "avt/2.4.8/track-metadata", .avTransport, .practice,
      "GetPositionInfo returns the metadata of the track before it plays, too.",
      source: "Home Assistant's dlna_dmr and Kodi show the title of TrackMetaData",
      needs: needs + [.action(TransportDriver.service, "GetPositionInfo")], changes: [.transport],
      steps: "Sets a URI with metadata. Passes if TrackMetaData has their title."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let title = "Tom & Jerry"
      try await context.transport.set(uri: media.url, metadata: media.media.metadata(url: media.url, title: title))
      let position = try await context.transport.call("GetPositionInfo")
      try expect(title, in: position["TrackMetaData"], context)
    },
    Check(
      "avt/2.4.8/metadata-fields", .avTransport, .practice,
      "TrackMetaData keeps artist, album, artwork, duration and class of the metadata that were set.",
      source: "Home Assistant's dlna_dmr and Kodi show them",
      needs: needs + [.action(TransportDriver.service, "GetPositionInfo")], changes: [.transport],
      steps: "Sets a URI with such metadata. Passes if TrackMetaData has all of them."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      try await context.transport.set(uri: media.url, metadata: fullMetadata(of: media))
      let text = try await context.transport.call("GetPositionInfo")["TrackMetaData"] ?? ""
      try context.expectNone(fields.filter { !text.contains($0) }.map { "no \($0)" }, "all fields in TrackMetaData")
    },
    Check(
      "avt/2.3/metadata-fields-event", .avTransport, .practice,
      "LastChange keeps artist, album, artwork, duration and class of the metadata that were set.",
      source: "Home Assistant's dlna_dmr shows those of CurrentTrackMetaData",
      needs: needs + [.eventsOf(TransportDriver.service)], changes: [.transport],
      steps: "Subscribes and sets a URI with such metadata. "
        + "Passes if CurrentTrackMetaData or AVTransportURIMetaData in an event has all of them."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      try await context.withSubscription(to: context.service(TransportDriver.service)) { events throws(Finding) in
        _ = try await context.initialEvent(events)
        try await context.transport.set(uri: media.url, metadata: fullMetadata(of: media))
        _ = await events.wait(context.times.event) { events in
          let values = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
          return values.contains { value in fields.allSatisfy { value.value.contains($0) } } ? true : nil
        }
        let values = await events.folded()
        let texts = ["CurrentTrackMetaData", "AVTransportURIMetaData"].map { values[$0] ?? "" }
        let best = texts.max { one, two in fields.count { one.contains($0) } < fields.count { two.contains($0) } } ?? ""
        try context.expectNone(fields.filter { !best.contains($0) }.map { "no \($0)" }, "all fields in an event")
      }
    },
    Check(
      "avt/2.3/metadata-event", .avTransport, .practice, "LastChange has the metadata, escaped once more.",
      source: "Home Assistant's dlna_dmr shows the title of CurrentTrackMetaData",
      needs: needs + [.eventsOf(TransportDriver.service)], changes: [.transport],
      steps: "Subscribes, and sets a URI whose title has markup. "
        + "Passes if CurrentTrackMetaData or AVTransportURIMetaData in an event has that title."
    ) { context async throws(Finding) in
      let media = try await context.serveTone(seconds: 1)
      let text = "Tom & \"Jerry\" <\(UInt32.random(in: .min ... .max))>"
      let service = try context.service(TransportDriver.service)
      try await context.withSubscription(to: service) { subscription throws(Finding) in
        _ = try await context.initialEvent(subscription)
        try await context.transport.set(uri: media.url, metadata: media.media.metadata(url: media.url, title: text))
        let isSeen = await subscription.wait(context.times.event) { events in
          let variables = events.dropFirst().flatMap { (try? EventReader.read($0.body).variables) ?? [] }
          let metadata = variables.filter { $0.name.hasSuffix("URIMetaData") || $0.name == "CurrentTrackMetaData" }
          return metadata.contains { title($0.value) == text } ? true : nil
        }
        try context.expect(isSeen == true, "an event with the title \(text)", got: "none within \(context.times.event)")
      }
    },
  ]
}

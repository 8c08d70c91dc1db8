import ControlPoint
import UPnP

/// A UPnP AV renderer and an OpenHome device that share one speaker.
enum SharingChecks {
  private static let both: [Prerequisite] = [.speaker(TransportDriver.service), .speaker(PlaylistDriver.service)]
  private static let product: [Prerequisite] = [.speaker(TransportDriver.service), .speaker("Product")]
  private static let player = "openhome/ohPipeline: OpenHome/Av/UpnpAv, whose renderer is a source of the Product"

  static let all: [Check] = volume + sources

  private static func check(
    _ id: String, _ level: Level, _ requirement: String, source: String, needs: [Prerequisite],
    changes: Set<Setting>, steps: String, procedure: @escaping @Sendable (CheckContext) async throws(Finding) -> Void
  ) -> Check {
    Check(
      "share/\(id)", .sharing, level, requirement, source: source, needs: needs, changes: changes, steps: steps,
      procedure: procedure)
  }

  // MARK: Volume

  /// A volume that is set through one service is read through the other, as the same share of the maximum.
  private static func volume(from service: String, to other: String, _ id: String) -> Check {
    check(
      "volume/\(id)", .practice, "A volume set with \(service) is that of \(other), too.",
      source: "one loudspeaker has one volume; openhome/ohPipeline: OpenHome/Av/UpnpAv/ProviderRenderingControl.cpp",
      needs: [.speaker(service), .speaker(other)], changes: [.volume],
      steps: "Sets two volumes with \(service). \(other) has to show the same share of its maximum, give or take 2 %."
    ) { context async throws(Finding) in
      let (one, two) = (try context.device(with: service), try context.device(with: other))
      let (range, otherRange) = (try await one.volumes(), try await two.volumes())
      let highest = try await one.quietVolumes(steps: 1).upperBound
      for volume in [highest, (range.lowerBound + highest) / 2] {
        try await one.write(.volume, "\(volume)")
        try await two.expectVolume(of: otherRange, at: range.share(of: volume))
      }
    }
  }

  private static func mute(from service: String, to other: String, _ id: String) -> Check {
    check(
      "mute/\(id)", .practice, "A mute set with \(service) is that of \(other), too.",
      source: "one loudspeaker has one mute; openhome/ohPipeline: OpenHome/Av/UpnpAv/ProviderRenderingControl.cpp",
      needs: [.speaker(service), .speaker(other)], changes: [.mute],
      steps: "Sets mute with \(service), and removes it. \(other) has to follow."
    ) { context async throws(Finding) in
      let (one, two) = (try context.device(with: service), try context.device(with: other))
      for (value, accepted) in [("1", ["1", "true", "yes"]), ("0", ["0", "false", "no"])] {
        try await one.write(.mute, value)
        try await two.expect(.mute, among: accepted, "the mute \(value) in \(other)")
      }
    }
  }

  private static let volume = [
    volume(from: "RenderingControl", to: "Volume", "from-av"),
    volume(from: "Volume", to: "RenderingControl", "from-oh"),
    mute(from: "RenderingControl", to: "Volume", "from-av"), mute(from: "Volume", to: "RenderingControl", "from-oh"),
  ]

  // MARK: Sources

  private static let sources: [Check] = [
    check(
      "av-selects-source", .practice, "AVTransport's Play selects the source UpnpAv of Product.", source: player,
      needs: product, changes: [.transport],
      steps: "Plays a tone with AVTransport. The source that SourceIndex names has to have the type UpnpAv."
    ) { context async throws(Finding) in
      _ = try await context.device(with: TransportDriver.service).transport.startTone()
      try await context.device(with: "Product").expectSource("UpnpAv")
    },
    check(
      "playlist-selects-source", .must, "Playlist's Play deactivates the current source and activates Playlist.",
      source: "\(PlaylistChecks.wiki), Play (PeteManchester/MediaPlayer#86)", needs: both + product,
      changes: [.transport, .playlist],
      steps: "Plays a tone with AVTransport, then one with Playlist. The current source has to have the type Playlist."
    ) { context async throws(Finding) in
      _ = try await context.device(with: TransportDriver.service).transport.startTone()
      let playlist = try context.device(with: PlaylistDriver.service).playlist
      _ = try await playlist.load(tones: 1, seconds: 10)
      try await playlist.call("Play")
      try await playlist.wait(forState: "Playing")
      try await context.device(with: "Product").expectSource(PlaylistDriver.service)
    },
    check(
      "playlist-stops-av", .must, "When Playlist plays, AVTransport stops or shows its track, and that is evented.",
      source: "OpenHome wiki, Av:Developer:ProductService: only the active source plays audio",
      needs: both, changes: [.transport, .playlist],
      steps: """
        Plays a tone with AVTransport, then one with Playlist. STOPPED or the second tone as AVTransportURI has to be evented, \
        and the connection to the first tone has to be closed.
        """
    ) { context async throws(Finding) in
      let renderer = try context.device(with: TransportDriver.service)
      let playlist = try context.device(with: PlaylistDriver.service).playlist
      let media = try await renderer.slowTone()
      let (tones, ids) = try await playlist.load(tones: 1, seconds: 10)
      try await renderer.transport.start(media)
      try await renderer.expectEvent(
        TransportDriver.service, withAny: [("TransportState", "STOPPED"), ("AVTransportURI", tones[0].url)]
      ) { () async throws(Finding) in try await playlist.start(ids[0]) }
      try await context.expectRelease(of: media)
    },
    check(
      "av-stops-playlist", .must, "When AVTransport plays, Playlist stops, and that is evented.",
      source: "OpenHome wiki, Av:Developer:ProductService: only the active source plays audio",
      needs: both, changes: [.transport, .playlist],
      steps: """
        Plays a tone with Playlist, then one with AVTransport. Stopped has to be evented, and the connection to the first \
        tone has to be closed.
        """
    ) { context async throws(Finding) in
      let renderer = try context.device(with: TransportDriver.service)
      let openHome = try context.device(with: PlaylistDriver.service)
      let media = try await renderer.slowTone()
      let ids = try await openHome.playlist.load([media])
      try await openHome.playlist.start(ids[0])
      try await openHome.expectEvent(
        PlaylistDriver.service, "TransportState", "with Stopped", where: { $0 == "Stopped" }
      ) { () async throws(Finding) in _ = try await renderer.transport.startTone() }
      try await context.expectRelease(of: media)
    },
    check(
      "info-shows-av", .must, "Info shows the URI and metadata of what AVTransport plays.",
      source: "\(InfoChecks.wiki): the currently playing media, whatever the source",
      needs: product + [.speaker("Info")], changes: [.transport],
      steps: "Plays a tone with AVTransport and compares Track of Info, byte for byte."
    ) { context async throws(Finding) in
      let media = try await context.device(with: TransportDriver.service).transport.startTone()
      try await context.device(with: "Info").expectTrack(media)
    },
    check(
      "transport-controls-av", .practice, "OpenHome's Transport pauses and stops what AVTransport plays.",
      source: "openhome/ohPipeline: OpenHome/Av/ProviderTransport.cpp controls the current source",
      needs: [.speaker(TransportDriver.service), .speaker("Transport")], changes: [.transport],
      steps: "Plays a tone with AVTransport, and sends Pause and Stop of Transport. AVTransport has to follow."
    ) { context async throws(Finding) in
      let renderer = try context.device(with: TransportDriver.service)
      let openHome = try context.device(with: "Transport")
      _ = try await renderer.transport.startTone(seconds: 30)
      try await openHome.call("Transport", "Pause")
      try await renderer.transport.wait(for: .paused)
      try await openHome.call("Transport", "Stop")
      try await renderer.transport.wait(for: .stopped)
    },
    check(
      "standby-stops-av", .practice, "Product's standby stops what AVTransport plays, and that is evented.",
      source: "openhome/ohPipeline: OpenHome/Av/Product.cpp deactivates the source", needs: product,
      changes: [.transport, .standby],
      steps: "Plays a tone with AVTransport and sends SetStandby. STOPPED has to be evented."
    ) { context async throws(Finding) in
      let renderer = try context.device(with: TransportDriver.service)
      _ = try await renderer.transport.startTone(seconds: 30)
      try await renderer.expectEvent(
        TransportDriver.service, "TransportState", "with STOPPED", where: { $0 == "STOPPED" }
      ) { () async throws(Finding) in try await context.write(.standby, "1") }
    },
    check(
      "av-ends-standby", .practice, "AVTransport's Play ends Product's standby.", source: player, needs: product,
      changes: [.transport, .standby],
      steps: "Sends SetStandby and plays a tone with AVTransport. Standby has to be false then."
    ) { context async throws(Finding) in
      try await context.write(.standby, "1")
      _ = try await context.device(with: TransportDriver.service).transport.startTone()
      try await context.expect(.standby, among: ["0", "false", "no"], "no standby while AVTransport plays")
    },
    check(
      "av-keeps-playlist", .practice, "Next of AVTransport leaves the playlist as it is.", source: player, needs: both,
      changes: [.transport, .playlist],
      steps: "Fills the playlist, plays a tone with AVTransport, and sends Next. Id of Playlist has to stay."
    ) { context async throws(Finding) in
      let renderer = try context.device(with: TransportDriver.service)
      let playlist = try context.device(with: PlaylistDriver.service).playlist
      try await playlist.fill(3)
      let id = try await playlist.currentID()
      _ = try await renderer.transport.startTone(seconds: 30)
      let answer = try await renderer.transport.answer("Next")
      context.measure("Next of AVTransport without a next URI", answer.summary)
      let now = try await playlist.currentID()
      try context.expect(now == id, "the Id \(id)", got: "\(now)")
    },
    check(
      "protocol-info", .must, "The formats of Playlist are those of ConnectionManager.",
      source: "\(PlaylistChecks.wiki), ProtocolInfo",
      needs: [.speaker(PlaylistDriver.service), .speaker("ConnectionManager")], changes: [],
      steps: "Compares ProtocolInfo with Sink of GetProtocolInfo, in any order."
    ) { context async throws(Finding) in
      let playlist = try await context.device(with: PlaylistDriver.service).playlist.value("ProtocolInfo")
      let manager = try context.device(with: "ConnectionManager")
      let sink = try await manager.call("ConnectionManager", "GetProtocolInfo")["Sink"] ?? ""
      let (one, other) = (Set(ProtocolInfo.list(playlist).map(\.text)), Set(ProtocolInfo.list(sink).map(\.text)))
      try context.expectNone(
        one.symmetricDifference(other).sorted().map { "\($0) in one of them" }, "the same formats in both")
    },
  ]
}

extension CheckContext {
  /// Waits until the volume is a share of its range, give or take two percent or a step.
  fileprivate func expectVolume(of range: ClosedRange<Int>, at share: Double) async throws(Finding) {
    let deadline = clock.now + times.settle
    let tolerance = max(0.02, 1 / Double(range.count - 1))
    while true {
      let text = try await read(.volume)
      if let volume = Int(device: text), abs(range.share(of: volume) - share) <= tolerance { return }
      guard clock.now < deadline, !Task.isCancelled else {
        noteLateness()
        throw .failure(expected: "a volume at \(Int((share * 100).rounded())) % of its range", got: text)
      }
      await clock.sleep(real: .milliseconds(50))
    }
  }

  /// Waits until Product's current source has a type.
  fileprivate func expectSource(_ type: String) async throws(Finding) {
    try await wait(for: "a source of the type \(type)", "Product", "SourceXml") { xml in
      (try? XMLDocument.read(Array(xml.utf8)).root)?.all("Source").contains { $0.text("Type") == type } ?? false
    }
    let xml = try await call("Product", "SourceXml")["Value"] ?? ""
    let sources = (try? XMLDocument.read(Array(xml.utf8)).root)?.all("Source") ?? []
    try await wait(for: "a source of the type \(type)", "Product", "SourceIndex") { index in
      Int(device: index).map { sources.indices.contains($0) && sources[$0].text("Type") == type } ?? false
    }
  }
}

extension ClosedRange<Int> {
  /// The position of a volume in the range, from 0 to 1.
  fileprivate func share(of volume: Int) -> Double { Double(volume - lowerBound) / Double(Swift.max(1, count - 1)) }
}

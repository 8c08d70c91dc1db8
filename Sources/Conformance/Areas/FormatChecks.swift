import ControlPoint
import UPnP

/// Whether the device plays the formats that it lists.
enum FormatChecks {
  static let needs: [Prerequisite] = [
    .action("ConnectionManager", "GetProtocolInfo"), .action("AVTransport", "SetAVTransportURI"),
    .action("AVTransport", "Play"),
  ]
  private static let source =
    "Microsoft HCK, Digital Media Renderer PROT-05; hzeller/gmrender-resurrect#231: control points send what Sink lists"

  static let all: [Check] =
    MediaFormat.all.map(plays) + [
      Check(
        "cm/2.4.1/plays-files", .media, .practice, "The device plays the given files of types that Sink lists.",
        source: source, needs: needs, changes: [.transport],
        steps: """
          Plays each file of the folder of --media whose type is in Sink. Passes if the state becomes PLAYING and the \
          position rises.
          """
      ) { context async throws(Finding) in
        guard !context.files.isEmpty else { throw .skip("there are no files; --media names a folder") }
        let sink = Set(try await context.sink().map(\.mimeType))
        let listed = context.files.filter { !sink.isDisjoint(with: $0.mimeTypes) }
        guard !listed.isEmpty else { throw .skip("Sink lists none of the files' types") }
        var problems: [String] = []
        for file in listed {
          let type = file.mimeTypes.first { sink.contains($0) } ?? ""
          let outcome = try await context.transport.outcome(of: try await context.serve(file, as: type))
          if outcome != .plays { problems.append("\(file.name) as \(type): \(outcome.description)") }
        }
        try context.expectNone(problems, "that each file plays")
      },
      rates(
        "rates", "Sound at 44.1 kHz and at 48 kHz plays, and at its own speed.", [(44_100, 16), (48_000, 16)],
        areRequired: true),
      rates(
        "high-rates", "Sound at 96 kHz and at 192 kHz plays at its own speed, if it plays.",
        [(96_000, 24), (192_000, 24)], areRequired: false),
    ]

  /// - Parameter sounds: rates in Hz, and bits of a sample.
  private static func rates(
    _ subject: String, _ requirement: String, _ sounds: [(rate: Int, bits: Int)], areRequired: Bool
  ) -> Check {
    let list = sounds.map { "\($0.rate) Hz with \($0.bits) bits" }.joined(separator: " and ")
    return Check(
      "cm/2.4.1/\(subject)", .media, .practice, requirement, source: "hzeller/gmrender-resurrect#202", needs: needs,
      changes: [.transport], mode: areRequired ? .standard : .slow,
      steps: """
        Plays WAV or FLAC of \(list). Passes if \(areRequired ? "both play, and " : "")the position rises with the time \
        while one plays. The table shows what plays.
        """
    ) { context async throws(Finding) in
      let type = try await context.losslessType()
      var problems: [String] = []
      var rows: [[String]] = []
      for (rate, bits) in sounds {
        let media = GeneratedMedia.lossless(PCM(seconds: 6, rate: rate, bits: bits), as: type)
        let name = "\(rate) Hz, \(bits) bits"
        let outcome = try await context.transport.outcome(of: try await context.serve(media), progress: .zero)
        guard outcome == .plays else {
          rows.append([name, outcome.description, ""])
          if areRequired { problems.append("\(name): \(outcome.description)") }
          continue
        }
        let speed = try await context.transport.speed() ?? 0
        let text = "\(Int((speed * 100).rounded())) %"
        rows.append([name, outcome.description, text])
        if !(0.7...1.4).contains(speed) { problems.append("\(name): a speed of \(text)") }
      }
      context.show(ResultTable(title: "Rates", columns: ["Sound", "Result", "Speed"], rows: rows))
      try context.expectNone(problems, "playback at its own speed")
    }
  }

  /// A format under each of its names.
  private static func plays(_ format: MediaFormat) -> Check {
    Check(
      "cm/2.4.1/plays-\(format.id)", .media, .practice, "The device plays \(format.name) if Sink lists it.",
      source: source, needs: needs, changes: [.transport],
      steps: """
        Plays a generated file of \(format.name), once with each MIME type that Sink lists. Passes if the file is fetched \
        and the state becomes PLAYING each time, and if the position rises the first time.
        """
    ) { context async throws(Finding) in
      let types = format.listed(in: try await context.sink())
      var problems: [String] = []
      var count = 0
      for type in types {
        guard let media = format.generate(seconds: 8, as: type) else { continue }
        let served = try await context.serve(media)
        // Otherwise, PLAYING of the previous file would count.
        if count > 0 { await context.stopPlayback(of: .transport) }
        let outcome = try await context.transport.outcome(of: served, progress: count == 0 ? .seconds(1) : .zero)
        count += 1
        if outcome != .plays {
          problems.append("\(type.contentFormat): \(outcome.description)")
        } else if await served.waitForGet(within: context.times.transition) == nil {
          problems.append("\(type.contentFormat): PLAYING without a request for the file")
        }
      }
      guard count > 0 else { throw .skip("Sink does not list \(format.name)") }
      try context.expectNone(problems, "that \(format.name) plays as each listed type")
    }
  }
}

extension CheckContext {
  func sink() async throws(Finding) -> [ProtocolInfo] {
    ProtocolInfo.list(
      try await shared.value("Sink") { () async throws(Finding) -> String in
        try await call("ConnectionManager", "GetProtocolInfo")["Sink"] ?? ""
      })
  }

  /// WAV or FLAC as Sink lists it.
  func losslessType() async throws(Finding) -> ProtocolInfo {
    let sink = try await sink()
    guard let type = [MediaFormat.wav, .flac].lazy.compactMap({ $0.listed(in: sink).first }).first else {
      throw .skip("Sink lists neither WAV nor FLAC")
    }
    return type
  }
}

extension TransportDriver {
  /// The rise of the position per second, over about one second.
  /// - Returns: nil if the position does not rise.
  func speed() async throws(Finding) -> Double? {
    // Many positions are in whole seconds: only the moments at which they rise are precise.
    let start = context.clock.now
    guard let first = try await nextRise(after: start) else { return nil }
    await context.clock.sleep(.milliseconds(900))
    guard let last = try await nextRise(after: start) else { return nil }
    return (last.position - first.position) / (last.time - first.time)
  }

  /// Waits until the position rises.
  /// - Returns: the new position, and the time since an instant.
  private func nextRise(
    after start: ContinuousClock.Instant
  ) async throws(Finding) -> (position: Duration, time: Duration)? {
    let begin = context.clock.now
    guard var last = try await position().time else { return nil }
    while context.clock.elapsed(since: begin) < .seconds(4), !Task.isCancelled {
      if let time = try await position().time {
        if time > last { return (time, context.clock.elapsed(since: start)) }
        last = time
      }
      await context.clock.sleep(.milliseconds(50))
    }
    return nil
  }
}

import CGStreamer
import Logging
import PlaybackModel

/// Fetches and decodes announcements into memory, each on a thread of its own.
struct AnnouncementLoader {
  /// A server may be silent this long.
  private static let patience = Duration.seconds(15)
  /// How much longer than the sound itself loading may take, for servers that send in real time.
  private static let grace = Duration.seconds(30)
  /// Fade in seconds where a sound is cut off.
  private static let fade = 0.05
  private static let longestChime = Duration.seconds(10)

  private var settings: PlayerSettings

  private let logger: Logger

  init(settings: PlayerSettings, logger: Logger) {
    self.settings = settings
    self.logger = logger
    // Samples are taken as they are decoded.
    self.settings.bufferBytes = 1 << 20
  }

  /// Starts loading an announcement. The body is called on another thread, once.
  func load(
    _ request: AnnouncementRequest, _ body: @escaping @Sendable (Result<AnnouncementSound, AnnouncementError>) -> Void
  ) {
    NamedThread.start("announcement", afterwards: swiftlet_give_memory_back) { [self] in
      do throws(AnnouncementError) {
        body(.success(try sound(request)))
      } catch {
        body(.failure(error))
      }
    }
  }

  private func sound(_ request: AnnouncementRequest) throws(AnnouncementError) -> AnnouncementSound {
    let isChime = request.content == .chime
    let chime = request.hasChime || isChime ? chime : []
    switch request.content {
    case .chime: return AnnouncementSound(chime)
    case .address(let address):
      do throws(PlaybackError) {
        try SourcePolicy(allowedFolders: settings.allowedFolders).check(address)
      } catch {
        throw .failed(error)
      }
      return AnnouncementSound(chime + (try parts(address, limit: request.limit)))
    case .local(let address, _): return AnnouncementSound(chime + (try parts(address, limit: request.limit)))
    }
  }

  /// The configured chime, or the built-in one if that cannot be read.
  private var chime: [AnnouncementSound.Part] {
    guard let file = settings.chimeFile, let uri = gst_filename_to_uri(file, nil) else { return [Chime.sound] }
    defer { g_free(uri) }
    do {
      return try parts(String(cString: uri), limit: Self.longestChime)
    } catch {
      logger.warning("The chime \(file) cannot be played, so the built-in one is: \(error)")
      return [Chime.sound]
    }
  }

  private func parts(_ address: String, limit: Duration) throws(AnnouncementError) -> [AnnouncementSound.Part] {
    for isWithoutRanges in [false, true] {
      do throws(Interruption) {
        return try read(address, isWithoutRanges: isWithoutRanges, limit: limit)
      } catch .failed(let error) {
        throw error
      } catch {
        continue
      }
    }
    throw .failed(.truncated)
  }

  private enum Interruption: Error {
    case failed(AnnouncementError)
    /// The server ignores range requests, which the decoder has made.
    case rangeIgnored
  }

  private func read(
    _ address: String, isWithoutRanges: Bool, limit: Duration
  ) throws(Interruption) -> [AnnouncementSound.Part] {
    GStreamerLibrary.start()
    let mailbox = Mailbox()
    let source = try open(address, isWithoutRanges, mailbox)
    source.open()
    defer { source.end() }
    var samples = PartCollector(limit: limit)
    let deadline = ContinuousClock.now + limit + Self.grace
    var lastSamples = ContinuousClock.now
    while !samples.isFull {
      switch source.pull(timeout: .milliseconds(50)) {
      case .samples(let buffer):
        samples.add(buffer)
        lastSamples = .now
      case .nothing, .early: if try hasEnded(source, mailbox, hasSamples: !samples.isEmpty) { return samples.parts }
      case .end:
        _ = try hasEnded(source, mailbox, hasSamples: !samples.isEmpty)
        guard !samples.isEmpty else { throw .failed(.failed(.notAudio)) }
        return samples.parts
      }
      if source.bytesRead > AnnouncementSound.largestFile { throw .failed(.tooLarge) }
      if lastSamples.duration(to: .now) > Self.patience || .now > deadline {
        throw .failed(.failed(samples.isEmpty ? .timedOut : .stalled))
      }
    }
    samples.fadeOut(seconds: Self.fade)
    return samples.parts
  }

  private func open(
    _ address: String, _ isWithoutRanges: Bool, _ mailbox: Mailbox
  ) throws(Interruption) -> DecoderPipeline {
    do throws(PlaybackError) {
      return try DecoderPipeline(
        uri: address, isWithoutRanges: isWithoutRanges, settings: settings, mailbox: mailbox)
    } catch {
      throw .failed(.failed(error))
    }
  }

  /// Handles the events of the source.
  /// - Returns: whether a failure showed that the stream is at its end.
  private func hasEnded(_ source: DecoderPipeline, _ mailbox: Mailbox, hasSamples: Bool) throws(Interruption) -> Bool {
    while let work = mailbox.next(timeout: .zero) {
      guard case .source(_, .failed(let failure)) = work else { continue }
      if failure.cause == .rangeIgnored { throw .rangeIgnored }
      let diagnosis = FailureDiagnosis(
        failure: failure, isPrerolled: hasSamples, hasReceived: source.context.hasReceived)
      switch diagnosis.verdict {
      case .atEnd, .positionBeyondEnd: return true
      case .error(let error): throw .failed(.failed(error))
      }
    }
    return false
  }
}

/// Collects samples as 16 bits of one or two channels, up to a limit.
private struct PartCollector {
  private(set) var parts: [AnnouncementSound.Part] = []
  private var time: Int64 = 0
  private var bytes = 0
  private var dither = Dither()
  private let limit: Int64

  init(limit: Duration) { self.limit = limit.nanoseconds }

  var isEmpty: Bool { parts.isEmpty }
  var isFull: Bool { time >= limit || bytes >= AnnouncementSound.mostBytes }

  mutating func add(_ buffer: SampleBuffer) {
    let format = buffer.format
    let channels = min(format.channels, 2)
    if parts.last?.rate != format.rate || parts.last?.channels != channels {
      parts.append(AnnouncementSound.Part(rate: format.rate, channels: channels, samples: []))
    }
    let frames = min(buffer.frames, format.frames(nanoseconds: limit - time))
    let new = samples(of: buffer, frames: Int(frames))
    parts[parts.count - 1].samples += new
    time += format.nanoseconds(frames: frames)
    bytes += new.count * 2
  }

  private mutating func samples(of buffer: SampleBuffer, frames: Int) -> [Int16] {
    let format = buffer.format
    let bytes = buffer.withBytes { [UInt8]($0) }
    if format.name == "S16LE", format.channels <= 2 {
      return bytes.withUnsafeBytes { bytes in
        (0..<min(frames * format.channels, bytes.count / 2)).map {
          Int16(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self))
        }
      }
    }
    guard var wide = WideSamples(format: format)?.unpack(bytes, frames: 0..<frames) else { return [] }
    if format.channels > 2 { wide = StereoMix(sides: format.sides).apply(to: wide) }
    wide.withUnsafeMutableBufferPointer { dither.apply(to: $0, depth: 16) }
    return wide.map { $0.isFinite ? Int16(max(-32_768, min(32_767, ($0 * 32_768).rounded()))) : 0 }
  }

  /// Lets the end fade, because the sound was cut off there.
  mutating func fadeOut(seconds: Double) {
    guard let last = parts.indices.last else { return }
    let frames = min(parts[last].frames, Int(seconds * Double(parts[last].rate)))
    let (channels, count) = (parts[last].channels, parts[last].frames)
    for frame in 0..<frames {
      let gain = 1 - Double(frame + 1) / Double(frames)
      for channel in 0..<channels {
        let index = (count - frames + frame) * channels + channel
        parts[last].samples[index] = Int16(Double(parts[last].samples[index]) * gain)
      }
    }
  }
}

import CGStreamer
import PlaybackModel
import Synchronization

/// Plays raw samples through the engine's feeder and output chain, without a source. For the program `run-output`.
package enum OutputProbe {
  /// Plays interleaved 16-bit little-endian samples. Blocks until everything was heard.
  /// - Parameter read: returns at most this many bytes, in whole frames; empty at the end. Called on the feeder's
  ///   thread, and may block.
  package static func play(
    to description: OutputDescription, rate: Int, channels: Int, read: @escaping @Sendable (Int) -> [UInt8]
  ) throws(OutputError) {
    let mailbox = Mailbox()
    let output = try OutputChain(description, mailbox: mailbox)
    do throws(PlaybackError) {
      try output.probe()
    } catch {
      throw OutputError("The output “\(description)” cannot be opened: \(error)", playbackError: error)
    }
    let feeder = Feeder(output: output, mailbox: mailbox)
    defer {
      feeder.halt()
      output.close()
      feeder.quit()
    }
    if output.open() {
      output.begin(RunID(1))
      let samples = PCMSource(rate: rate, channels: channels, read: read)
      feeder.begin(RunID(1), source: FeedSource(id: 1, trackID: 1, samples: samples))
    }
    while let work = mailbox.next(timeout: nil) {
      switch work {
      case .output(_, .ended): return
      case .output(_, .failed(let failure)):
        throw OutputError("The output “\(description)” failed: \(failure.message)")
      case .output(_, .latencyChanged): output.recalculateLatency()
      default: break
      }
    }
  }
}

private final class PCMSource: SampleSource {
  private let caps: String
  private let chunk: Int
  private let read: @Sendable (Int) -> [UInt8]

  init(rate: Int, channels: Int, read: @escaping @Sendable (Int) -> [UInt8]) {
    let mask = channels == 2 ? ",channel-mask=(bitmask)0x3" : ""
    caps = "audio/x-raw,format=S16LE,layout=interleaved,rate=\(rate),channels=\(channels)\(mask)"
    chunk = rate / 20 * channels * 2
    self.read = read
  }

  func open() {}
  func end() {}

  func pull(timeout: Duration, lead: () -> ClockedPlayout.Lead?) -> SamplePull {
    let bytes = read(chunk)
    guard !bytes.isEmpty, let caps = gst_caps_from_string(caps) else { return .end }
    defer { swiftlet_caps_unref(caps) }
    return bytes.withUnsafeBytes { SampleBuffer(copying: $0, caps: caps) }.map { .samples($0) } ?? .end
  }
}

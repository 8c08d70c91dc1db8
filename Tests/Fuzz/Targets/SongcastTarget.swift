import NIOCore
import Songcast

/// A datagram of OHM or OHZ. What is read must be written the same, apart from repaired text.
enum SongcastTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let datagram = ByteBuffer(bytes: input)
    if let message = try? OHMMessage(datagram) {
      let bytes = message.encoded()
      check((try? OHMMessage(bytes)) == message, "OHM changes when it is written")
      switch message {
      case .audio(let frame):
        check(frame.pcm.readableBytes == Int(frame.sampleCount) * frame.format.bytesPerSample, "the size of the sound")
        check(frame.latency >= .zero && frame.latency <= .seconds(1), "the latency \(frame.latency)")
      case .slave(let slaves): check(slaves.count * 6 <= input.count, "\(slaves.count) slaves")
      case .resend(let frames): check(frames.count * 4 <= input.count, "\(frames.count) frames")
      default: break
      }
    }
    if let message = try? OHZMessage(datagram) {
      check((try? OHZMessage(message.encoded())) == message, "OHZ changes when it is written")
      if case .zoneURI(_, let text) = message, let uri = SongcastURI(text) {
        check(SongcastURI(uri.description) == uri, "the URI \(text) changes when it is written")
      }
    }
  }
}

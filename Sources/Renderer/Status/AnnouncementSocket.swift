import FoundationEssentials
import NIOCore
import PlaybackModel
import SpeakerCore

/// Announces files that users of this machine send, which the service itself may not be able to read.
///
/// A client sends a line of JSON (`NewAnnouncement`; `uri` is the name of the file), then the file, and closes its side. The
/// answer is empty, or a sentence with the reason for a refusal.
struct LocalAnnouncements: Sendable {
  /// Announces a file. Called on the event loop; the reply comes there, too.
  let announce: @Sendable (AnnouncementRequest, _ waits: Bool, _ reply: @escaping (CommandError?) -> Void) -> Void
}

/// A client that sends an announcement.
final class AnnouncementHandler: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  /// Limit for the first line, in bytes.
  private static let longestLine = 8192
  /// Limit for the time in which the file arrives.
  private static let patience = TimeAmount.seconds(60)

  private let announcements: LocalAnnouncements
  private var line: [UInt8] = []
  /// Nil before the end of the first line.
  private var file: MemoryFile?
  private var timer: Scheduled<Void>?
  private var isAnswered = false

  init(_ announcements: LocalAnnouncements) { self.announcements = announcements }

  func channelActive(context: ChannelHandlerContext) {
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) { timer?.cancel() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isAnswered else { return }
    var bytes = unwrapInboundIn(data).readableBytesView[...]
    if file == nil {
      let head = bytes.prefix { $0 != UInt8(ascii: "\n") }
      line += head
      guard line.count <= Self.longestLine else { return answer("The request is not valid.", context) }
      guard head.count < bytes.count else { return }
      bytes = bytes.dropFirst(head.count + 1)
      guard let file = MemoryFile() else { return answer("There is no memory for the file.", context) }
      self.file = file
    }
    guard let file, file.count + bytes.count <= AnnouncementSound.largestFile else {
      return answer(AnnouncementError.tooLarge.description, context)
    }
    if !file.append(bytes) { answer("There is no memory for the file.", context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case .inputClosed? = event as? ChannelEvent, !isAnswered else {
      return context.fireUserInboundEventTriggered(event)
    }
    timer?.cancel()
    guard let file, let new = try? JSONDecoder().decode(NewAnnouncement.self, from: Data(line)) else {
      return answer("The request is not valid.", context)
    }
    do throws(NewAnnouncement.Problem) {
      let request = try new.request(ofFile: file.address)
      announcements.announce(request, new.waits) { [self] error in
        // The file is open until here.
        withExtendedLifetime(file) {}
        answer(error?.description ?? "", context)
      }
    } catch {
      answer(error.description, context)
    }
  }

  private func answer(_ text: String, _ context: ChannelHandlerContext) {
    isAnswered = true
    file = nil
    guard context.channel.isActive else { return }
    let end = context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: text + "\n")))
    end.assumeIsolated().whenComplete { _ in context.close(promise: nil) }
  }
}

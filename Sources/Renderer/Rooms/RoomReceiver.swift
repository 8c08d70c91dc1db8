import NIOCore
import Playback
import PlaybackEngine
import PlaybackModel
import Songcast

/// Receives the sound of another room, by Songcast. Used on the event loop.
final class RoomReceiver {
  /// The zones of the network, shared by all that sends and receives in this process.
  let zones: ZoneLink
  private let eventLoop: any EventLoop
  /// Created when it is first needed.
  private var receiver: SongcastReceiver?
  private var input: ClockedInput?
  private var sound = ReceivedSound()
  /// Shows the sender's tracks and titles.
  weak var source: ReceiverSource?
  /// Called when another stream, or none, is received.
  var onStream: (SongcastURI?) -> Void = { _ in }

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    zones = ZoneLink(eventLoop: eventLoop)
  }

  /// How the player plays senders.
  var openInput: OpenInput {
    let receiver = NIOLoopBound(self, eventLoop: eventLoop)
    return { [eventLoop] address, input in
      guard let uri = SongcastURI(address) else { return false }
      eventLoop.execute { receiver.value.play(uri, into: input) }
      return true
    }
  }

  private func play(_ uri: SongcastURI, into input: ClockedInput) {
    self.input = input
    sound = ReceivedSound()
    let receiver =
      receiver
      ?? SongcastReceiver(zones: zones, eventLoop: eventLoop, lead: Self.lead) { [weak self] in
        self?.handle($0)
      }
    self.receiver = receiver
    receiver.stop()
    receiver.play(uri)
    let bound = NIOLoopBound(self, eventLoop: eventLoop)
    input.onClose { [eventLoop] in
      eventLoop.execute { bound.value.stop(input) }
    }
  }

  /// How long before its time a sample must be there: it takes this long through the output.
  private static let lead = TimeAmount.nanoseconds(ClockedPlayout.fill / 2) + .milliseconds(50)

  private func stop(_ input: ClockedInput) {
    if input === self.input { stop() }
  }

  /// Leaves the sender, if any.
  func stop() {
    input = nil
    receiver?.stop()
  }

  private func handle(_ event: SongcastReceiver.Event) {
    switch event {
    case .frame(let frame): for piece in sound.pieces(of: frame) { input?.add(piece) }
    case .track(let track): source?.announced(uri: track.uri, metadata: track.metadata)
    case .metatext(let text): source?.announced(text: text.text)
    case .state(let state): source?.sound(isArriving: state == .playing)
    case .stream(let uri): onStream(uri)
    // Lost frames leave a gap between the places of the others.
    case .lost(let count): source?.lost(count)
    }
  }
}

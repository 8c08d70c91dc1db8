import NIOCore
import Network
import NetworkTesting
import Synchronization
import Testing

@testable import Songcast

/// Plays the sender's part of a recording, and loses some frames.
private final class Replay {
  private let sound: DatagramSocket
  private var frames: [AudioFrame] = []
  private var texts: [OHMMessage] = []
  private var control: DatagramSocket?
  private var zone: GroupSockets?
  private var next = 0
  private let loop: any EventLoop
  private(set) var receiver: Endpoint?
  private(set) var requested: Set<UInt32> = []
  private(set) var hasLeft = false
  private var answer: OHZMessage?

  static let uri = "ohu://198.51.100.1:34318"

  init(_ recording: Recording, room: Room) throws {
    loop = room.loop
    sound = DatagramSocket(
      try StreamSockets.openUnicast(), eventLoop: loop, onDatagram: { _ in }, onLoss: {})
    for datagram in recording.datagrams {
      if let message = try? OHMMessage(datagram.bytes), datagram.source.address == IPAddress("198.51.100.1") {
        switch message {
        case .audio(var frame) where datagram.destination.address == IPAddress("198.51.100.2"):
          // A busy machine must not be too late.
          frame.mediaLatency = 12_288_000
          frames.append(frame)
        case .track, .metatext: texts.append(message)
        default: break
        }
      } else if let message = try? OHZMessage(datagram.bytes), case .zoneURI = message {
        answer = message
      }
    }
    control = DatagramSocket(
      try StreamSockets.openUnicast(port: 34318), eventLoop: loop,
      onDatagram: { [weak self] in self?.receive($0) }, onLoss: {})
    let zone = GroupSockets(
      SongcastURI.zones, ttl: 1, eventLoop: loop, onDatagram: { [weak self] in self?.receiveZone($0) }, onLoss: {})
    zone.use(room.zones.value.interfaces)
    self.zone = zone
  }

  var recorded: [AudioFrame] { frames }

  /// Every seventh frame is lost, and three in a row. The last one arrives, so that a gap is noticed.
  static func isLost(_ index: Int) -> Bool { index % 7 == 3 || (50...52).contains(index) }

  func close() {
    sound.close()
    control?.close()
    zone?.close()
  }

  private func receiveZone(_ datagram: Datagram) {
    if let message = try? OHZMessage(datagram.bytes), message == .zoneQuery(zone: "wavsender-a"), let answer {
      zone?.send(answer.encoded())
    }
  }

  private func receive(_ datagram: Datagram) {
    switch try? OHMMessage(datagram.bytes) {
    case .join:
      for text in texts.suffix(2) { control?.send(text.encoded(), to: datagram.sender) }
      if receiver == nil { playNext() }
      receiver = datagram.sender
    case .resend(let numbers):
      requested.formUnion(numbers)
      for var frame in frames where numbers.contains(frame.number) {
        frame.flags.insert(.resent)
        sound.send(OHMMessage.audio(frame).encoded(), to: datagram.sender)
      }
    case .leave: hasLeft = true
    default: break
    }
  }

  private func playNext() {
    loop.assumeIsolated().scheduleTask(in: .milliseconds(5)) { [weak self] in
      guard let self, next < frames.count, let receiver else { return }
      if !Self.isLost(next) || next == frames.count - 1 {
        sound.send(OHMMessage.audio(frames[next]).encoded(), to: receiver)
      }
      next += 1
      playNext()
    }
  }
}

/// The reference's sender, as recorded, and receivers of this project, each in a network of its own.
@Suite(.serialized, .enabled(if: NetworkNamespace.isAvailable)) struct ReplayTests {
  @Test func joinsPlaysAndRepairsARecordedStream() async throws {
    try await Room.with(2) { rooms in
      let loop = rooms[0].loop
      let replay = try await loop.submit { [room = rooms[0]] in
        NIOLoopBound(try Replay(Recording("stream.txt"), room: room), eventLoop: loop)
      }.get()
      let receiver = try await HeardReceiver(in: rooms[1])
      try await receiver.play(.zone("wavsender-a"))
      let recorded = try await loop.submit { replay.value.recorded }.get()
      #expect(recorded.count > 200)
      try await waitUntil {
        receiver.heard.frames.last?.frame.number == recorded.last?.number
      } state: {
        "\(receiver.heard.frames.count) frames of \(recorded.count)"
      }
      let heard = receiver.heard
      let first = try #require(heard.frames.first?.frame.number)
      // The texts arrive with the first frames.
      let expected = recorded.filter { $0.number >= first }
      #expect(recorded.count - expected.count < 20)
      #expect(heard.frames.map(\.frame.number) == expected.map(\.number))
      #expect(heard.frames.map(\.frame.pcm) == expected.map(\.pcm))
      #expect(heard.lost == 0)
      #expect(heard.frames.dropFirst().allSatisfy { $0.joint == .continues })
      #expect(heard.frames.filter(\.frame.isResent).count >= 30)
      #expect(heard.texts.map(\.text) == ["PcmSender repeated play"])
      #expect(heard.tracks.count == 1)
      // The kernel's times are in order, whatever the delays of this program.
      let arrivals = heard.frames.filter { !$0.frame.isResent }.map(\.arrival)
      #expect(arrivals == arrivals.sorted())
      try await receiver.stop()
      try await waitUntil { try await loop.submit { replay.value.hasLeft }.get() }
      try await loop.submit { replay.value.close() }.get()
    }
  }
}

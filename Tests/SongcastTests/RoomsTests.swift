import NIOCore
import Network
import NetworkTesting
import Synchronization
import Testing

@testable import Songcast

/// Senders and receivers of this project, each in a network of its own.
@Suite(.serialized, .enabled(if: NetworkNamespace.isAvailable)) struct RoomsTests {
  @Test(arguments: [SongcastSender.Mode.unicast, .multicast(channel: 300)])
  func twoRoomsHearTheSameSound(mode: SongcastSender.Mode) async throws {
    try await Room.with(3) { rooms in
      let kitchen = try await HeardReceiver(in: rooms[1])
      let bath = try await HeardReceiver(in: rooms[2])
      // Before there is a sender.
      try await kitchen.play(.zone("living"))
      let sender = try await Self.start(mode, in: rooms[0])
      try await sender.playUntil { !kitchen.heard.frames.isEmpty }
      try await bath.play(.zone("living"))
      try await sender.playUntil { bath.heard.frames.count >= 50 && kitchen.heard.frames.count >= 100 }
      for receiver in [kitchen, bath] {
        let heard = receiver.heard
        let numbers = heard.frames.map(\.frame.number)
        #expect(numbers == (0..<UInt32(numbers.count)).map { $0 + (numbers.first ?? 0) })
        #expect(heard.frames.allSatisfy { $0.frame.pcm == frame(number: UInt32($0.frame.sampleStart / 220)).pcm })
        #expect(heard.lost == 0)
        #expect(heard.tracks.last?.uri == "http://192.0.2.1/a.flac")
      }
      // The first room leaves, and the other goes on.
      try await kitchen.stop()
      let count = bath.heard.frames.count
      try await sender.playUntil { bath.heard.frames.count >= count + 50 }
      #expect(bath.heard.lost == 0)
      try await bath.stop()
      try await sender.close()
    }
  }

  @Test func aZoneThatChangesItsModeIsFollowed() async throws {
    try await Room.with(2) { rooms in
      let kitchen = try await HeardReceiver(in: rooms[1])
      let sender = try await Self.start(.unicast, in: rooms[0])
      try await kitchen.play(.zone("living"))
      try await sender.playUntil { !kitchen.heard.frames.isEmpty }
      try await sender.set(.multicast(channel: 300))
      let restarts = { kitchen.heard.frames.filter { $0.joint == .restart }.count }
      try await sender.playUntil { restarts() == 2 }
      try await sender.set(.off)
      try await waitUntil { kitchen.heard.streams.last == .some(nil) }
      #expect(kitchen.heard.states.last == .waiting)
      #expect(kitchen.heard.streams.contains(.channel(300)))
      try await sender.set(.unicast)
      try await sender.playUntil { restarts() == 3 }
      try await kitchen.stop()
      try await sender.close()
    }
  }

  /// A speaker that receives announces the real sender, so that a chain collapses.
  @Test func aChainOfRoomsHearsTheRealSender() async throws {
    try await Room.with(3) { rooms in
      let kitchen = try await HeardReceiver(in: rooms[1])
      let bath = try await HeardReceiver(in: rooms[2])
      let living = try await Self.start(.unicast, in: rooms[0])
      let follower = try await PlayingSender(.unicast, zone: "kitchen", in: rooms[1])
      try await bath.play(.zone("kitchen"))
      try await kitchen.play(.zone("living"))
      try await living.playUntil { !kitchen.heard.frames.isEmpty }
      let stream = try #require(kitchen.heard.streams.last ?? nil)
      try await follower.follow(stream)
      try await living.playUntil { bath.heard.frames.count >= 20 }
      #expect(bath.heard.streams.last == stream)
      for receiver in [bath, kitchen] { try await receiver.stop() }
      for sender in [follower, living] { try await sender.close() }
    }
  }

  /// Forged and foreign datagrams, from a third machine, at everything that is open.
  @Test func floodsLeaveNoGap() async throws {
    try await Room.with(3) { rooms in
      let kitchen = try await HeardReceiver(in: rooms[1])
      let sender = try await Self.start(.multicast(channel: 300), in: rooms[0])
      try await kitchen.play(.zone("living"))
      try await sender.playUntil { !kitchen.heard.frames.isEmpty }
      let flood = try await Flood(in: rooms[2])
      let count = kitchen.heard.frames.count
      try await sender.playUntil { kitchen.heard.frames.count >= count + 100 }
      #expect(flood.sent > 1000)
      try await flood.stop()
      let heard = kitchen.heard
      #expect(heard.lost == 0)
      #expect(heard.frames.dropFirst().allSatisfy { $0.joint == .continues })
      #expect(heard.tracks.map(\.uri) == ["http://192.0.2.1/a.flac"])
      // When the sender pauses, another source may take over.
      let arrivals = heard.frames.map(\.arrival)
      let isSteady = zip(arrivals, arrivals.dropFirst()).allSatisfy { $1 - $0 < StreamSource.silence }
      #expect(!isSteady || heard.texts.map(\.text) == [""])
      try await kitchen.stop()
      try await sender.close()
    }
  }

  /// The cable of a receiver is pulled out and put in again, with another address.
  @Test(arguments: [SongcastSender.Mode.unicast, .multicast(channel: 300)])
  func goesOnWithAnotherAddress(mode: SongcastSender.Mode) async throws {
    try await Room.with(2) { rooms in
      let kitchen = try await HeardReceiver(in: rooms[1])
      let sender = try await Self.start(mode, in: rooms[0])
      try await kitchen.play(.zone("living"))
      try await sender.playUntil { kitchen.heard.frames.count >= 20 }
      try rooms[1].namespace.ip("link", "set", "room0", "down")
      try rooms[1].namespace.ip("address", "flush", "dev", "room0")
      let count = kitchen.heard.frames.count
      try rooms[1].namespace.ip("address", "add", "198.51.100.77/24", "dev", "room0")
      try rooms[1].namespace.ip("link", "set", "room0", "up")
      try await sender.playUntil { kitchen.heard.frames.count >= count + 20 }
      try await kitchen.stop()
      try await sender.close()
    }
  }

  private static func start(_ mode: SongcastSender.Mode, in room: Room) async throws -> PlayingSender {
    try await PlayingSender(mode, in: room)
  }
}

/// A sender that plays on demand.
private final class PlayingSender: Sendable {
  private let sender: NIOLoopBound<SongcastSender>
  private let loop: any EventLoop
  /// Frames played, whether anybody listened or not.
  private let position = Position()

  private final class Position: Sendable {
    private let count = Mutex<UInt32>(0)

    var next: UInt32 {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  init(_ mode: SongcastSender.Mode, zone: String = "living", in room: Room) async throws {
    let loop = room.loop
    let zones = room.zones
    self.loop = loop
    sender = try await loop.submit {
      let sender = SongcastSender(
        zone: zone, preset: 0, metadata: "<DIDL-Lite/>", zones: zones.value, eventLoop: loop, onState: { _ in })
      sender.set(mode)
      sender.set(uri: "http://192.0.2.1/a.flac", metadata: "")
      return NIOLoopBound(sender, eventLoop: loop)
    }.get()
  }

  func set(_ mode: SongcastSender.Mode) async throws {
    try await loop.submit { [sender] in sender.value.set(mode) }.get()
  }

  func follow(_ uri: SongcastURI) async throws {
    try await loop.submit { [sender] in sender.value.follow(uri) }.get()
  }

  func close() async throws { try await loop.submit { [sender] in sender.value.close() }.get() }

  /// Plays until a condition is met.
  func playUntil(_ condition: () -> Bool) async throws {
    try await waitUntil(every: .milliseconds(5)) {
      try await loop.submit { [sender, position] in
        var sound = frame(number: position.next)
        // A busy machine must not be too late.
        sound.mediaLatency = 11_289_600
        sender.value.send(sound)
      }.get()
      return condition()
    }
  }
}

/// Sends forged messages to the channel and the zones, as fast as it can.
private final class Flood: Sendable {
  private let sockets: NIOLoopBound<[GroupSockets]>
  private let loop: any EventLoop
  private let isStopped = Flag()
  private let count = Count()

  private final class Flag: Sendable {
    let isSet = Mutex(false)
  }

  private final class Count: Sendable {
    let value = Mutex(0)
  }

  init(in room: Room) async throws {
    let loop = room.loop
    let zones = room.zones
    self.loop = loop
    sockets = try await loop.submit {
      let groups = [endpoint("239.253.1.44:51970"), SongcastURI.zones].map { group in
        let sockets = GroupSockets(group, ttl: 1, eventLoop: loop, onDatagram: { _ in }, onLoss: {})
        sockets.use(zones.value.interfaces)
        return sockets
      }
      return NIOLoopBound(groups, eventLoop: loop)
    }.get()
    loop.execute { [sockets, isStopped, count] in Self.send(loop, sockets, isStopped, count, 0) }
  }

  var sent: Int { count.value.withLock { $0 } }

  func stop() async throws {
    isStopped.isSet.withLock { $0 = true }
    try await loop.submit { [sockets] in for socket in sockets.value { socket.close() } }.get()
  }

  private static func send(
    _ loop: any EventLoop, _ sockets: NIOLoopBound<[GroupSockets]>, _ isStopped: Flag, _ count: Count, _ turn: UInt32
  ) {
    guard !isStopped.isSet.withLock({ $0 }) else { return }
    let forged: [OHMMessage] = [
      .resend(Array(turn..<turn + 100)), .listen, .slave([endpoint("203.0.113.1:9")]), .leave,
      .metatext(Metatext(sequence: 9, text: "forged")), .resend(Array(0..<300)),
    ]
    for message in forged { sockets.value[0].send(message.encoded()) }
    var broken = OHMMessage.audio(frame(number: turn)).encoded()
    broken.setInteger(UInt8(truncatingIfNeeded: turn), at: 4 + Int(turn % 54))
    // A frame that is still valid would be the sound of a newcomer, to which a sender gives way.
    if (try? OHMMessage(broken)) == nil { sockets.value[0].send(broken) }
    sockets.value[1].send(OHZMessage.zoneQuery(zone: "living").encoded())
    sockets.value[1].send(OHZMessage.zoneURI(zone: "other", uri: "ohu://0.0.0.0:0").encoded())
    sockets.value[1].send(ByteBuffer(repeating: UInt8(truncatingIfNeeded: turn), count: 1400))
    count.value.withLock { $0 += forged.count + 4 }
    loop.scheduleTask(in: .milliseconds(1)) { send(loop, sockets, isStopped, count, turn &+ 1) }
  }
}

import Testing
import UPnP

@testable import ControlPoint

/// Which rooms play together, from what each says.
@Suite struct RoomGroupsTests {
  private static func metadata(_ name: String, zone: String, mode: String = "u") -> String {
    DIDLLite.item(
      title: name, uri: "ohz://239.255.255.250:51972/\(zone)", class: .audioItem, artwork: "",
      protocolInfo: "ohz:*:*:\(mode)")
  }

  private static func sender(_ name: String, mode: String = "u", status: RoomSender.Status = .enabled) -> RoomSender {
    RoomSender(metadata: metadata(name, zone: "zone-\(name)", mode: mode), status: status)
  }

  /// A room that sends as `zone-NAME`, with its own address.
  private static func room(
    _ name: String, hears other: RoomSender? = nil, current: Bool = true, state: PlaybackState = .playing
  ) -> RoomState {
    RoomState(
      id: name, name: name, hosts: ["192.0.2.\(name.count)"], sender: sender(name),
      receiver: .init(sender: other, isCurrent: current && other != nil, state: state))
  }

  /// Groups as `leader+member+member`, and `?` for an unknown leader.
  private static func text(_ groups: RoomGroups) -> [String] {
    groups.groups.map { (["\($0.leader ?? "?")"] + $0.members).joined(separator: "+") }
  }

  @Test(arguments: [
    ("nobody receives", [room("A"), room("BB")], []),
    ("a pair", [room("A"), room("BB", hears: sender("A"))], ["A+BB"]),
    ("waiting for the sender", [room("A"), room("BB", hears: sender("A"), state: .waiting)], ["A+BB"]),
    ("a stored sender, with another source", [room("A"), room("BB", hears: sender("A"), current: false)], []),
    ("a stopped receiver", [room("A"), room("BB", hears: sender("A"), state: .stopped)], []),
    (
      "a chain collapses to the real sender",
      [room("CCC", hears: sender("BB")), room("BB", hears: sender("A")), room("A")], ["A+CCC+BB"]
    ),
    (
      "two groups",
      [room("A"), room("BB", hears: sender("DDDD")), room("CCC", hears: sender("A")), room("DDDD")],
      ["DDDD+BB", "A+CCC"]
    ),
    ("an unknown sender", [room("A", hears: sender("X")), room("BB", hears: sender("X"))], ["?+A+BB"]),
    ("two unknown senders", [room("A", hears: sender("X")), room("BB", hears: sender("Y"))], ["?+A", "?+BB"]),
    (
      "rooms that wait for each other", [room("A", hears: sender("BB")), room("BB", hears: sender("A"))],
      ["?+A", "?+BB"]
    ),
    ("a room that waits for itself", [room("A", hears: sender("A"))], ["?+A"]),
    (
      "a direct address, by its host",
      [room("A"), room("BB", hears: RoomSender(uri: "ohu://192.0.2.1:5000", metadata: ""))], ["A+BB"]
    ),
    (
      "a direct address of two senders on one host",
      [room("A"), room("B"), room("CCC", hears: RoomSender(uri: "ohu://192.0.2.1:5000", metadata: ""))], ["?+CCC"]
    ),
    (
      "a direct address whose metadata names the zone",
      [room("A"), room("BB", hears: RoomSender(uri: "ohm://239.253.0.1:51970", metadata: sender("A").metadata))],
      ["A+BB"]
    ),
    (
      "one multicast group of an unknown sender",
      [
        room("A", hears: RoomSender(uri: "ohm://239.253.0.1:51970", metadata: "")),
        room("BB", hears: RoomSender(uri: "ohm://239.253.0.1:51970", metadata: "")),
      ], ["?+A+BB"]
    ),
  ])
  func groups(name: String, rooms: [RoomState], groups: [String]) {
    #expect(Self.text(RoomGroups(rooms)) == groups, "\(name)")
  }

  @Test func namesTheLeaderAndTheTitle() {
    let groups = RoomGroups([Self.room("A"), Self.room("BB", hears: Self.sender("A")), Self.room("CCC")])
    #expect(groups.leader(of: "A") == "A")
    #expect(groups.leader(of: "BB") == "A")
    #expect(groups.leader(of: "CCC") == "CCC")
    #expect(groups.group(of: "CCC") == nil)
    #expect(groups.group(of: "BB")?.all == ["A", "BB"])
    let unknown = RoomGroups([Self.room("A", hears: Self.sender("Office PC"))])
    #expect(unknown.groups.first?.title == "Office PC")
    #expect(unknown.leader(of: "A") == nil)
  }

  // MARK: Joins

  /// Rooms with two letters and more that receive `A`.
  private static func receivers(_ count: Int, of sender: RoomSender = sender("A")) -> [RoomState] {
    (0..<count).map { room("R\($0)", hears: sender) }
  }

  private static let bare = RoomState(id: "AV", name: "AV", sender: nil, receiver: nil)

  private static func changed(_ room: RoomState, _ change: (inout RoomState) -> Void) -> RoomState {
    var room = room
    change(&room)
    return room
  }

  @Test(
    arguments: [
      ("a room joins", [room("A"), room("J")], "A", .success(sender("A").uri)),
      (
        "a room joins a receiver, and gets the real sender", [room("A"), room("BB", hears: sender("A")), room("J")],
        "BB",
        .success(sender("A").uri)
      ),
      (
        "a room joins the receiver of an unknown sender", [room("BB", hears: sender("X")), room("J")], "BB",
        .success(sender("X").uri)
      ),
      ("itself", [room("J")], "J", .failure(.sameRoom("J"))),
      ("a room that has gone", [room("J")], "A", .failure(.unknown)),
      (
        "its own receiver", [room("BB", hears: sender("J")), room("J")], "BB",
        .failure(.follows(leader: "J", follower: "BB"))
      ),
      ("a speaker without sender", [bare, room("J")], "AV", .failure(.noSender("AV"))),
      (
        "a speaker without receiver", [room("A"), changed(room("J")) { $0.receiver = nil }], "A",
        .failure(.noReceiver("J"))
      ),
      (
        "a sender that is off",
        [changed(room("A")) { $0.sender = RoomSender(metadata: "", status: .disabled) }, room("J")], "A",
        .failure(.senderOff("A"))
      ),
      (
        "a sender without a network", [changed(room("A")) { $0.sender = RoomSender(metadata: "") }, room("J")], "A",
        .failure(.noNetwork("A"))
      ),
      ("the fifth room", receivers(4) + [room("A"), room("J")], "A", .success(sender("A").uri)),
      ("the sixth room", receivers(5) + [room("A"), room("J")], "A", .failure(.full("A"))),
      ("one of five again", receivers(4) + [room("A"), room("J", hears: sender("A"))], "A", .success(sender("A").uri)),
      (
        "the sixth room in multicast",
        receivers(5) + [changed(room("A")) { $0.sender = sender("A", mode: "m") }, room("J")], "A",
        .success(sender("A").uri)
      ),
    ] as [(String, [RoomState], String, Result<String, RoomError>)])
  func joins(name: String, rooms: [RoomState], other: String, expected: Result<String, RoomError>) {
    let groups = RoomGroups(rooms)
    let result: Result<String, RoomError>
    do throws(RoomError) {
      result = .success(try groups.sender(for: "J", toJoin: other).uri)
    } catch {
      result = .failure(error)
      #expect(error.description.hasSuffix("."))
    }
    #expect(result == expected, "\(name)")
  }

  // MARK: Leaves

  @Test(
    arguments: [
      ([("Radio", true), ("Receiver", true), ("Playlist", true)], "Playlist"),
      ([("Receiver", true), ("Radio", false), ("UpnpAv", true)], "UpnpAv"),
      ([("Receiver", true)], nil),
    ] as [([(String, Bool)], String?)])
  func leavesForAnotherSource(sources: [(String, Bool)], expected: String?) {
    let list = sources.enumerated().map { index, source in
      SpeakerSource(index: index, name: source.0, type: source.0, isVisible: source.1)
    }
    #expect(SpeakerSource.afterLeaving(among: list)?.type == expected)
  }
}

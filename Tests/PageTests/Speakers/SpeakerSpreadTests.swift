import ControlPoint
import Testing

@testable import Page

@Suite struct SpeakerSpreadTests {
  /// Room `a` plays everywhere. `x<y` means that x receives y, `x!` that x has no receiver, `x-` that it does not send,
  /// `x*` that it sends by multicast.
  @Test(arguments: [
    ("a", "", ""),
    ("a b c", "b>a c>a", ""),
    ("a b! c", "c>a", ""),
    // Those that play along already, also by way of another room.
    ("a b<a c<b d", "d>a", ""),
    // Those that follow another room come along with it.
    ("a b c<b", "b>a", ""),
    // The leader's sender, if the speaker itself receives.
    ("a<b b c", "c>b", ""),
    ("a- b c", "", "b c"),
    ("a b c d e f g", "b>a c>a d>a e>a f>a", "g"),
    ("a b<a c d e f g", "c>a d>a e>a f>a", "g"),
    ("a* b c d e f g", "b>a c>a d>a e>a f>a g>a", ""),
  ])
  func speakersJoin(rooms: String, joins: String, failed: String) {
    let spread = SpeakerSpread("a", among: rooms.split(separator: " ").map { Self.room(String($0)) })
    #expect(spread.joins.map { "\($0.id)>\($0.sender.title)" }.joined(separator: " ") == joins)
    #expect(spread.failed.joined(separator: " ") == failed)
    #expect((spread.error == nil) == failed.isEmpty)
  }

  @Test func theReasonIsKept() {
    let spread = SpeakerSpread("a", among: [Self.room("a-"), Self.room("b")])
    #expect(spread.error == .room(.senderOff("a")))
  }

  private static func room(_ text: String) -> RoomState {
    let id = String(text.prefix(1))
    let received = text.contains("<") ? text.last.map { sender(String($0)) } : nil
    let receiver = RoomState.Receiver(
      sender: received, isCurrent: received != nil, state: received == nil ? .stopped : .playing)
    return RoomState(
      id: id, name: id, sender: sender(id, isMulticast: text.contains("*"), isOff: text.contains("-")),
      receiver: text.contains("!") ? nil : receiver)
  }

  private static func sender(_ id: String, isMulticast: Bool = false, isOff: Bool = false) -> RoomSender {
    let uri = "ohz://239.255.255.250:51972/\(id)"
    return RoomSender(
      uri: uri,
      metadata: """
        <DIDL-Lite xmlns="urn:schemas-upnp-org:metadata-1-0/DIDL-Lite/" xmlns:dc="http://purl.org/dc/elements/1.1/" \
        xmlns:upnp="urn:schemas-upnp-org:metadata-1-0/upnp/"><item id="0" parentID="-1" restricted="1"><dc:title>\(id)</dc:title>\
        <upnp:class>object.item.audioItem</upnp:class><res protocolInfo="ohz:*:*:\(isMulticast ? "m" : "u")">\(uri)</res></item>\
        </DIDL-Lite>
        """, status: isOff ? .disabled : .enabled)
  }
}

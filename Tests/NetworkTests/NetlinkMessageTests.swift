import NIOCore
import Testing

@testable import Network

/// Messages in the format of a little-endian kernel.
struct NetlinkMessageTests {
  private static let veth =
    "48000000 1000 0000 01000000 00000000"  // nlmsghdr: length, RTM_NEWLINK, flags, sequence, port
    + "00 00 0100 02000000 43100100 00000000"  // ifinfomsg: family, -, ARPHRD_ETHER, index, flags, change
    + "0900 0300 65746830 00 000000"  // IFLA_IFNAME "eth0", padded
    + "0800 0a00 07000000"  // IFLA_MASTER
    + "1000 1280 0900 0100 76657468 00 000000"  // IFLA_LINKINFO, marked as nested: IFLA_INFO_KIND "veth"
    + "0400 2500"  // an attribute without a value
  private static let address =
    "30000000 1400 0000 02000000 00000000"  // RTM_NEWADDR
    + "02 18 80 00 02000000"  // ifaddrmsg: AF_INET, prefix length, flags, scope, index
    + "0800 0100 0a090001 0800 0200 0a090002"  // IFA_ADDRESS, IFA_LOCAL
    + "0800 0800 20010000"  // IFA_FLAGS

  @Test(arguments: [
    (
      veth,
      NetlinkMessage.link(
        NetworkLink(index: 2, name: "eth0", flags: 0x11043, hardwareType: 1, kind: "veth", master: 7))
    ),
    (
      "20000000 1000 0000 00000000 00000000 00 00 0100 02000000 03100000 00000000",
      .linkFlags(index: 2, 0x1003)
    ),
    ("20000000 1100 0000 00000000 00000000 00 00 0100 02000000 02100000 ffffffff", .linkGone(index: 2)),
    (
      address,
      .address(
        NetworkLinkAddress(index: 2, address: IPAddress(bits: 0x0A09_0002), prefixLength: 24, flags: 0x120))
    ),
    (
      "20000000 1500 0000 00000000 00000000 02 08 80 fe 01000000 0800 0100 7f000001",
      .addressGone(
        NetworkLinkAddress(index: 1, address: IPAddress(bits: 0x7F00_0001), prefixLength: 8, flags: 0x80))
    ),
    ("14000000 0300 0200 05000000 00000000 00000000", .done(sequence: 5, isInterrupted: false)),
    ("14000000 0300 1200 05000000 00000000 00000000", .done(sequence: 5, isInterrupted: true)),
    ("14000000 0300 0200 05000000 00000000 f0ffffff", .refused(sequence: 5, 16)),
    ("14000000 0200 0000 05000000 00000000 ffffffff", .refused(sequence: 5, 1)),
    // The errno Int32.min cannot be negated.
    ("14000000 0200 0000 05000000 00000000 00000080", .refused(sequence: 5, .min)),
    ("14000000 0300 0000 05000000 00000000 00000080", .refused(sequence: 5, .min)),
    ("10000000 0400 0000 00000000 00000000", .lost),
  ])
  func reads(hex: String, message: NetlinkMessage) {
    #expect(NetlinkMessage.read(Self.bytes(hex)) == [message])
  }

  @Test(arguments: [
    (
      "another family's link, as bridges tell of their ports",
      "20000000 1100 0000 00000000 00000000 07 00 0100 02000000 02100000 ffffffff"
    ),
    ("an IPv6 address", "18000000 1400 0000 00000000 00000000 0a 40 80 00 02000000"),
    ("an address without one", "18000000 1400 0000 00000000 00000000 02 18 80 00 02000000"),
    ("a route", "10000000 1800 0000 00000000 00000000"),
    ("an acknowledgement", "14000000 0200 0000 05000000 00000000 00000000"),
    ("a link that is cut short", "14000000 1000 0000 00000000 00000000 00000000"), ("nothing", ""),
  ])
  func leavesOut(what: String, hex: String) {
    #expect(NetlinkMessage.read(Self.bytes(hex)) == [])
  }

  @Test func readsOneAfterTheOther() {
    #expect(NetlinkMessage.read(Self.bytes(Self.veth + Self.address)).count == 2)
  }

  /// A truncated datagram means lost messages, so the full state has to be requested again.
  @Test(arguments: ["08000000", "00000000 0000 0000 00000000 00000000", String(veth.dropLast(8)), "ffffffff 1000"])
  func noticesWhatIsCut(hex: String) {
    #expect(NetlinkMessage.read(Self.bytes(hex)) == [.lost])
  }

  @Test func survivesBrokenAttributes() {
    let whole = Self.bytes(Self.veth)
    for position in 16..<whole.readableBytes {
      for value: UInt8 in [0, 1, 3, 4, 0x7F, 0xFF] {
        var broken = whole
        broken.setInteger(value, at: position)
        #expect(NetlinkMessage.read(broken).count <= 1)
      }
    }
  }

  @Test func asks() {
    #expect(
      NetlinkRequest.links(sequence: 3).bytes
        == Self.bytes("20000000 1200 0103 03000000 00000000 00 00 0000 00000000 00000000 00000000"))
    #expect(
      NetlinkRequest.addresses(sequence: 4).bytes
        == Self.bytes("18000000 1600 0103 04000000 00000000 02 00 00 00 00000000"))
  }

  private static func bytes(_ hex: String) -> ByteBuffer {
    let digits = hex.filter { $0 != " " }.compactMap(\.hexDigitValue)
    return ByteBuffer(
      bytes: stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
  }
}

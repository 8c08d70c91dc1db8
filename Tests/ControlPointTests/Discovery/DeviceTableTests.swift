import NIOCore
import Testing
import UPnP

@testable import ControlPoint

@Suite struct SSDPNoticeTests {
  private static func notice(_ text: String) -> SSDPNotice? {
    SSDPMessage(Array(text.replacing("\n", with: "\r\n").utf8)).flatMap { SSDPNotice($0) }
  }

  @Test func readsAnAnnouncement() {
    let notice = Self.notice(
      """
      NOTIFY * HTTP/1.1
      HOST: 239.255.255.250:1900
      CACHE-CONTROL: private, max-age = 120
      LOCATION: http://192.0.2.1:80/d.xml
      NT: upnp:rootdevice
      NTS: ssdp:alive
      SERVER: Linux/6.1 UPnP/1.1 Example/1
      USN: uuid:1::upnp:rootdevice
      BOOTID.UPNP.ORG: 5
      CONFIGID.UPNP.ORG: 6


      """)
    #expect(
      notice
        == SSDPNotice(
          kind: .present, udn: "uuid:1", type: "upnp:rootdevice", location: HTTPURL("http://192.0.2.1/d.xml"),
          maxAge: .seconds(120), server: "Linux/6.1 UPnP/1.1 Example/1", bootID: 5, configID: 6))
  }

  @Test(arguments: [
    ("HTTP/1.1 200 OK\nST: uuid:1\nUSN: uuid:1\n\n", SSDPNotice.Kind.present, "uuid:1"),
    ("NOTIFY * HTTP/1.1\nNT: x\nNTS: ssdp:byebye\nUSN: uuid:1::x\n\n", .byebye, "x"),
    (
      "NOTIFY * HTTP/1.1\nNT: x\nNTS: ssdp:update\nUSN: uuid:1::x\nNEXTBOOTID.UPNP.ORG: 9\n\n", .update(next: 9), "x"
    ),
  ])
  func readsAnswersAndOtherNotifications(text: String, kind: SSDPNotice.Kind, type: String) {
    let notice = Self.notice(text)
    #expect(notice?.kind == kind)
    #expect(notice?.type == type)
    #expect(notice?.udn == "uuid:1")
    #expect(notice?.maxAge == .seconds(1800))
  }

  private static let bootIDs: [(String, Int?)] = [
    ("0", 0), ("2147483647", 2_147_483_647), ("9223372036854775807", Int.max), ("9223372036854775808", nil),
    ("-1", nil), ("-9223372036854775808", nil), ("", nil), ("x", nil),
  ]

  @Test(arguments: Self.bootIDs)
  func readsBootIDs(text: String, expected: Int?) {
    let notice = Self.notice("HTTP/1.1 200 OK\nST: uuid:1\nUSN: uuid:1\nBOOTID.UPNP.ORG: \(text)\n\n")
    #expect(notice != nil)
    #expect(notice?.bootID == expected)
  }

  @Test(arguments: [
    "M-SEARCH * HTTP/1.1\nST: ssdp:all\n\n", "HTTP/1.1 404 Not Found\nST: x\nUSN: uuid:1\n\n",
    "NOTIFY * HTTP/1.1\nNT: x\nNTS: ssdp:alive\n\n", "NOTIFY * HTTP/1.1\nNT: x\nNTS: ssdp:hello\nUSN: uuid:1\n\n",
    "NOTIFY * HTTP/1.1\nNT: x\nNTS: ssdp:alive\nUSN: name\n\n",
  ])
  func ignoresOtherMessages(text: String) {
    #expect(Self.notice(text) == nil)
  }

  @Test(arguments: ["uuid", "uuid:", "uuid::upnp:rootdevice", "uuid:::x", "urn:1::x", ":1::x"])
  func ignoresUSNsWithoutAUUID(usn: String) {
    #expect(Self.notice("HTTP/1.1 200 OK\nST: x\nUSN: \(usn)\n\n") == nil)
  }
}

@Suite struct DeviceTableTests {
  private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000_000)

  private static func notice(
    _ kind: SSDPNotice.Kind = .present, _ udn: String = "uuid:1", type: String = "upnp:rootdevice",
    at place: String? = "http://192.0.2.1/d", boot: Int? = 1, config: Int? = 1, age: Int64 = 100
  ) -> SSDPNotice {
    SSDPNotice(
      kind: kind, udn: udn, type: type, location: place.flatMap { HTTPURL($0) }, maxAge: .seconds(age), server: "",
      bootID: boot, configID: config)
  }

  private static func device(
    types: Set<String> = ["upnp:rootdevice"], at place: String = "http://192.0.2.1/d", boot: Int? = 1, config: Int? = 1
  ) throws -> DiscoveredDevice {
    DiscoveredDevice(
      udn: "uuid:1", location: try #require(HTTPURL(place)), types: types, server: "", bootID: boot, configID: config)
  }

  @Test func addsADeviceAndItsTypes() throws {
    var table = DeviceTable()
    #expect(table.receive(Self.notice(), at: Self.start) == [.seen(try Self.device())])
    #expect(table.receive(Self.notice(), at: Self.start) == [])
    #expect(
      table.receive(Self.notice(type: "x"), at: Self.start) == [
        .seen(try Self.device(types: ["upnp:rootdevice", "x"]))
      ])
  }

  @Test func ignoresADeviceWithoutAUsableLocation() {
    var table = DeviceTable()
    #expect(table.receive(Self.notice(at: nil), at: Self.start) == [])
    #expect(table.devices == [])
  }

  @Test func reportsANewBootIDAndForgetsTheFormerAddress() throws {
    var table = DeviceTable()
    _ = table.receive(Self.notice(), at: Self.start)
    let moved = Self.notice(at: "http://192.0.2.2/d", boot: 2)
    #expect(table.receive(moved, at: Self.start) == [.seen(try Self.device(at: "http://192.0.2.2/d", boot: 2))])
    #expect(table.remove { $0.host == "192.0.2.1" } == [])
  }

  @Test func keepsItsAddressWhileADeviceAnnouncesOnTwoNetworks() throws {
    var table = DeviceTable()
    _ = table.receive(Self.notice(), at: Self.start)
    #expect(table.receive(Self.notice(at: "http://198.51.100.1/d"), at: Self.start + .seconds(1)) == [])
    #expect(
      table.remove { $0.host == "192.0.2.1" } == [.seen(try Self.device(at: "http://198.51.100.1/d"))])
    #expect(
      table.remove { $0.host == "198.51.100.1" }
        == [.gone(try Self.device(at: "http://198.51.100.1/d"), .unreachable)])
  }

  @Test func keepsTheBootIDWhenANoticeHasNone() {
    var table = DeviceTable()
    _ = table.receive(Self.notice(), at: Self.start)
    #expect(table.receive(Self.notice(boot: nil, config: nil), at: Self.start) == [])
    #expect(table.receive(Self.notice(), at: Self.start) == [])
  }

  @Test func ignoresNoticesFromBeforeARestart() throws {
    var table = DeviceTable()
    _ = table.receive(Self.notice(boot: 5), at: Self.start)
    #expect(table.receive(Self.notice(.byebye, at: nil, boot: 4), at: Self.start) == [])
    #expect(table.receive(Self.notice(at: "http://192.0.2.9/d", boot: 4), at: Self.start) == [])
    #expect(table.receive(Self.notice(.byebye, at: nil, boot: 5), at: Self.start).count == 1)
  }

  @Test func followsAnUpdateToTheNextBootID() throws {
    var table = DeviceTable()
    _ = table.receive(Self.notice(), at: Self.start)
    #expect(table.receive(Self.notice(.update(next: 2)), at: Self.start) == [.seen(try Self.device(boot: 2))])
    #expect(table.receive(Self.notice(.update(next: 2), "uuid:2"), at: Self.start) == [])
  }

  @Test func expiresDevicesThatAreNotAnnouncedAgain() throws {
    var table = DeviceTable()
    _ = table.receive(Self.notice(age: 100), at: Self.start)
    #expect(table.deadline == Self.start + .seconds(100))
    _ = table.receive(Self.notice(age: 100), at: Self.start + .seconds(50))
    #expect(table.expire(at: Self.start + .seconds(149)) == [])
    #expect(table.expire(at: Self.start + .seconds(150)) == [.gone(try Self.device(), .expired)])
    #expect(table.deadline == nil)
  }

  @Test func boundsDevicesTypesAndAddresses() {
    var table = DeviceTable(limits: .init(devices: 2, types: 2, locations: 2))
    for number in 0..<5 {
      _ = table.receive(Self.notice(.present, "uuid:\(number)"), at: Self.start)
      _ = table.receive(Self.notice(.present, "uuid:0", type: "\(number)"), at: Self.start)
      _ = table.receive(Self.notice(.present, "uuid:0", at: "http://192.0.2.\(number + 1)/"), at: Self.start)
    }
    #expect(table.devices.count == 2)
    #expect(table.devices.map(\.types.count).max() == 2)
  }
}

@Suite struct DiscoveredDeviceTests {
  private static func device(_ types: Set<String>, boot: Int = 1, port: UInt16 = 80) -> DiscoveredDevice {
    DiscoveredDevice(
      udn: "uuid:1", location: HTTPURL(host: "192.0.2.1", port: port), types: types, server: "", bootID: boot,
      configID: 1)
  }

  @Test(arguments: [
    (SearchTarget.all, true), (.rootDevice, true), (.udn("uuid:1"), true), (.udn("uuid:2"), false),
  ])
  func matchesByTarget(target: SearchTarget, isMatch: Bool) {
    #expect(Self.device(["upnp:rootdevice"]).matches(target) == isMatch)
  }
}

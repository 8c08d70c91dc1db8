import Testing

@testable import Companion

@Suite struct DeviceFilterTests {
  private static let start = ContinuousClock.now
  private static func time(_ seconds: Double) -> ContinuousClock.Instant { start + .seconds(seconds) }
  private static let phone = "/org/bluez/hci0/dev_00_00_5E_00_53_FF"
  private static let stranger = "/org/bluez/hci0/dev_00_00_5E_00_53_10"

  private static func filter() throws -> (DeviceFilter, BeaconFrame) {
    let uuid = try #require(ProximityUUID("318FDEAA-64DD-4448-88B4-2CD462CF68BE"))
    let people: [PresenceSettings.Person] = [
      .init(name: "Ann", device: .address("00:00:5E:00:53:01")), .init(name: "Bob", device: .beacon(.init(uuid: uuid))),
    ]
    return (DeviceFilter(people), BeaconFrame(uuid: uuid, major: 7, minor: 8, power: -59))
  }

  @Test func peopleAreKnownByAddressOrBeacon() throws {
    var (filter, frame) = try Self.filter()
    #expect(filter.verdict(on: Self.phone, at: Self.start) == .unknown)
    // The path has the address that the phone had when BlueZ saw it first.
    #expect(filter.learn(Self.phone, address: "00:00:5e:00:53:01", appleData: nil, at: Self.start) == 0)
    #expect(filter.verdict(on: Self.phone, at: Self.start) == .person(0))
    #expect(filter.learn("/b", address: "00:00:5E:00:53:77", appleData: frame.bytes, at: Self.start) == 1)
    frame.uuid = try #require(ProximityUUID([UInt8](repeating: 1, count: 16)))
    #expect(filter.learn("/c", address: nil, appleData: frame.bytes, at: Self.start) == nil)
    #expect(filter.verdict(on: "/c", at: Self.start) == .ignored)
  }

  /// Tags of one maker have one UUID.
  @Test func beaconsWithOneUUIDAreToldApartByTheirNumbers() throws {
    let uuid = try #require(ProximityUUID("318FDEAA-64DD-4448-88B4-2CD462CF68BE"))
    let regions: [BeaconRegion] = [
      .init(uuid: uuid), .init(uuid: uuid, major: 7), .init(uuid: uuid, major: 7, minor: 8),
      .init(uuid: uuid, major: 7, minor: 9),
    ]
    var filter = DeviceFilter(regions.enumerated().map { .init(name: "\($0)", device: .beacon($1)) })
    let rows: [(major: UInt16, minor: UInt16, person: Int)] = [(7, 8, 2), (7, 9, 3), (7, 10, 1), (8, 8, 0)]
    for (major, minor, person) in rows {
      let frame = BeaconFrame(uuid: uuid, major: major, minor: minor, power: -59)
      #expect(filter.learn("/\(major)/\(minor)", address: nil, appleData: frame.bytes, at: Self.start) == person)
      for other in regions.indices { #expect(filter.isStill(other, frame.bytes) == (other == person)) }
    }
  }

  @Test func irrelevantDevicesAreIgnoredLongerEachTime() throws {
    var (filter, _) = try Self.filter()
    var now = Self.start
    for period in [60, 72, 86.4, 103.68, 124.416, 149.2992, 179.15904, 180, 180] {
      #expect(filter.learn(Self.stranger, address: "00:00:5E:00:53:10", appleData: nil, at: now) == nil)
      #expect(filter.verdict(on: Self.stranger, at: now + .seconds(period - 0.01)) == .ignored, "\(period)")
      now += .seconds(period + 0.001)
      #expect(filter.verdict(on: Self.stranger, at: now) == .unknown, "\(period)")
    }
  }

  @Test func aDeviceThatIsPairedLaterIsFound() throws {
    var (filter, _) = try Self.filter()
    #expect(filter.learn(Self.stranger, address: "00:00:5E:00:53:10", appleData: nil, at: Self.start) == nil)
    #expect(filter.learn(Self.stranger, address: "00:00:5E:00:53:01", appleData: nil, at: Self.time(61)) == 0)
    #expect(filter.verdict(on: Self.stranger, at: Self.time(62)) == .person(0))
    filter.removed(Self.stranger)
    #expect(filter.verdict(on: Self.stranger, at: Self.time(63)) == .unknown)
  }

  @Test func onlyDevicesOfPeopleAreConnected() throws {
    var (filter, frame) = try Self.filter()
    let ann = "00:00:5E:00:53:01"
    #expect(filter.learn(Self.phone, address: ann, appleData: nil, isConnected: true, at: Self.start) == 0)
    #expect(filter.learn("/b", address: nil, appleData: frame.bytes, isConnected: false, at: Self.start) == 1)
    _ = filter.learn(Self.stranger, address: "00:00:5E:00:53:10", appleData: nil, isConnected: true, at: Self.start)
    #expect(filter.connectedPeople == [0])
    filter.connectionChanged(Self.stranger, isConnected: true)
    filter.connectionChanged("/b", isConnected: true)
    #expect(filter.connectedPeople == [0, 1])
    filter.connectionChanged(Self.phone, isConnected: false)
    filter.removed("/b")
    #expect(filter.connectedPeople == [])
    filter.connectionChanged(Self.phone, isConnected: true)
    filter.reset()
    #expect(filter.connectedPeople == [])
  }

  /// The end of the connection is not noticed later, because the device is then ignored.
  @Test func aConnectedDeviceThatBelongsToNobodyAnyMoreIsDisconnected() throws {
    var (filter, frame) = try Self.filter()
    let ann = "00:00:5E:00:53:01"
    #expect(filter.learn(Self.phone, address: ann, appleData: nil, isConnected: true, at: Self.start) == 0)
    _ = filter.learn(
      Self.phone, address: "00:00:5E:00:53:10", appleData: nil, isConnected: true, at: Self.time(1))
    #expect(filter.connectedPeople == [])
    // It becomes the beacon of another person.
    #expect(filter.learn("/b", address: ann, appleData: nil, isConnected: true, at: Self.start) == 0)
    #expect(filter.learn("/b", address: nil, appleData: frame.bytes, isConnected: true, at: Self.time(1)) == 1)
    #expect(filter.connectedPeople == [1])
  }

  @Test func manyStrangersDoNotGrowTheTable() throws {
    var (filter, _) = try Self.filter()
    for index in 0..<(DeviceFilter.limit * 3) {
      _ = filter.learn("/\(index)", address: nil, appleData: nil, at: Self.start + .microseconds(index))
    }
    let ignored = (0..<(DeviceFilter.limit * 3)).count { filter.verdict(on: "/\($0)", at: Self.time(1)) == .ignored }
    #expect(ignored == DeviceFilter.limit)
  }
}

import Testing
import UPnP

@testable import ControlPoint

@Suite struct DeviceChangeQueueTests {
  private static func device(_ number: Int = 1, types: Set<String> = ["upnp:rootdevice"], boot: Int = 1) throws
    -> DiscoveredDevice
  {
    DiscoveredDevice(
      udn: "uuid:\(number)", location: try #require(HTTPURL("http://192.0.2.\(number)/")), types: types, server: "",
      bootID: boot, configID: 1)
  }

  private static func read(_ queue: inout DeviceChangeQueue) -> [DiscoveryChange] {
    var changes: [DiscoveryChange] = []
    while let change = queue.next() { changes.append(change) }
    return changes
  }

  @Test func reportsChangesInTheOrderOfTheirArrival() throws {
    var queue = DeviceChangeQueue(.rootDevice)
    queue.receive(.seen(try Self.device(2)))
    queue.receive(.seen(try Self.device(1)))
    #expect(Self.read(&queue) == [.appeared(try Self.device(2)), .appeared(try Self.device(1))])
    queue.receive(.seen(try Self.device(1, boot: 2)))
    queue.receive(.gone(try Self.device(2), .byebye))
    #expect(Self.read(&queue) == [.updated(try Self.device(1, boot: 2)), .gone(try Self.device(2), .byebye)])
  }

  @Test func reportsADeviceWhenItsTypeArrives() throws {
    var queue = DeviceChangeQueue(.rootDevice)
    queue.receive(.seen(try Self.device(types: ["uuid:1"])))
    #expect(queue.next() == nil)
    let complete = try Self.device(types: ["uuid:1", "upnp:rootdevice"])
    queue.receive(.seen(complete))
    #expect(Self.read(&queue) == [.appeared(complete)])
    queue.receive(.seen(try Self.device(types: ["uuid:1", "upnp:rootdevice", "other"])))
    #expect(queue.next() == nil, "a further type is no change")
  }

  @Test func mergesTheChangesOfADevice() throws {
    var queue = DeviceChangeQueue(.all)
    queue.receive(.seen(try Self.device(boot: 1)))
    queue.receive(.seen(try Self.device(boot: 2)))
    #expect(Self.read(&queue) == [.appeared(try Self.device(boot: 2))])
    queue.receive(.gone(try Self.device(boot: 2), .byebye))
    queue.receive(.seen(try Self.device(boot: 3)))
    #expect(Self.read(&queue) == [.updated(try Self.device(boot: 3))])
  }

  @Test func forgetsADeviceThatLeavesBeforeItIsRead() throws {
    var queue = DeviceChangeQueue(.all)
    queue.receive(.seen(try Self.device()))
    queue.receive(.gone(try Self.device(), .expired))
    #expect(queue.next() == nil)
  }
}

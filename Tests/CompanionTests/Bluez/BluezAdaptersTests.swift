import Testing

@testable import Companion

@Suite struct BluezAdaptersTests {
  private static func adapter(_ isPowered: BusValue) -> [String: [String: BusValue]] {
    [BluezName.adapter: ["Powered": isPowered]]
  }

  @Test func theFirstThatIsOnIsChosen() {
    var adapters = BluezAdapters()
    #expect(adapters.chosen == nil)
    for number in [10, 2, 0] { adapters.added("/org/bluez/hci\(number)", Self.adapter(.bool(number > 0))) }
    #expect(adapters.chosen?.path == "/org/bluez/hci2")
    adapters.changed("/org/bluez/hci0", ["Powered": .bool(true)])
    #expect(adapters.chosen?.path == "/org/bluez/hci0")
    for number in [10, 2, 0] { adapters.changed("/org/bluez/hci\(number)", ["Powered": .bool(false)]) }
    #expect(adapters.chosen == BluezAdapters.Adapter(path: "/org/bluez/hci0"))
    adapters.removed("/org/bluez/hci0", [BluezName.adapter])
    #expect(adapters.chosen?.path == "/org/bluez/hci2")
    adapters.removeAll()
    #expect(adapters.chosen == nil)
  }

  @Test func theAdvertisingManagerMayComeAndGoApart() {
    var adapters = BluezAdapters()
    let path = "/org/bluez/hci0"
    adapters.added(path, Self.adapter(.bool(true)))
    #expect(adapters.chosen?.canAdvertise == false)
    adapters.added(path, [BluezName.advertisingManager: [:]])
    #expect(adapters.chosen?.canAdvertise == true && adapters.chosen?.isPowered == true)
    adapters.removed(path, [BluezName.advertisingManager])
    #expect(adapters.chosen?.canAdvertise == false)
  }

  @Test func valuesOfOtherTypesAreIgnored() {
    var adapters = BluezAdapters()
    adapters.added("/org/bluez/hci0", Self.adapter(.string("true")))
    #expect(adapters.chosen?.isPowered == false)
    adapters.changed("/org/bluez/hci0", ["Powered": .int32(1)])
    adapters.changed("/org/bluez/hci7", ["Powered": .bool(true)])
    adapters.removed("/org/bluez/hci0", ["org.bluez.Media1"])
    #expect(adapters.chosen == BluezAdapters.Adapter(path: "/org/bluez/hci0"))
  }

  @Test func namesOfOtherDevicesAreOneShortLine() {
    #expect("Knob".asDeviceName == "Knob")
    #expect("a\u{1B}[31m\nb\u{9B}c".asDeviceName == "a[31mbc")
    #expect(String(repeating: "x", count: 248).asDeviceName.count == 60)
  }
}

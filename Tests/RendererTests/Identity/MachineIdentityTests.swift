import Glibc
import Testing

@testable import Renderer

/// With a fake `/sys`.
@Suite struct MachineIdentityTests {
  @Test func readsBoardAndPhysicalCards() throws {
    let root = try TemporaryFolder()
    root.write("10000000abcdef01\0", to: "sys/firmware/devicetree/base/serial-number")
    root.write("0\n", to: "sys/class/net/eth0/addr_assign_type")
    root.write("b8:27:eb:00:00:01\n", to: "sys/class/net/eth0/address")
    root.write("", to: "sys/class/net/eth0/device")
    // A card with a changed address, and an interface without a card.
    root.write("3\n", to: "sys/class/net/wlan0/addr_assign_type")
    root.write("b8:27:eb:00:00:02\n", to: "sys/class/net/wlan0/address")
    root.write("", to: "sys/class/net/wlan0/device")
    root.write("0\n", to: "sys/class/net/lo/addr_assign_type")
    root.write("00:00:00:00:00:00\n", to: "sys/class/net/lo/address")
    #expect(
      MachineIdentity.current(root: root.path).marks == ["board:10000000abcdef01", "mac:b8:27:eb:00:00:01"])
  }

  @Test func machineWithoutFactsHasNoMarks() throws {
    #expect(MachineIdentity.current(root: try TemporaryFolder().path).marks.isEmpty)
  }
}

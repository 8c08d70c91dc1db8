import PlaybackStore
import Testing

@testable import Renderer

@Suite struct DeviceStateTests {
  private static func machine(_ marks: String...) -> MachineIdentity { MachineIdentity(marks: Set(marks)) }

  @Test func firstBootIsOne() {
    let first = DeviceState.next(after: nil, on: Self.machine("mac:1"))
    #expect(first.bootID == 1)
    #expect(first.port == nil)
    #expect(first.machine == Self.machine("mac:1"))
  }

  @Test(arguments: [
    // (stored marks, this machine's marks, whether the seed stays, marks kept)
    (machine("board:a", "mac:1"), machine("board:a", "mac:2"), true, machine("board:a", "mac:1", "mac:2")),
    (machine("mac:1", "mac:2"), machine("mac:2"), true, machine("mac:1", "mac:2")),
    (machine("mac:1"), machine(), true, machine("mac:1")),
    (machine(), machine("mac:1"), true, machine("mac:1")),
    (machine("board:a", "mac:1"), machine("board:b", "mac:2"), false, machine("board:b", "mac:2")),
  ])
  func copiedCardGetsAnotherSeed(
    stored: MachineIdentity, current: MachineIdentity, stays: Bool, kept: MachineIdentity
  ) {
    let before = DeviceState(seed: .random(), machine: stored, bootID: 4, port: 49_200)
    let after = DeviceState.next(after: before, on: current)
    #expect((after.seed == before.seed) == stays)
    #expect(after.machine == kept)
    #expect(after.bootID == 5)
    #expect(after.port == 49_200)
  }

  @Test func bootIDStaysWithinItsRange() {
    let before = DeviceState(seed: .random(), machine: Self.machine(), bootID: Int(Int32.max), port: nil)
    #expect(DeviceState.next(after: before, on: Self.machine()).bootID == 1)
  }

  @Test(arguments: [nil, 49_152])
  func sectionRoundTrip(port: Int?) {
    let state = DeviceState(seed: .random(), machine: Self.machine("mac:1", "board:x y"), bootID: 7, port: port)
    #expect(DeviceState(state.text) == state)
  }

  private static func section(_ values: [String: String]) -> StateText {
    var text = StateText()
    for (name, value) in values { text.add(name, value) }
    return text
  }

  private static let seed = "12345678-9abc-4def-8123-456789abcdef"

  @Test(arguments: [
    [:], ["boot": "1"], ["seed": seed], ["seed": "x", "boot": "1"], ["seed": seed, "boot": "-1"],
    ["seed": seed, "boot": ""],
  ])
  func refusesDamagedSections(values: [String: String]) {
    #expect(DeviceState(Self.section(values)) == nil)
  }

  /// With an invalid port every start would fail, although the identity is valid.
  @Test(arguments: ["-1", "0", "65536", "9223372036854775807", "x"])
  func ignoresInvalidPorts(port: String) {
    let state = DeviceState(Self.section(["seed": Self.seed, "boot": "3", "port": port]))
    #expect(state?.bootID == 3)
    #expect(state?.port == nil)
  }

  @Test func ignoresUnknownNames() {
    #expect(DeviceState(Self.section(["seed": Self.seed, "boot": "3", "room": "Kitchen"]))?.bootID == 3)
  }
}

import Testing

@testable import swiftlet

@Suite struct DeviceStateTests {
  private static func machine(_ marks: String...) -> MachineIdentity { MachineIdentity(marks: Set(marks)) }

  @Test func beginsWithBootOne() {
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
  func aCopiedCardGetsASeedOfItsOwn(
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
  func survivesTheFile(port: Int?) {
    let state = DeviceState(seed: .random(), machine: Self.machine("mac:1", "board:x y"), bootID: 7, port: port)
    #expect(DeviceState(text: state.text) == state)
  }

  @Test(arguments: [
    "", "swiftlet device 2\nseed 1\n", "swiftlet device 1\n", "swiftlet device 1\nboot 1\n",
    "swiftlet device 1\nseed 12345678-9abc-4def-8123-456789abcdef\n", "swiftlet device 1\nseed x\nboot 1\n",
    "swiftlet device 1\nseed 12345678-9abc-4def-8123-456789abcdef\nboot -1\n",
    "swiftlet device 1\nseed 12345678-9abc-4def-8123-456789abcdef\nboot\n",
  ])
  func refusesWhatIsDamaged(text: String) {
    #expect(DeviceState(text: text) == nil)
  }

  /// A port that is none would end the program at every start; the identity beside it is as good as before.
  @Test(arguments: ["-1", "0", "65536", "9223372036854775807", "x"])
  func forgetsAPortThatIsNone(port: String) {
    let text = "swiftlet device 1\nseed 12345678-9abc-4def-8123-456789abcdef\nboot 3\nport \(port)\n"
    #expect(DeviceState(text: text)?.bootID == 3)
    #expect(DeviceState(text: text)?.port == nil)
  }

  @Test func takesTheLineEndsOfOtherSystems() {
    let text = "swiftlet device 1\r\nseed 12345678-9abc-4def-8123-456789abcdef\r\nboot 3\r\nmachine mac:1\r"
    #expect(DeviceState(text: text)?.machine == Self.machine("mac:1"))
  }

  @Test func passesOverKeysOfALaterVersion() {
    let text = "swiftlet device 1\nseed 12345678-9abc-4def-8123-456789abcdef\nboot 3\nroom Kitchen\n"
    #expect(DeviceState(text: text)?.bootID == 3)
  }
}

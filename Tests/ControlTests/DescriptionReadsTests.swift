import Testing

@testable import swiftlet_control

@Suite struct DescriptionReadsTests {
  /// A search for the speaker on host A, which has two devices. `a` begins a read on host A and `A` ends it; `!` ends the read
  /// of the device that was searched for.
  @Test(arguments: [
    ("a", false), ("a!", true), ("aA", false),
    ("aa!", false), ("aa!A", true), ("aaA!", true),
    ("ab!", true), ("abB!", true), ("aba!", false), ("aba!B", false), ("aba!BA", true),
  ])
  func theOtherDevicesOfTheMachineAreWaitedFor(steps: String, areEnough: Bool) {
    var reads = DescriptionReads()
    for step in steps {
      switch step {
      case "a": reads.begin(at: "192.0.2.1")
      case "b": reads.begin(at: "192.0.2.2")
      case "A": reads.end(at: "192.0.2.1", isLast: false)
      case "B": reads.end(at: "192.0.2.2", isLast: false)
      default: reads.end(at: "192.0.2.1", isLast: true)
      }
    }
    #expect(reads.areEnough == areEnough)
    #expect(reads.count == steps.count { $0.isLowercase } - steps.count { !$0.isLowercase })
  }
}

import Testing

@testable import UPnP

struct BootIDTests {
  @Test(arguments: [
    (1, 2), (2_147_483_646, 2_147_483_647),
    // It starts over, and comes back from numbers that no run of ours has used.
    (2_147_483_647, 1), (2_147_483_648, 1), (Int.max, 1), (0, 1), (-1, 1), (Int.min, 1),
  ])
  func grows(bootID: Int, next: Int) {
    #expect(BootID.next(after: bootID) == next)
  }

  @Test(arguments: [(0, 1), (-5, 1), (1, 1), (Int.max, 2_147_483_647)])
  func settingsKeepItInItsRange(given: Int, kept: Int) {
    #expect(SSDPSettings(product: "", httpPort: 1, bootID: given).bootID == kept)
  }
}

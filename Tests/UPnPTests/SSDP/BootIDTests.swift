import Testing

@testable import UPnP

struct BootIDTests {
  @Test(arguments: [
    (1, 2), (2_147_483_646, 2_147_483_647),
    // It wraps around, and recovers from stored numbers that no earlier run can have used.
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

import Testing

@testable import ControlPoint

@Suite struct ContainerUpdateTests {
  static let lists: [(text: String, updates: [(String, UInt32)])] = [
    ("", []), ("0,7", [("0", 7)]), ("64$1,1,64$2,4294967295", [("64$1", 1), ("64$2", 4_294_967_295)]),
    ("a\\,b,3", [("a,b", 3)]), ("a,b,3,c,4", [("a,b", 3), ("c", 4)]), (" 0 , 7 ", [("0", 7)]),
    ("0", []), ("0,1,2", [("0", 1)]), ("0,x", []), ("0,4294967296,1", [("0,4294967296", 1)]), (",,,", []),
  ]

  @Test(arguments: lists)
  func readsPairs(text: String, updates: [(String, UInt32)]) {
    #expect(ContainerUpdate.list(text) == updates.map { ContainerUpdate(containerID: $0.0, updateID: $0.1) })
  }

  @Test func decodesEvents() {
    var values = ContentDirectory1Client.Values()
    #expect(values.containerUpdates == [])
    let isKnown = values.set(EventedVariable("ContainerUpdateIDs", "64,3"))
    #expect(isKnown && values.containerUpdates == [ContainerUpdate(containerID: "64", updateID: 3)])
  }

  @Test func isBounded() {
    #expect(ContainerUpdate.list(String(repeating: "0,1,", count: 20_000)).count == 10_000)
  }
}

import LocalLibrary
import Testing

@testable import Providers

struct ContainerUpdatesTests {
  private static func change(_ containers: [LibraryContainerID: UInt32]) -> LibraryChange {
    LibraryChange(systemUpdateID: 1, containers: containers)
  }

  @Test func changesOfAWhileAreReportedTogether() {
    var updates = ContainerUpdates()
    #expect(updates.text == "")
    updates.add(Self.change([.root: 1, .list(.albums): 2]), now: .seconds(10))
    #expect(updates.text == "0,1,albums,2")
    updates.add(Self.change([.entry(.albums, 0xA): 3]), now: .seconds(12))
    #expect(updates.text == "0,1,albums,2,albums/a,3")
    updates.add(Self.change([.root: 4]), now: .seconds(15))
    #expect(updates.text == "0,4,albums,2,albums/a,3")
    updates.add(Self.change([:]), now: .seconds(18))
    #expect(updates.text == "0,4")
  }

  @Test func theNumberOfContainersIsLimited() {
    var updates = ContainerUpdates()
    for id in 1...1000 { updates.add(Self.change([.entry(.albums, Int64(id)): 1]), now: .zero) }
    #expect(updates.text.split(separator: ",").count == 1000)
  }
}

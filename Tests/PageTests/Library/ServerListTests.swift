import Testing

@testable import Page

@Suite struct ServerListTests {
  @Test func theSpeakersOwnServerIsFirst() {
    let list = ServerList([
      .init(id: "2", name: "b"), .init(id: "1", name: "B"), .init(id: "3", name: "a"),
      .init(id: "4", name: "z", own: true),
    ])
    #expect(list.servers.map(\.id) == ["4", "3", "1", "2"])
  }
}

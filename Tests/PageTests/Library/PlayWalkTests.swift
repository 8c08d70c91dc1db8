import ControlPoint
import Testing

@testable import Page

@Suite struct PlayWalkTests {
  /// A server: the children of each container by id. `+` marks containers.
  private struct Server {
    var children: [String: [String]]
    var tells = true
    var ignoresStart = false

    func walk(_ walk: PlayWalk, pageSize: Int = 2, failing: Set<String> = []) -> (
      items: [String], walk: PlayWalk, reads: Int
    ) {
      var walk = walk
      var items: [String] = []
      var front: [String] = []
      var reads = 0
      while reads < 10_000 {
        switch walk.next() {
        case .find(let ids): walk.found(ids.map { failing.contains($0) ? nil : Self.object($0) })
        case .item(let item):
          items.append(item.id)
          walk.accepted()
        case .read(let container, let start):
          reads += 1
          guard !failing.contains(container), let all = children[container] else {
            walk.failed()
            continue
          }
          let part = all.dropFirst(ignoresStart ? 0 : start).prefix(pageSize).map { Self.object($0) }
          walk.received(part, total: tells ? all.count : nil, count: pageSize)
        case .front:
          front = items
          items = []
        case .end: return (items + front, walk, reads)
        }
      }
      return (items + front, walk, reads)
    }

    static func object(_ name: String) -> MediaObject {
      name.hasSuffix("+")
        ? MediaObject(.container, id: name, title: name, objectClass: "object.container")
        : MediaObject(id: name, title: name)
    }
  }

  @Test(arguments: [true, false])
  func playsInTheOrderOfTheServer(tells: Bool) {
    let server = Server(
      children: [
        "0+": ["a", "b+", "c", "d+", "e"], "b+": ["b1", "b2", "b3"], "d+": ["d1", "d2+"], "d2+": ["d21"],
      ], tells: tells)
    let (items, walk, _) = server.walk(PlayWalk(container: "0+"))
    #expect(items == ["a", "b1", "b2", "b3", "c", "d1", "d21", "e"] && walk.isComplete)
  }

  /// The chosen track is read first, and the tracks before it last.
  @Test(arguments: [
    ("a", 0, 3), ("c", 2, 3), ("e", 4, 3), ("d", 2, 3), ("b", 0, 3),
  ])
  func playsFromATrackOn(id: String, offset: Int, reads: Int) {
    let server = Server(children: ["0+": ["a", "b", "c", "d", "e"]])
    let (items, walk, count) = server.walk(PlayWalk(container: "0+", from: .init(id: id, offset: offset)))
    #expect(items == ["a", "b", "c", "d", "e"] && count == reads && walk.isComplete && walk.start == nil)
  }

  @Test func readsTheChosenTrackFirst() {
    var walk = PlayWalk(container: "0+", from: .init(id: "c", offset: 2))
    var steps: [String] = []
    let all = ["a", "b", "c", "d", "e"].map { Server.object($0) }
    while steps.count < 20 {
      switch walk.next() {
      case .read(_, let start):
        steps.append("read \(start)")
        walk.received(Array(all.dropFirst(start).prefix(2)), total: all.count, count: 2)
      case .item(let item): steps.append(item.id)
      case .front: steps.append("front")
      default:
        #expect(steps == ["read 2", "c", "d", "read 4", "e", "front", "read 0", "a", "b"])
        return
      }
    }
  }

  @Test func playsAnAlbumThatWasReadWhole() {
    var walk = PlayWalk(container: "0+", from: .init(id: "c", offset: 9))
    #expect(walk.next() == .read(container: "0+", start: 9))
    walk.received(["a", "b", "c"].map { Server.object($0) }, from: 0, total: 3, count: 3)
    let steps = (0..<5).map { _ in walk.next() }
    #expect(steps == [.item(Server.object("c")), .front, .item(Server.object("a")), .item(Server.object("b")), .end])
  }

  @Test func playsNothingIfTheTrackIsNoLongerThere() {
    let server = Server(children: ["0+": ["a", "b", "c"]])
    let (items, walk, _) = server.walk(PlayWalk(container: "0+", from: .init(id: "x", offset: 1)))
    #expect(items.isEmpty && walk.start != nil)
  }

  @Test func playsWhatWasChosen() {
    let server = Server(children: ["b+": ["b1", "b2"]])
    let (items, walk, _) = server.walk(PlayWalk(ids: ["x", "b+", "y"]))
    #expect(items == ["x", "b1", "b2", "y"] && walk.isComplete)
  }

  @Test func readsSomeChosenObjectsAtTheSameTimeAndAddsThemBeforeTheNext() {
    var walk = PlayWalk(ids: ["a", "b", "c"], limits: .init(together: 2))
    #expect(walk.next() == .find(["a", "b"]))
    walk.found([Server.object("a"), Server.object("b")])
    #expect(walk.next() == .item(Server.object("a")))
    #expect(walk.next() == .item(Server.object("b")))
    #expect(walk.next() == .find(["c"]))
  }

  @Test func leavesOutAChosenObjectThatIsGone() {
    let ids = (0..<500).map { "\($0)" }
    let (items, walk, _) = Server(children: [:]).walk(PlayWalk(ids: ids), failing: ["250"])
    #expect(items == ids.filter { $0 != "250" } && !walk.isComplete)
  }

  @Test func playsAChosenFolderWhereItWasChosen() {
    let server = Server(children: ["a+": ["b+", "1"], "b+": ["2"]])
    #expect(server.walk(PlayWalk(ids: ["a+", "b+"])).items == ["1", "2"])
  }

  @Test func visitsACycleOnce() {
    let server = Server(children: ["0+": ["a+", "x"], "a+": ["0+", "a+", "b+", "y"], "b+": ["a+", "z"]])
    let (items, walk, reads) = server.walk(PlayWalk(container: "0+"))
    #expect(items == ["z", "y", "x"] && walk.isComplete && reads < 8)
  }

  @Test func endsAtItsLimits() {
    // Endless nesting without a cycle: each container holds another one.
    var nested: [String: [String]] = [:]
    for level in 0..<100 { nested["\(level)+"] = ["\(level + 1)+", "t\(level)"] }
    let (items, deep, _) = Server(children: nested).walk(PlayWalk(container: "0+", limits: .init(depth: 3)))
    #expect(items == ["t3", "t2", "t1", "t0"] && !deep.isComplete)

    let long = Server(children: ["0+": (0..<100).map { "\($0)" }])
    let (few, walk, _) = long.walk(PlayWalk(container: "0+", limits: .init(tracks: 5)))
    #expect(few == ["0", "1", "2", "3", "4"] && !walk.isComplete)
    #expect(long.walk(PlayWalk(container: "0+", limits: .init(requests: 3))).items.count == 6)
    #expect(long.walk(PlayWalk(container: "0+", limits: .init(objects: 3))).items.count == 4)
  }

  @Test func endsWhereAServerRepeatsItself() {
    let server = Server(children: ["0+": ["a", "b"]], tells: false, ignoresStart: true)
    let (items, _, reads) = server.walk(PlayWalk(container: "0+"))
    #expect(items == ["a", "b"] && reads == 2)
  }

  @Test func playsATrackOfSeveralViewsOnce() {
    func track(_ id: String, _ uri: String) -> MediaObject {
      MediaObject(id: id, title: id, resources: [MediaResource(uri: uri)])
    }
    var walk = PlayWalk(ids: ["artists+", "playlist+"])
    let children = [
      "artists+": [track("1", "a"), track("2", "b")], "playlist+": [track("3", "b"), track("4", "c"), track("5", "c")],
    ]
    var items: [String] = []
    while true {
      switch walk.next() {
      case .find(let ids): walk.found(ids.map { Server.object($0) })
      case .item(let item): items.append(item.id)
      case .read(let container, _): walk.received(children[container] ?? [], total: nil, count: 10)
      case .front: Issue.record("There is nothing in front.")
      case .end:
        #expect(items == ["1", "2", "4", "5"])
        return
      }
    }
  }

  @Test func goesAroundAFolderThatFails() {
    let server = Server(children: ["0+": ["a+", "b+"], "a+": ["1"], "b+": ["2"]])
    let (items, walk, _) = server.walk(PlayWalk(container: "0+"), failing: ["a+"])
    #expect(items == ["2"] && !walk.isComplete)
  }
}

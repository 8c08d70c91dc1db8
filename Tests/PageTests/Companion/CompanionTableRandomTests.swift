import PlaybackTestKit
import Testing

@testable import Page

/// Random sequences of events, compared with a model that derives everything from the history.
struct CompanionTableRandomTests {
  /// The history of a phone.
  private struct Past {
    let id: Int
    let key: TokenKey
    var signs: [Int] = []
    var openStreams = 0
    var reachSeconds: Int?
    var launch: (LaunchRequest, Int)?

    var lastSign: Int { signs.max() ?? 0 }

    func isKnown(at now: Int) -> Bool { openStreams > 0 || now - lastSign < 30 * 24 * 3600 }

    func isInReach(at now: Int) -> Bool {
      guard let reachSeconds else { return false }
      return openStreams > 0 || now < lastSign + reachSeconds
    }

    func isDisplaceable(at now: Int) -> Bool {
      openStreams == 0 && !isInReach(at: now) && now - lastSign >= 24 * 3600
    }
  }

  @Test(arguments: 0..<60 as Range<UInt64>)
  func theTableFollowsTheModel(seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let start = CompanionTable.Instant.now
    var (table, now, past, count) = (CompanionTable(), 0, [Past](), 0)
    // Long steps let phones expire.
    let steps = [0, 1, 30, 59, 60, 3600, 24 * 3600, 10 * 24 * 3600]
    for _ in 0..<400 {
      now += steps[Int.random(in: 0..<steps.count, using: &random) * Int.random(in: 0...1, using: &random)]
      let instant = start + .seconds(now)
      // A phone that is out of reach does not return with a later sign of life.
      past.removeAll { !$0.isKnown(at: now) }
      for index in past.indices where !past[index].isInReach(at: now) {
        past[index].reachSeconds = nil
        past[index].launch = nil
      }
      table.expire(now: instant)

      let index = past.indices.randomElement(using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0, 1:
        count += 1
        let key = try #require(TokenKey(of: "\(count)"))
        let id = table.register(name: "\(count)", key: key, now: instant)
        if past.count == 32 {
          let oldest = past.indices.filter { past[$0].isDisplaceable(at: now) }
            .min { past[$0].lastSign < past[$1].lastSign }
          #expect((id == nil) == (oldest == nil))
          if let oldest { past.remove(at: oldest) }
        }
        if let id { past.append(Past(id: id, key: key, signs: [now])) }
      case 2:
        guard let index else { continue }
        #expect(table.identify(past[index].key, now: instant) == past[index].id)
        past[index].signs.append(now)
      case 3:
        guard let index else { continue }
        let seconds = [60, 900, 12 * 3600].randomElement(using: &random) ?? 60
        table.enter(past[index].id, for: .seconds(seconds), now: instant)
        past[index].signs.append(now)
        past[index].reachSeconds = seconds
      case 4:
        guard let index else { continue }
        table.leave(past[index].id)
        past[index].reachSeconds = nil
        past[index].launch = nil
      case 5:
        guard let index else { continue }
        let request = table.connected(past[index].id, now: instant)
        let expected = past[index].launch.flatMap { now < $0.1 + 60 ? $0.0 : nil }
        #expect(request == expected)
        past[index].launch = nil
        past[index].openStreams += 1
        past[index].signs.append(now)
      case 6:
        guard let index, past[index].openStreams > 0 else { continue }
        table.disconnected(past[index].id, now: instant)
        past[index].openStreams -= 1
        past[index].signs.append(now)
      case 7:
        let request = LaunchRequest(url: "/\(count)", session: "\(now)")
        let launch = table.launch(request, to: nil, now: instant)
        let here = past.indices.filter { past[$0].isInReach(at: now) }
        #expect(launch.delivered == here.filter { past[$0].openStreams > 0 }.map { past[$0].id })
        #expect(launch.waiting == here.filter { past[$0].openStreams == 0 }.map { past[$0].id })
        for index in here where past[index].openStreams == 0 { past[index].launch = (request, now) }
      default:
        guard let index, Int.random(in: 0..<4, using: &random) == 0 else { continue }
        table.forget(past[index].id)
        past.remove(at: index)
      }
      #expect(table.phones.map(\.id) == past.map(\.id))
      #expect(table.phones.map(\.isInReach) == past.map { $0.isInReach(at: now) })
      #expect(table.phones.count <= 32)
    }
  }
}

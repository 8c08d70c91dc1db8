@testable import PlaybackModel
@testable import Providers

extension TransportTable.Situation {
  fileprivate init(state: TransportTable.State, canSeek: Bool = true, hasNext: Bool = false, skipsStart: Bool = false) {
    var can = TransportAbilities()
    (can.play, can.pause, can.seek, can.next, can.skipsStart) = (true, true, canSeek, hasNext, skipsStart)
    self.init(state: state, can: can)
  }
}

extension TransportTable {
  /// The tables as they must appear in docs/controllers.md: of the item that a UPnP AV controller set, and of another
  /// source, which always has an item.
  static var markdown: [String] { [table(State.allCases, rows), table(otherStates, otherRows)] }

  static let otherStates = State.allCases.filter { $0 != .noMediaPresent }

  private static func table(_ states: [State], _ rows: [(String, Action, Situation)]) -> String {
    var lines = ["| | " + states.map(\.rawValue).joined(separator: " | ") + " |"]
    lines.append("|" + String(repeating: "---|", count: states.count + 1))
    for (name, action, situation) in rows {
      let cells = states.map { state in
        var situation = situation
        situation.state = state
        return cell(verdict(on: action, in: situation))
      }
      lines.append("| \(name) | " + cells.joined(separator: " | ") + " |")
    }
    return lines.joined(separator: "\n")
  }

  private static let rows: [(String, Action, Situation)] = {
    let usual = Situation(state: .stopped)
    return [
      ("Play", .play, usual), ("Stop", .stop, usual), ("Pause", .pause, usual), ("Seek", .seek, usual),
      ("Seek in a live stream", .seek, Situation(state: .stopped, canSeek: false)),
      ("Next, with an item to follow", .next, Situation(state: .stopped, hasNext: true)),
      ("Next, without", .next, usual),
      ("Previous, of the first track", .previous, usual),
    ]
  }()

  private static let otherRows: [(String, Action, Situation)] = {
    let usual = Situation(state: .stopped, skipsStart: true)
    var (live, inside) = (usual, usual)
    (live.can.seek, live.can.pauseStops, inside.can.next, inside.can.previous) = (false, true, true, true)
    return [
      ("Play", .play, usual), ("Stop", .stop, usual), ("Pause", .pause, usual),
      ("Pause of a live stream", .pause, live),
      ("Seek", .seek, usual), ("Seek in a live stream", .seek, live),
      ("Next or Previous, with a track or preset there", .next, inside), ("Next or Previous, without", .next, usual),
    ]
  }()

  private static func cell(_ verdict: Verdict) -> String {
    switch verdict {
    case .leads(let state): "**\(state.rawValue)**"
    case .tolerated: "–"
    case .refused(let fault): "\(fault.code)"
    }
  }
}

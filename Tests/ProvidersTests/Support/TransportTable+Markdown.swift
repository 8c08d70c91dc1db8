@testable import Providers

extension TransportTable {
  /// The table as it must appear in docs/controllers.md.
  static var markdown: String {
    let states = State.allCases
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

  private static func cell(_ verdict: Verdict) -> String {
    switch verdict {
    case .leads(let state): "**\(state.rawValue)**"
    case .tolerated: "–"
    case .refused(let fault): "\(fault.code)"
    }
  }
}

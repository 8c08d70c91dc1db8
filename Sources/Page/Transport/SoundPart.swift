import DeviceStack
import Playback
import PlaybackModel

/// Volume, mute, balance, source and standby.
package final class SoundPart: PagePart {
  private let player: Player

  package init(player: Player) { self.player = player }

  private struct Volume: Decodable {
    let level: Int?
    let change: Int?
  }

  private struct Mute: Decodable { let muted: Bool }
  private struct Balance: Decodable { let balance: Int }
  private struct Select: Decodable { let source: SourceID }
  private struct Standby: Decodable { let standby: Bool }

  package func add(to routes: PageRoutes) {
    routes.post(
      "/api/volume", Volume.self, kind: { [self] in kind(of: $0) },
      perform: { [self] body, _ throws(Problem) in try setVolume(body) })
    routes.post(
      "/api/mute", Mute.self, kind: { $0.muted ? .quieter : .control },
      perform: { [player] body, _ in
        player.immediately { $0.setMuted(body.muted) }
        return .done
      })
    routes.post("/api/balance", Balance.self) { [player] body, _ throws(Problem) in
      guard BalanceScale.range.contains(body.balance) else {
        throw .wrong("balance", "must be between −\(BalanceScale.maximum) and \(BalanceScale.maximum)")
      }
      player.immediately { $0.setBalance(body.balance) }
      return .done
    }
    routes.post("/api/source", Select.self) { [player] body, _ in
      player.immediately { $0.selectSource(body.source.source) }
      return .done
    }
    routes.post("/api/standby", Standby.self) { [player] body, _ in
      player.immediately { $0.setStandby(body.standby) }
      return .done
    }
  }

  private func kind(of body: Volume) -> CommandKind {
    let volume = player.immediately { $0.volume }
    let isQuieter = body.level.map { $0 <= volume } ?? ((body.change ?? 0) <= 0)
    return isQuieter ? .quieter : .control
  }

  private func setVolume(_ body: Volume) throws(Problem) -> APIAnswer {
    guard !player.immediately({ $0.isVolumeFixed }) else {
      throw .impossible(.fixedVolume, "The volume of this speaker is fixed.")
    }
    switch (body.level, body.change) {
    case (let level?, nil):
      guard (0...100).contains(level) else { throw .wrong("level", "must be between 0 and 100") }
      player.immediately { $0.setVolume(level) }
    case (nil, let change?):
      guard (-100...100).contains(change) else { throw .wrong("change", "must be between −100 and 100") }
      player.immediately { $0.setVolume($0.volume + change) }
    default: throw .wrong("level", "or “change” must be given, but not both")
    }
    return .done
  }
}

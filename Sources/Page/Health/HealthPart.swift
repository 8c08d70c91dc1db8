import DeviceStack
import Playback

/// `GET /api/health`: facts for troubleshooting.
final class HealthPart: PagePart {
  private let player: Player
  private let facts: any SpeakerFacts

  init(player: Player, facts: any SpeakerFacts) {
    self.player = player
    self.facts = facts
  }

  private struct Health: Encodable {
    let version: String
    let uptime: Double
    let networks: [NetworkFacts]
    let output: String?
    let xruns: Int
    let buffer: Double
    let errors: [LoggedProblem]
    let log: [LogFacts]
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/health") { [player, facts] _ in
      let (output, xruns, buffer) = player.immediately { ($0.output?.shown, $0.xruns, $0.bufferLevel.inSeconds) }
      return .json(
        Health(
          version: facts.version, uptime: facts.uptime, networks: facts.networks, output: output, xruns: xruns,
          buffer: buffer, errors: facts.problems, log: facts.log))
    }
  }
}

import DeviceStack
import SpeakerCore

/// `GET /api/health`: facts for troubleshooting. `POST /api/library/rescan`.
final class HealthPart: PagePart {
  private let feed: StateFeed
  private let facts: any SpeakerFacts

  init(feed: StateFeed, facts: any SpeakerFacts) {
    self.feed = feed
    self.facts = facts
  }

  private struct Health: Encodable {
    let version: String
    let uptime: Double
    let networks: [NetworkFacts]
    let output: String?
    let xruns: Int
    let buffer: Double
    let delay: Double?
    let errors: [LoggedProblem]
    let log: [LogFacts]
    let sources: [ProgramReport]
    let library: LibraryReport?
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/health") { [feed, facts] _ in
      let state = feed.state
      return .json(
        Health(
          version: facts.version, uptime: facts.uptime, networks: facts.networks,
          output: state.output?.shown, xruns: state.xruns, buffer: state.buffer.inSeconds,
          delay: state.liveDelay?.inSeconds, errors: facts.problems, log: facts.log, sources: facts.programs,
          library: facts.library))
    }
    routes.post("/api/library/rescan", NoArguments.self) { [facts] _, _ throws(Problem) in
      guard facts.rescanLibrary() else {
        throw .unknown(.unknownResource, "The speaker has no library; `library.folders` is not configured.")
      }
      return .done
    }
  }
}

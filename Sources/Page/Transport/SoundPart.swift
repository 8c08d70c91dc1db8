import DeviceStack
import PlaybackModel
import SpeakerCore

/// Volume, mute, balance, source and standby.
package final class SoundPart: PagePart {
  private let access: Access

  package init(_ access: Access) { self.access = access }

  private struct Volume: Decodable {
    let level: Int?
    let change: Int?

    /// - Throws: 400 for a wrong value.
    var command: SpeakerCommand {
      get throws(Problem) {
        switch (level, change) {
        case (let level?, nil):
          guard (0...100).contains(level) else { throw .wrong("level", "must be between 0 and 100") }
          return .setVolume(level)
        case (nil, let change?):
          guard (-100...100).contains(change) else { throw .wrong("change", "must be between −100 and 100") }
          return .changeVolume(by: change)
        default: throw .wrong("level", "or “change” must be given, but not both")
        }
      }
    }
  }

  private struct Mute: Decodable { let muted: Bool }
  private struct Balance: Decodable { let balance: Int }
  private struct Select: Decodable { let source: Source }
  private struct Standby: Decodable { let standby: Bool }

  package func add(to routes: PageRoutes) {
    routes.post(
      "/api/volume", Volume.self,
      // Wrong values are refused later, with 400.
      kind: { [access] body in (try? body.command).map { access.kind(of: $0) } ?? .quieter },
      perform: { [access] body, request throws(Problem) in
        try access.perform(try body.command, request)
        return .done
      })
    routes.post(
      "/api/mute", Mute.self, kind: { [access] in access.kind(of: .mute($0.muted)) },
      perform: { [access] body, request throws(Problem) in
        try access.perform(.mute(body.muted), request)
        return .done
      })
    routes.post("/api/balance", Balance.self) { [access] body, request throws(Problem) in
      guard BalanceScale.range.contains(body.balance) else {
        throw .wrong("balance", "must be between −\(BalanceScale.maximum) and \(BalanceScale.maximum)")
      }
      try access.perform(.balance(body.balance), request)
      return .done
    }
    routes.post("/api/source", Select.self) { [access] body, request throws(Problem) in
      try access.perform(.source(body.source), request)
      return .done
    }
    routes.post("/api/standby", Standby.self) { [access] body, request throws(Problem) in
      try access.perform(.standby(body.standby), request)
      return .done
    }
  }
}

import DeviceStack
import NIOCore

/// `GET` and `POST /api/settings`.
final class SettingsPart: PagePart {
  private let keeper: any SettingsKeeper
  private let isReadOnly: Bool
  private let eventLoop: any EventLoop
  /// Limits changes, because each may announce the speaker again, open another audio device or write to the disk. It is
  /// enough for a person who tries things out.
  private var budget = RateBudget(maximum: 30, window: .seconds(60))

  init(_ keeper: any SettingsKeeper, isReadOnly: Bool, eventLoop: any EventLoop) {
    self.keeper = keeper
    self.isReadOnly = isReadOnly
    self.eventLoop = eventLoop
  }

  private struct Settings: Encodable { let settings: [SettingEntry] }

  private struct Change: Decodable {
    let key: String
    /// nil to forget the page's value.
    let value: SettingValue?

    private enum Keys: CodingKey { case key, value }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: Keys.self)
      key = try container.decode(String.self, forKey: .key)
      // A missing member is more likely a mistake than a reset.
      value = try container.decodeNil(forKey: .value) ? nil : container.decode(SettingValue.self, forKey: .value)
    }
  }

  func add(to routes: PageRoutes) {
    let (keeper, isReadOnly) = (keeper, isReadOnly)
    routes.get("/api/settings") { [eventLoop] _ in
      .later(
        eventLoop.makeFutureWithTask {
          .json(Settings(settings: await keeper.entries().map { $0.shown(isReadOnly: isReadOnly) }))
        })
    }
    routes.post("/api/settings", Change.self) { [self] change, _ throws(Problem) in
      if let wait = budget.take(now: .now) { throw .tooMany("Too many changes.", wait: wait) }
      return .later(
        eventLoop.makeFutureWithTask {
          switch await keeper.set(change.key, to: change.value) {
          case .success(let entry): return .json(entry.shown(isReadOnly: isReadOnly))
          case .failure(.unknown): throw Problem.unknown(.unknownSetting, "The page has no setting “\(change.key)”.")
          case .failure(.notEditable(let reason)): throw Problem.impossible(.settingFixed, reason)
          case .failure(.wrong(let reason)):
            throw Problem(
              .badRequest, .wrongSetting, "“\(change.key)”: \(reason)",
              arguments: ["key": change.key, "reason": reason])
          }
        })
    }
  }
}

extension SettingEntry {
  fileprivate func shown(isReadOnly: Bool) -> SettingEntry {
    guard isReadOnly else { return self }
    var entry = self
    (entry.editable, entry.whyNot) = (false, "The page of this speaker is read-only.")
    return entry
  }
}

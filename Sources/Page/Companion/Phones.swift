import Companion
import DeviceStack
import NIOCore

/// The phones of the companion page of the running speaker, with their event streams. Used on the event loop.
final class Phones {
  /// Maximum event streams of a phone. The stream of a reloaded page may overlap with the former one.
  private static let streamsOfPhone = 2

  private struct Stream {
    let phone: Int
    let stream: HTTPStream
  }

  private var table: CompanionTable
  /// The oldest first.
  private var streams: [Stream] = []
  private let storage: PhoneStorage
  private let board: CompanionBoard
  private let alarm: Alarm
  private var generator = SystemRandomNumberGenerator()
  private var registrations = RateBudget(maximum: 30, perClient: 10, window: .seconds(60))
  private var launches = RateBudget(maximum: 20, window: .seconds(60))

  init(_ storage: PhoneStorage, board: CompanionBoard, eventLoop: any EventLoop) {
    self.storage = storage
    self.board = board
    table = CompanionTable(storage.saved, now: .now)
    alarm = Alarm(eventLoop: eventLoop)
    alarm.onElapsed = { [weak self] in self?.lapse() }
    report()
  }

  /// The phones in the order of registration.
  var list: [CompanionTable.Phone] {
    table.expire(now: .now)
    return table.phones
  }

  // MARK: Registration

  /// - Parameter client: the client's address, by which registrations are limited.
  /// - Returns: the secret token of the phone, and its id.
  /// - Throws: 409 if there are too many phones, 429.
  func register(_ name: String, from client: String) throws(Problem) -> (token: String, id: Int) {
    if let wait = registrations.take(client, now: .now) { throw .tooMany("Too many registrations.", wait: wait) }
    let token = AccessToken.random(using: &generator).text
    guard let key = TokenKey(of: token) else {
      throw Problem(.internalServerError, .internal, "The phone cannot be stored.")
    }
    guard let id = table.register(name: name, key: key, now: .now) else {
      throw .impossible(
        .tooManyPhones, "The speaker knows \(CompanionTable.maximumPhones) phones. Forget one of them first.",
        arguments: ["count": "\(CompanionTable.maximumPhones)"])
    }
    save()
    changed()
    return (token, id)
  }

  /// The id of the phone with a token.
  /// - Throws: 403 with the name `unknown-companion`.
  func identify(_ token: String?) throws(Problem) -> Int {
    guard let id = token.flatMap(TokenKey.init(of:)).flatMap({ table.identify($0, now: .now) }) else {
      throw Problem(
        .forbidden, .unknownCompanion,
        "The speaker does not know this phone, or has forgotten it. Register it again.")
    }
    return id
  }

  /// - Throws: 404.
  func forget(_ id: Int) throws(Problem) {
    guard table.phones.contains(where: { $0.id == id }) else {
      throw .unknown(.unknownPhone, "There is no phone \(id).")
    }
    table.forget(id)
    for entry in streams where entry.phone == id { entry.stream.finish() }
    save()
    changed()
  }

  // MARK: Reach

  func enter(_ id: Int, for time: Duration) {
    table.enter(id, for: time, now: .now)
    reachChanged(id)
  }

  func leave(_ id: Int) {
    table.leave(id)
    reachChanged(id)
  }

  private func reachChanged(_ id: Int) {
    send("companion", PhoneDocument.Own(table.phones.first { $0.id == id }), to: id)
    changed()
  }

  private func lapse() {
    let before = table.phones.filter(\.isInReach).map(\.id)
    table.expire(now: .now)
    let after = Set(table.phones.filter(\.isInReach).map(\.id))
    for id in before where !after.contains(id) { reachChanged(id) }
    changed()
  }

  // MARK: Streams

  /// Sends events to a phone until the stream ends: its own state at once, and launch requests.
  /// - Parameter stream: a stream that is already in use. Its present `onEnd` is still called.
  func attach(_ stream: HTTPStream, to id: Int) {
    let own = streams.filter { $0.phone == id }
    for entry in own.dropLast(Self.streamsOfPhone - 1) { entry.stream.finish() }
    streams.append(Stream(phone: id, stream: stream))
    let ended = stream.onEnd
    stream.onEnd = { [weak self, weak stream] in
      ended?()
      self?.streams.removeAll { $0.stream === stream }
      self?.table.disconnected(id, now: .now)
      self?.changed()
    }
    let waiting = table.connected(id, now: .now)
    write("companion", PhoneDocument.Own(table.phones.first { $0.id == id }), to: stream)
    if let waiting { write("launch", PhoneDocument.Launch(waiting), to: stream) }
    changed()
  }

  /// - Parameter ids: nil for all phones in reach.
  /// - Throws: 404 if there is no such phone, 429.
  func launch(_ request: LaunchRequest, to ids: [Int]?) throws(Problem) -> CompanionTable.Launch {
    let known = Set(list.map(\.id))
    if let unknown = ids?.first(where: { !known.contains($0) }) {
      throw .unknown(.unknownPhone, "There is no phone \(unknown).")
    }
    if let wait = launches.take(now: .now) { throw .tooMany("Too many launch requests.", wait: wait) }
    let launch = table.launch(request, to: ids.map(Set.init), now: .now)
    for id in launch.delivered { send("launch", PhoneDocument.Launch(request), to: id) }
    return launch
  }

  private func send(_ event: String, _ document: some Encodable, to id: Int) {
    for entry in streams where entry.phone == id { write(event, document, to: entry.stream) }
  }

  private func write(_ event: String, _ document: some Encodable, to stream: HTTPStream) {
    guard let text = JSON.encode(document) else { return }
    stream.write(EventText.event(event, data: text))
  }

  // MARK: Changes

  /// Saves the phones, with the time since their last contact.
  func save() { storage.keep(table.saved(now: .now)) }

  private func changed() {
    if let due = table.nextDue { alarm.arm(in: max(.zero, ContinuousClock.now.duration(to: due))) }
    report()
  }

  private func report() {
    let phones = table.phones
    board.update { $0.phones = PhonesReport(registered: phones.count, inReach: phones.count(where: \.isInReach)) }
  }
}

/// Stores the phones of the companion page across restarts.
package struct PhoneStorage: Sendable {
  let saved: [SavedPhone]
  let keep: @Sendable ([SavedPhone]) -> Void

  /// - Parameter keep: must not block.
  package init(saved: [SavedPhone], keep: @escaping @Sendable ([SavedPhone]) -> Void) {
    self.saved = saved
    self.keep = keep
  }
}

import DeviceStack
import NIOCore
import SpeakerCore

/// The state document and its event stream.
///
/// Sections are read again only after something has touched them, and only while a client is there to see them. An
/// event is written once for all clients. Used on the event loop.
package final class PageState {
  /// The shortest time between two events, as in LastChange.
  private static let interval = Duration.milliseconds(200)
  /// Interval of the comments by which a page notices a dead connection: it gives up after `silence` in web/store.js.
  package static let commentInterval = Duration.seconds(2)
  /// Interval of the checks of sections whose changes nothing reports.
  private static let checkInterval = Duration.seconds(15)

  private let eventLoop: any EventLoop
  private let sections: [StateSection]
  private let lists: [ShownList]
  private var revisions: StateRevisions
  private var moderator: EventModerator
  /// Indices of lists that have changed since they were sent. They begin after the indices of the sections.
  private var changedLists: Set<Int> = []
  private let streams: EventStreams
  private let commentInterval: Duration
  private let flushAlarm: Alarm
  private let commentAlarm: Alarm
  private let checkAlarm: Alarm

  /// - Parameters:
  ///   - lists: the lists that clients can request by `?show=`.
  ///   - bootID: higher in every run.
  ///   - streamLimit: the maximum number of clients of the event stream.
  init(
    eventLoop: any EventLoop, sections: [StateSection], lists: [ShownList], bootID: Int, streamLimit: Int,
    commentInterval: Duration = PageState.commentInterval
  ) {
    self.eventLoop = eventLoop
    self.sections = sections
    self.lists = lists
    self.commentInterval = commentInterval
    revisions = StateRevisions(names: sections.map(\.name), bootID: bootID)
    let names = sections.map(\.name) + lists.map(\.event)
    moderator = EventModerator(Moderation(Self.interval), of: names.map { VariableStore.Variable($0) })
    streams = EventStreams(limit: streamLimit)
    flushAlarm = Alarm(eventLoop: eventLoop)
    commentAlarm = Alarm(eventLoop: eventLoop)
    checkAlarm = Alarm(eventLoop: eventLoop)
    flushAlarm.onElapsed = { [weak self] in self?.flush() }
    commentAlarm.onElapsed = { [weak self] in self?.comment() }
    checkAlarm.onElapsed = { [weak self] in self?.check() }
    for (index, list) in lists.enumerated() {
      list.onChange = { [weak self] in
        self?.changedLists.insert(sections.count + index)
        self?.changed(sections.count + index)
      }
    }
  }

  // MARK: Changes

  /// A section may have changed.
  package func touch(_ name: String) {
    if let index = sections.firstIndex(where: { $0.name == name }) { touch(index) }
  }

  /// Sections of the speaker's state have changed.
  func touch(_ changed: SpeakerSections) {
    for (index, section) in sections.enumerated() where !section.shown.isDisjoint(with: changed) { touch(index) }
  }

  private func touch(_ index: Int) {
    revisions.touch(index)
    if !streams.isEmpty { changed(index) }
  }

  private func changed(_ index: Int) {
    switch moderator.changed(index, now: eventLoop.now) {
    case .nothing: break
    case .flushThisTurn: eventLoop.assumeIsolated().execute { [weak self] in self?.flush() }
    case .flush(let deadline): flushAlarm.arm(in: .nanoseconds((deadline - eventLoop.now).nanoseconds))
    }
  }

  // MARK: Reading

  /// The whole state with its id.
  func document() -> (text: [UInt8], id: String) {
    refresh(isWhole: true)
    return (revisions.document, revisions.id)
  }

  /// Reads the sections that may have changed.
  /// - Parameter isWhole: whether to read values that change all the time, too.
  private func refresh(isWhole: Bool) {
    let touched = revisions.touched
    revisions.update(
      sections.enumerated().compactMap { index, section in
        let isTouched = touched.contains(index)
        guard isTouched || isWhole && (section.isAlwaysSent || section.comparedText != nil), let text = section.encode()
        else {
          return nil
        }
        return StateRevisions.Reading(
          index: index, text: text, comparedText: section.comparedText?(),
          effect: !section.isAlwaysSent ? .compared : isTouched ? .change : .none)
      })
  }

  // MARK: Events

  private func flush() {
    let due = moderator.flush(now: eventLoop.now)
    if let next = moderator.nextDue { flushAlarm.arm(in: .nanoseconds((next - eventLoop.now).nanoseconds)) }
    guard !streams.isEmpty else { return }
    for index in due.indices where changedLists.remove(index) != nil {
      let list = lists[index - sections.count]
      if let message = list.message { streams.send(message, of: list) }
    }
    refresh(isWhole: false)
    if let changes = revisions.takeChanges() {
      streams.send(EventText.event("change", id: revisions.id, data: changes))
    }
  }

  private func comment() {
    guard !streams.isEmpty else { return }
    streams.send(EventText.comment)
    commentAlarm.arm(in: commentInterval)
  }

  private func check() {
    guard !streams.isEmpty else { return }
    for (index, section) in sections.enumerated() where section.comparedText != nil { touch(index) }
    checkAlarm.arm(in: Self.checkInterval)
  }

  /// A new client of the event stream.
  /// - Parameters:
  ///   - client: who asks for it.
  ///   - shown: names of lists; unknown ones are ignored.
  ///   - lastID: the id of the state that the client knows; nil for none.
  /// - Throws: 503 if too many streams are open.
  func open(
    for client: StreamSeats<ObjectIdentifier>.Client, shown: [Substring], lastID: String?
  ) throws(Problem) -> HTTPStream {
    let stream = HTTPStream()
    // Send pending changes to the other clients, so that all clients have the same id.
    let (document, id) = document()
    if let changes = revisions.takeChanges() { streams.send(EventText.event("change", id: id, data: changes)) }
    let lists = lists.filter { shown.contains(Substring($0.name)) }
    let isFirst = streams.isEmpty
    guard streams.add(stream, of: client, lists: lists) else {
      throw Problem(.serviceUnavailable, .tooManyPages, "Too many pages of this speaker are open.", retryAfter: 10)
    }
    if isFirst {
      commentAlarm.arm(in: commentInterval)
      checkAlarm.arm(in: Self.checkInterval)
    }
    stream.write(EventText.retry)
    if lastID != id { stream.write(EventText.event("state", id: id, data: document)) }
    for list in lists { if let message = list.message { stream.write(message) } }
    return stream
  }
}

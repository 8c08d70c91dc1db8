/// Decides which announcements are accepted, and which one is heard when.
///
/// Pure: requests and what becomes of them go in, actions come out. An announcement is loaded completely before it is
/// queued, so a failed one changes nothing. One that loads slowly holds up no other: the first one that is ready is heard.
package struct AnnouncementQueue {
  package enum Action: Equatable {
    /// Load the announcement. Answered by `loaded`.
    case load(Int, AnnouncementRequest)
    /// Play the sound. Answered by `ended`.
    case play(Int, AnnouncementSound, AnnouncementRequest)
    /// Another announcement of this duration follows the one that is heard. The music pauses for both.
    case follow(Duration)
    /// Tell the sender that the announcement will be heard.
    case queued(Int)
    /// Tell the sender that the announcement was heard, or why not.
    case finished(Int, AnnouncementError?)
  }

  /// Most announcements that wait, including those that are being loaded.
  package static let maximumCount = 8
  /// Limit for the samples of those that wait, in bytes.
  static let maximumBytes = 64 << 20

  private struct Entry {
    let id: Int
    let request: AnnouncementRequest
    /// Nil while it is being loaded.
    var sound: AnnouncementSound?
  }

  private var lastID = 0
  private var waiting: [Entry] = []
  private var playing: (id: Int, mode: AnnouncementRequest.Mode)?
  /// The announcement that follows without music in between.
  private var follower: Int?

  package init() {}

  /// Whether an announcement is heard.
  package var isPlaying: Bool { playing != nil }
  /// Number of announcements that wait, including those that are being loaded.
  package var count: Int { waiting.count }

  /// - Returns: the announcement's number.
  package mutating func add(_ request: AnnouncementRequest) throws(AnnouncementError) -> (id: Int, actions: [Action]) {
    guard !waiting.contains(where: { $0.request.content.name == request.content.name }) else { throw .alreadyWaiting }
    guard waiting.count < Self.maximumCount else { throw .full }
    lastID += 1
    waiting.append(Entry(id: lastID, request: request, sound: nil))
    return (lastID, [.load(lastID, request)])
  }

  package mutating func loaded(_ id: Int, _ result: Result<AnnouncementSound, AnnouncementError>) -> [Action] {
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return [] }
    switch result {
    case .success(let sound):
      guard waiting.reduce(sound.bytes, { $0 + ($1.sound?.bytes ?? 0) }) <= Self.maximumBytes else {
        waiting.remove(at: index)
        return [.finished(id, .full)]
      }
      waiting[index].sound = sound
      return [.queued(id)] + proceed()
    case .failure(let error):
      waiting.remove(at: index)
      return [.finished(id, error)]
    }
  }

  /// The sound that was playing has ended.
  /// - Parameter error: why it could not be heard.
  package mutating func ended(_ id: Int, _ error: PlaybackError?) -> [Action] {
    guard id == playing?.id else { return [] }
    playing = nil
    return [.finished(id, error.map { .failed($0) })] + proceed()
  }

  private mutating func proceed() -> [Action] {
    guard playing == nil else { return follow() }
    let follower = follower.take()
    guard
      let index = waiting.firstIndex(where: { $0.id == follower }) ?? waiting.firstIndex(where: { $0.sound != nil }),
      let sound = waiting[index].sound
    else { return [] }
    let entry = waiting.remove(at: index)
    playing = (entry.id, entry.request.mode)
    return [.play(entry.id, sound, entry.request)] + follow()
  }

  private mutating func follow() -> [Action] {
    guard playing?.mode == .pause, follower == nil, let next = waiting.first(where: { $0.sound != nil }),
      let sound = next.sound, next.request.mode == .pause
    else { return [] }
    follower = next.id
    return [.follow(sound.duration)]
  }
}

import ControlPoint

/// The order in which chosen objects and the tracks of folders are read to be played: as the server lists them, each folder
/// where it appears. A pure state machine: `next` says what to do, and the caller reports the answers.
struct PlayWalk {
  struct Limits {
    /// Tracks that are played.
    var tracks = 2000
    /// Chosen objects that are read at the same time.
    var together = 4
    /// Folders within folders.
    var depth = 16
    /// Folders and parts of folders that are read.
    var requests = 1000
    /// Folders and items that are seen, playable or not.
    var objects = 20_000
  }

  enum Step: Hashable {
    /// Read these objects, then call `found`.
    case find([String])
    /// Read the container's children from an index on, then call `received` or `failed`.
    case read(container: String, start: Int)
    /// Play this item, then call `accepted` if it can be played.
    case item(MediaObject)
    case end
  }

  private enum Entry {
    case chosen(String)
    /// - Parameter view: the container that lists it; nil for the chosen object itself.
    case object(MediaObject, depth: Int, view: String?)
    case container(String, depth: Int, start: Int)
  }

  private let limits: Limits
  /// The remaining work. The next entry is the last one.
  private var stack: [Entry] = []
  /// The containers seen, since a broken server may have a container within itself.
  private var known: Set<String>
  /// The container in which each URI was found first.
  private var views: [String: String?] = [:]
  /// The first object of the latest part of each container: a server that ignores StartingIndex sends it again.
  private var firstIDs: [String: String] = [:]
  private var reading: (container: String, depth: Int, start: Int)?
  private var requests = 0
  private var objects = 0
  private(set) var tracks = 0
  /// False once a limit was reached, or a chosen object or a folder could not be read.
  private(set) var isComplete = true

  /// - Parameter ids: of containers and items, in the order to play them.
  init(ids: [String], limits: Limits = Limits()) {
    self.limits = limits
    known = Set(ids)
    stack = ids.reversed().map { .chosen($0) }
  }

  init(container: String, limits: Limits = Limits()) {
    self.limits = limits
    known = [container]
    stack = [.container(container, depth: 0, start: 0)]
  }

  mutating func next() -> Step {
    while let entry = stack.popLast() {
      guard tracks < limits.tracks else {
        isComplete = false
        return .end
      }
      switch entry {
      case .chosen(let id):
        var ids = [id]
        while ids.count < limits.together, case .chosen(let id)? = stack.last {
          ids.append(id)
          stack.removeLast()
        }
        return .find(ids)
      case .object(let object, let depth, let view):
        guard object.isContainer else {
          if isRepeated(object, in: view) { continue }
          return .item(object)
        }
        stack.append(.container(object.id, depth: depth, start: 0))
      case .container(let id, let depth, let start):
        guard requests < limits.requests, objects < limits.objects else {
          isComplete = false
          continue
        }
        requests += 1
        reading = (id, depth, start)
        return .read(container: id, start: start)
      }
    }
    return .end
  }

  /// Whether another container has already listed the track. Servers list each track in several views: by artist, by
  /// album, all. Within one container, such as a playlist, a track may occur twice.
  private mutating func isRepeated(_ item: MediaObject, in view: String?) -> Bool {
    guard let uri = item.resources.first?.uri else { return false }
    if let first = views[uri] { return first != view }
    views[uri] = view
    return false
  }

  /// The objects that the last step asked for, in its order; nil for one that the server does not have.
  mutating func found(_ objects: [MediaObject?]) {
    if objects.contains(nil) { isComplete = false }
    stack += objects.reversed().compactMap { object in object.map { .object($0, depth: 0, view: nil) } }
  }

  /// The item of the last step can be played.
  mutating func accepted() { tracks += 1 }

  /// The container of the last step cannot be read.
  mutating func failed() {
    reading = nil
    isComplete = false
  }

  /// The children that the last step asked for.
  /// - Parameters:
  ///   - total: the total number of children; nil if unknown.
  ///   - count: the number that was asked for.
  mutating func received(_ children: [MediaObject], total: Int?, count: Int) {
    guard let (container, depth, start) = reading.take(), let first = children.first else { return }
    guard start == 0 || first.id != firstIDs[container] else { return }
    firstIDs[container] = first.id
    objects += children.count
    let end = start + children.count
    let hasMore = total.map { end < $0 } ?? (children.count >= count)
    if hasMore { stack.append(.container(container, depth: depth, start: end)) }
    for child in children.reversed() {
      guard child.isContainer else {
        stack.append(.object(child, depth: depth, view: container))
        continue
      }
      guard !child.id.isEmpty, !known.contains(child.id) else { continue }
      guard depth < limits.depth else {
        isComplete = false
        continue
      }
      known.insert(child.id)
      stack.append(.object(child, depth: depth + 1, view: container))
    }
  }
}

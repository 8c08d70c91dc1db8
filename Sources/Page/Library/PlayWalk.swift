import ControlPoint

/// Decides the order in which chosen objects and folders are read and played: the order of the server, with the tracks of each
/// folder in its place. A pure state machine: `next` says what to do, and the caller reports the answers.
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
    /// The items that follow precede all former ones.
    case front
    case end
  }

  /// The track of a container that plays first.
  struct Start: Hashable, Decodable {
    var id: String
    /// Its index in the container, so that it plays before the tracks in front of it are read.
    var offset: Int
  }

  private enum Entry {
    case chosen(String)
    /// - Parameter view: the container that lists it; nil for the chosen object itself.
    case object(MediaObject, depth: Int, view: String?)
    /// - Parameter end: the index after the last child to read; nil for all.
    case container(String, depth: Int, start: Int, end: Int? = nil)
    case front
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
  private var reading: (container: String, depth: Int, start: Int, end: Int?)?
  /// Nil once it was found.
  private(set) var start: Start?
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

  /// - Parameter start: nil for the first track.
  init(container: String, from start: Start? = nil, limits: Limits = Limits()) {
    self.limits = limits
    self.start = start
    known = [container]
    stack = [.container(container, depth: 0, start: start?.offset ?? 0)]
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
      case .front: return .front
      case .container(let id, let depth, let start, let end):
        guard requests < limits.requests, objects < limits.objects else {
          isComplete = false
          continue
        }
        requests += 1
        reading = (id, depth, start, end)
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
  ///   - index: the index of the first one; nil if it is as asked for.
  ///   - total: the total number of children; nil if unknown.
  ///   - count: the number that was asked for.
  mutating func received(_ children: [MediaObject], from index: Int? = nil, total: Int?, count: Int) {
    guard let (container, depth, start, end) = reading.take() else { return }
    let offset = index ?? start
    let children = children.prefix(end.map { $0 - offset } ?? .max)
    guard let first = children.first else { return }
    guard offset == 0 || first.id != firstIDs[container] else { return }
    firstIDs[container] = first.id
    objects += children.count
    let next = offset + children.count
    let hasMore = (end ?? total).map { next < $0 } ?? (children.count >= count)
    var part = children[...]
    if let wanted = self.start {
      // Without the track, nothing plays: the container has changed.
      guard let at = children.firstIndex(where: { $0.id == wanted.id }) else { return }
      self.start = nil
      push(children[..<at], of: container, depth)
      if offset > 0 { stack.append(.container(container, depth: depth, start: 0, end: offset)) }
      if at > 0 || offset > 0 { stack.append(.front) }
      part = children[at...]
    }
    if hasMore { stack.append(.container(container, depth: depth, start: next, end: end)) }
    push(part, of: container, depth)
  }

  private mutating func push(_ children: ArraySlice<MediaObject>, of container: String, _ depth: Int) {
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

import UPnP

extension MediaObject {
  /// Without the artist and album that a view of gerbera puts before the title.
  var withPlainTitle: MediaObject {
    var object = self
    let prefix = "\(artist ?? "") - \(album ?? "") - "
    guard title.hasPrefix(prefix), title != prefix else { return object }
    object.title = String(title.dropFirst(prefix.count))
    object.source?.element.replace(">\(XMLEscape.text(title))</", with: ">\(XMLEscape.text(object.title))</")
    return object
  }
}

/// The order in which all containers of a server are visited: breadth first, each once, within limits.
struct MediaWalk {
  static let maximumContainers = 10_000
  static let maximumObjects = 200_000
  static let maximumDepth = 16

  /// False once a limit was reached or a container could not be read.
  private(set) var isComplete = true
  private var queue: [(id: String, depth: Int)]
  private var position = 0
  private var known: Set<String>
  private var found: Set<String> = []
  /// The titles of known items, by size, duration, artist and album.
  private var titles: [String: [String]] = [:]
  private var objects = 0
  private var depth = 0

  init(root: String) {
    queue = [(root, 0)]
    known = [root]
  }

  /// The container to browse next; nil at the end.
  mutating func next() -> String? {
    guard position < queue.count, objects < Self.maximumObjects else { return nil }
    defer { position += 1 }
    depth = queue[position].depth
    return queue[position].id
  }

  /// A child of the current container.
  /// - Returns: whether to continue with its siblings.
  mutating func add(_ object: MediaObject) -> Bool {
    objects += 1
    if objects >= Self.maximumObjects {
      isComplete = false
      return false
    }
    guard object.isContainer, !object.id.isEmpty, !known.contains(object.id) else { return true }
    guard queue.count < Self.maximumContainers, depth < Self.maximumDepth else {
      isComplete = false
      return true
    }
    known.insert(object.id)
    queue.append((object.id, depth + 1))
    return true
  }

  /// Whether an item is seen for the first time. Servers list a track in several views: as references to one item, as items
  /// with the same URI, or (gerbera 1.1) as items that only have the same file.
  mutating func isNew(_ item: MediaObject) -> Bool {
    let isNewItem = found.insert("item \(item.refID ?? item.id)").inserted
    guard let resource = item.resources.first else { return isNewItem }
    let isNewURI = found.insert("uri \(resource.uri)").inserted
    guard isNewItem, isNewURI, let size = resource.size, let duration = resource.duration else {
      return isNewItem && isNewURI
    }
    let file = "\(size) \(duration) \(item.artist ?? "") \(item.album ?? "")"
    // One of the views may show the artist and the album before the title.
    let known = titles[file] ?? []
    if known.contains(where: { $0.hasSuffix(item.title) || item.title.hasSuffix($0) }) { return false }
    titles[file] = known + [item.title]
    return true
  }

  /// The current container could not be read.
  mutating func skipped() { isComplete = false }
}

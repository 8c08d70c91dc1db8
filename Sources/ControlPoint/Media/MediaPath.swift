import UPnP

/// A path of titles below a server's root, such as `/Music/Kind of Blue/So What`.
///
/// A title may contain slashes. Invisible characters in titles need not be typed. `[2]` after a title selects the second object of that title, and `[2]` alone the second
/// child.
public struct MediaPath: Sendable, Hashable {
  public let text: String

  public init(_ text: String) { self.text = text }

  /// Why a path cannot be resolved.
  public enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// - Parameters:
    ///   - rest: the part that is missing.
    ///   - place: the path to the container in which it is missing.
    ///   - nearest: titles there that resemble it.
    case missing(rest: String, place: String, nearest: [String])
    case several(title: String, place: String, count: Int)
    /// The path continues after an item.
    case notContainer(title: String)

    public var description: String {
      switch self {
      case .missing(let rest, let place, let nearest):
        let hint = NearestNames.question(nearest).map { " \($0)" } ?? ""
        return "There is no \"\(rest)\" in \(place.isEmpty ? "/" : place).\(hint)"
      case .several(let title, let place, let count):
        return """
          There are \(count) objects "\(title)" in \(place.isEmpty ? "/" : place). \
          Choose one, such as "\(title)[1]" for the first.
          """
      case .notContainer(let title): return "\"\(title)\" is an item and contains nothing."
      }
    }
  }
}

/// Finds the next object of a path among a container's children, which it sees one by one.
struct MediaPathStep {
  let rest: Substring
  /// Path of the container, for messages.
  let place: String
  private var exact = Matches()
  private var folded = Matches()
  private var numbered: MediaObject?
  private var count = 0
  private var nearest: NearestNames
  private let lowered: String

  /// The children with the longest title that matches.
  private struct Matches {
    var first: MediaObject?
    /// The child that the index selects.
    var chosen: MediaObject?
    var count = 0
    var length = 0
    var tail: Substring = ""
    var hasIndex = false

    mutating func add(_ object: MediaObject, _ match: (index: Int?, tail: Substring)) {
      let length = object.title.utf8.count
      if length > self.length || count == 0 {
        self = Matches()
        self.length = length
      }
      guard length == self.length else { return }
      count += 1
      if count == 1 { first = object }
      tail = match.tail
      hasIndex = match.index != nil
      if match.index == count { chosen = object }
    }
  }

  /// - Parameter rest: not empty, without slashes at its ends.
  init(_ rest: Substring, in place: String) {
    self.rest = rest
    self.place = place
    lowered = FoldedText.visible(String(rest)).lowercased()
    // The first title of the rest, without its index.
    nearest = NearestNames(String(rest.prefix { $0 != "/" && $0 != "[" }))
  }

  /// A child, in the server's order.
  mutating func consider(_ object: MediaObject) {
    count += 1
    nearest.consider(object.title)
    if let match = Self.match(object.title, rest) { exact.add(object, match) }
    if let match = Self.match(FoldedText.visible(object.title).lowercased(), lowered[...]) { folded.add(object, match) }
    if let match = Self.match("", rest), match.index == count { numbered = object }
  }

  /// The object, and the rest of the path after it.
  func result() throws(MediaPath.Failure) -> (object: MediaObject, rest: Substring) {
    for matches in [exact, folded] where matches.count > 0 {
      guard let first = matches.first else { continue }
      if matches.hasIndex {
        guard let chosen = matches.chosen else { break }
        return (chosen, suffix(matches.tail))
      }
      guard matches.count == 1 else { throw .several(title: first.title, place: place, count: matches.count) }
      return (first, suffix(matches.tail))
    }
    if let numbered, let match = Self.match("", rest) { return (numbered, suffix(match.tail)) }
    throw .missing(rest: String(rest), place: place, nearest: nearest.names)
  }

  /// The tail in its original case. Lower case may change its length, so it is found by its number of slashes.
  private func suffix(_ tail: Substring) -> Substring {
    guard !tail.isEmpty else { return "" }
    let parts = tail.split(separator: "/", omittingEmptySubsequences: false).count
    return rest.split(separator: "/", omittingEmptySubsequences: false).suffix(parts).first.map {
      rest[$0.startIndex...]
    } ?? ""
  }

  /// Whether a path begins with the title.
  private static func match(_ title: String, _ path: Substring) -> (index: Int?, tail: Substring)? {
    guard path.hasPrefix(title) else { return nil }
    var tail = path.dropFirst(title.count)
    var index: Int?
    if tail.first == "[", let end = tail.firstIndex(of: "]"), let number = Int(tail[..<end].dropFirst()), number > 0 {
      index = number
      tail = tail[tail.index(after: end)...]
    }
    guard !(title.isEmpty && index == nil) else { return nil }
    guard tail.isEmpty || tail.first == "/" else { return nil }
    return (index, tail.drop { $0 == "/" })
  }
}

extension MediaServer {
  /// The object that a path leads to; nil for the root, which has no object on some servers.
  ///
  /// Reads every container on the way, one page at a time. Titles match in any case unless one matches exactly.
  public func resolve(_ path: MediaPath) async throws -> MediaObject? {
    var rest = path.text[...].drop { $0 == "/" }
    while rest.last == "/" { rest = rest.dropLast() }
    var object: MediaObject?
    var place = ""
    while !rest.isEmpty {
      if let object, !object.isContainer { throw MediaPath.Failure.notContainer(title: object.title) }
      var step = MediaPathStep(rest, in: place)
      for try await child in browse(object?.id ?? Self.root).objects { step.consider(child) }
      let (found, remaining) = try step.result()
      object = found
      place += "/\(found.title)"
      rest = remaining
    }
    return object
  }
}

/// A recursive descent parser for the grammar of ContentDirectory:1 §2.5.5.1. `and` binds more strongly than `or`.
struct SearchCriteriaParser {
  private enum Token: Equatable {
    case open
    case close
    /// `=`, `!=`, `<` …
    case symbol(String)
    /// A property, an operator or a keyword.
    case word(String)
    case value(String)
    case end

    var text: String {
      switch self {
      case .open: "("
      case .close: ")"
      case .symbol(let text), .word(let text): text
      case .value(let text): "\"\(text)\""
      case .end: "the end"
      }
    }
  }

  private static let maximumComparisons = 256
  private static let maximumDepth = 32

  private var rest: Substring.UnicodeScalarView
  private var token = Token.end
  private var comparisons = 0

  init(_ text: String) { rest = text[...].unicodeScalars }

  mutating func parse() throws(CriteriaError) -> SearchCriteria {
    try advance()
    if token == .end { return .all }
    if token == .word("*") {
      try advance()
    } else {
      let criteria = try alternatives(depth: 0)
      guard token == .end else { throw unexpected() }
      return criteria
    }
    guard token == .end else { throw unexpected() }
    return .all
  }

  // MARK: Grammar

  private mutating func alternatives(depth: Int) throws(CriteriaError) -> SearchCriteria {
    guard depth < Self.maximumDepth else { throw CriteriaError("More than \(Self.maximumDepth) levels of parentheses") }
    var all = [try conjunction(depth: depth)]
    while isWord("or") {
      try advance()
      all.append(try conjunction(depth: depth))
    }
    return all.count == 1 ? all[0] : .or(all)
  }

  private mutating func conjunction(depth: Int) throws(CriteriaError) -> SearchCriteria {
    var all = [try term(depth: depth)]
    while isWord("and") {
      try advance()
      all.append(try term(depth: depth))
    }
    return all.count == 1 ? all[0] : .and(all)
  }

  private mutating func term(depth: Int) throws(CriteriaError) -> SearchCriteria {
    if token == .open {
      try advance()
      let criteria = try alternatives(depth: depth + 1)
      guard token == .close else { throw unexpected() }
      try advance()
      return criteria
    }
    guard case .word(let property) = token, property != "*" else { throw unexpected() }
    let name = SearchCriteria.aliases[property] ?? property
    comparisons += 1
    guard comparisons <= Self.maximumComparisons else {
      throw CriteriaError("More than \(Self.maximumComparisons) comparisons")
    }
    try advance()
    if isWord("exists") {
      try advance()
      return .exists(property: name, try truth())
    }
    let relation = try relation()
    guard case .value(let value) = token else { throw unexpected() }
    try advance()
    return .comparison(property: name, relation, value: value)
  }

  private mutating func relation() throws(CriteriaError) -> SearchCriteria.Operator {
    let text: String
    switch token {
    case .symbol(let symbol): text = symbol
    case .word(let word): text = word.lowercased()
    default: throw unexpected()
    }
    guard let relation = SearchCriteria.Operator.allCases.first(where: { $0.rawValue.lowercased() == text }) else {
      throw unexpected()
    }
    try advance()
    return relation
  }

  private mutating func truth() throws(CriteriaError) -> Bool {
    let text: String
    switch token {
    case .word(let word), .value(let word): text = word.lowercased()
    default: throw unexpected()
    }
    guard ["true", "false", "1", "0"].contains(text) else { throw unexpected() }
    try advance()
    return text == "true" || text == "1"
  }

  private func isWord(_ keyword: String) -> Bool {
    if case .word(let word) = token { word.lowercased() == keyword } else { false }
  }

  private func unexpected() -> CriteriaError { CriteriaError("Unexpected \(token.text.prefix(100))") }

  // MARK: Tokens

  private mutating func advance() throws(CriteriaError) {
    rest = rest.drop { Self.isBlank($0) }
    guard let first = rest.first else {
      token = .end
      return
    }
    switch first {
    case "(": take(.open, 1)
    case ")": take(.close, 1)
    case "\"": token = .value(try quoted())
    case "=": take(.symbol("="), 1)
    case "<", ">", "!":
      let isLong = rest.dropFirst().first == "="
      take(.symbol("\(first)\(isLong ? "=" : "")"), isLong ? 2 : 1)
    default:
      var word = rest.prefix { !Self.isBlank($0) && !"()\"=<>![".unicodeScalars.contains($0) }
      // `upnp:artist[@role="AlbumArtist"]`
      if word.endIndex < rest.endIndex, rest[word.endIndex] == "[", let end = rest.firstIndex(of: "]") {
        word = rest[..<rest.index(after: end)]
      }
      guard !word.isEmpty else { throw CriteriaError("Unexpected \(first)") }
      take(.word(String(word)), word.count)
    }
  }

  private mutating func take(_ token: Token, _ count: Int) {
    self.token = token
    rest = rest.dropFirst(count)
  }

  /// The text in quotation marks. A backslash escapes the character after it (§2.3.1).
  private mutating func quoted() throws(CriteriaError) -> String {
    rest = rest.dropFirst()
    var text = String.UnicodeScalarView()
    while let scalar = rest.popFirst() {
      switch scalar {
      case "\"": return String(text)
      case "\\":
        guard let escaped = rest.popFirst() else { break }
        // Some clients escape other characters by mistake, so a backslash before them is kept.
        if escaped != "\"", escaped != "\\" { text.append(scalar) }
        text.append(escaped)
      default: text.append(scalar)
      }
    }
    throw CriteriaError("A quotation mark is missing")
  }

  /// `wChar` of the grammar.
  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    scalar == " " || (0x09...0x0D).contains(scalar.value)
  }
}

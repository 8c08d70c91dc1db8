extension Manners {
  /// The reason for rejecting a query, as a sentence.
  struct QueryError: Error, Equatable {
    let sentence: String
  }

  /// Parses a query such as `?redirect=3&rate=200000&close-after=100000&ranges=no`. Times are in seconds, with
  /// fractions.
  ///
  /// Unknown names are errors: with a misspelt fault, a test would pass without testing anything.
  init(query: [Target.Item]) throws(QueryError) {
    self.init()
    var query = query.filter { $0.name != "hop" }
    for item in query where item.name == "icy" { icy = ICY(interval: try item.count()) }
    for item in query where item.name.hasPrefix("icy-") && icy == nil { icy = ICY() }
    for item in query where item.name == "stall-after" { stall = Stall(after: try item.count()) }
    for item in query where item.name == "close-after" { earlyClose = EarlyClose(after: try item.count()) }
    for item in query where item.name == "status" { status = Status(try item.count()) }
    query.removeAll { ["icy", "stall-after", "close-after", "status"].contains($0.name) }
    for item in query { try read(item) }
  }

  private mutating func read(_ item: Target.Item) throws(QueryError) {
    switch item.name {
    case "ranges": ranges = try item.flag()
    case "silent-on-ranges": silentOnRanges = try item.flag()
    case "head": head = try item.flag()
    case "redirect":
      redirect = item.value == "loop" ? .endless : Int(item.value).map { .hops($0) } ?? .to(item.value)
    case "redirect-status": redirectStatus = try item.count()
    case "chunked": if try item.flag() { framing = .chunked }
    case "closes": closes = try item.flag()
    case "length": framing = try item.length()
    case "open-delay": openDelay = try item.duration()
    case "rate": rate = try item.count()
    case "stall-for":
      stall = try given(stall, item) { value throws(QueryError) in value.duration = try item.duration() }
    case "stall-times":
      stall = try given(stall, item) { value throws(QueryError) in value.times = try item.count() }
    case "close-times":
      earlyClose = try given(earlyClose, item) { value throws(QueryError) in value.times = try item.count() }
    case "close-reset":
      earlyClose = try given(earlyClose, item) { value throws(QueryError) in value.reset = try item.flag() }
    case "status-times":
      status = try given(status, item) { value throws(QueryError) in value.times = try item.count() }
    case "icy-name": icy?.name = item.value
    case "icy-title": icy?.titles.append(try item.title())
    case "icy-line": icy?.statusLine = try item.flag()
    case "type": type = item.value == "none" ? .missing : .given(item.value)
    case "garbage": garbage = try item.flag()
    case "endless": endless = try item.flag()
    case "header":
      let pair = try item.pair()
      headers.append(Header(pair.0, pair.1))
    default: throw QueryError(sentence: "“\(item.name)” is unknown.")
    }
  }

  /// Applies a qualifier such as `stall-for` to its fault, which must be in the query.
  private func given<Value>(
    _ value: Value?, _ item: Target.Item, _ change: (inout Value) throws(QueryError) -> Void
  ) throws(QueryError) -> Value {
    guard var value else {
      throw QueryError(sentence: "“\(item.name)” needs the fault that it qualifies, such as “stall-after”.")
    }
    try change(&value)
    return value
  }
}

extension Target.Item {
  fileprivate func flag() throws(Manners.QueryError) -> Bool {
    switch value {
    case "", "1", "yes", "true": true
    case "0", "no", "false": false
    default: throw error("yes or no")
    }
  }

  fileprivate func count() throws(Manners.QueryError) -> Int {
    guard let number = Int(value), number >= 0 else { throw error("a whole number") }
    return number
  }

  fileprivate func duration() throws(Manners.QueryError) -> Duration {
    guard let seconds = Double(value), seconds >= 0, seconds.isFinite else { throw error("seconds") }
    return .seconds(seconds)
  }

  /// `no` for no length, or the difference of a wrong length from the real one.
  fileprivate func length() throws(Manners.QueryError) -> Manners.Framing {
    if value == "no" { return .close }
    guard let difference = Int(value) else { throw error("“no” or the number of bytes by which the length is wrong") }
    return .wrongLength(by: difference)
  }

  fileprivate func pair() throws(Manners.QueryError) -> (String, String) {
    let pair = value.split(separator: ":", maxSplits: 1)
    guard pair.count == 2 else { throw error("NAME:VALUE") }
    return (String(pair[0]), String(pair[1]))
  }

  fileprivate func title() throws(Manners.QueryError) -> ICY.Title {
    let (offset, text) = try pair()
    guard let offset = Int(offset) else { throw error("OFFSET:TITLE") }
    return ICY.Title(at: offset, text)
  }

  private func error(_ expected: String) -> Manners.QueryError {
    Manners.QueryError(sentence: "“\(name)=\(value)” is invalid: \(expected) expected.")
  }
}

import Testing

@testable import MediaOrigin

@Suite struct MannersQueryTests {
  private func manners(_ query: String) throws(Manners.QueryError) -> Manners {
    try Manners(query: Target("/?\(query)").query)
  }

  @Test(arguments: [
    ("", Manners()),
    ("hop=2", Manners()),
    ("ranges=no", Manners { $0.ranges = false }),
    ("silent-on-ranges=yes", Manners { $0.silentOnRanges = true }),
    ("head=0", Manners { $0.head = false }),
    ("redirect=3", Manners { $0.redirect = .hops(3) }),
    ("redirect=loop", Manners { $0.redirect = .endless }),
    ("redirect=/other", Manners { $0.redirect = .to("/other") }),
    ("redirect-status=301", Manners { $0.redirectStatus = 301 }),
    ("chunked=1", Manners { $0.framing = .chunked }),
    ("length=no", Manners { $0.framing = .close }),
    ("length=-7", Manners { $0.framing = .wrongLength(by: -7) }),
    ("length=%2B7", Manners { $0.framing = .wrongLength(by: 7) }),
    ("length=+7", Manners { $0.framing = .wrongLength(by: 7) }),
    ("open-delay=1.5", Manners { $0.openDelay = .milliseconds(1500) }),
    ("rate=1000", Manners { $0.rate = 1000 }),
    ("stall-after=5", Manners { $0.stall = .init(after: 5) }),
    ("stall-times=1&stall-for=2&stall-after=5", Manners { $0.stall = .init(after: 5, for: .seconds(2), times: 1) }),
    ("close-after=5&close-times=1&close-reset", Manners { $0.earlyClose = .init(after: 5, times: 1, reset: true) }),
    ("status=503&status-times=2", Manners { $0.status = .init(503, times: 2) }),
    ("type=text/html", Manners { $0.type = .given("text/html") }),
    ("type=none", Manners { $0.type = .missing }),
    ("garbage=1", Manners { $0.garbage = true }),
    ("endless=1", Manners { $0.endless = true }),
    ("header=X-A:b%3Ac", Manners { $0.headers = [Header("X-A", "b:c")] }),
    ("icy-name=N", Manners { $0.icy = ICY(name: "N") }),
    (
      "icy-title=0:A&icy=100&icy-title=7:B%3A1&icy-line=1",
      Manners { $0.icy = ICY(interval: 100, titles: [.init(at: 0, "A"), .init(at: 7, "B:1")], statusLine: true) }
    ),
  ])
  func query(query: String, meaning: Manners) throws {
    #expect(try manners(query) == meaning)
  }

  @Test(arguments: [
    ("rnages=no", "“rnages” is unknown."),
    ("rate=fast", "“rate=fast” is invalid: a whole number expected."),
    ("open-delay=-1", "“open-delay=-1” is invalid: seconds expected."),
    ("ranges=maybe", "“ranges=maybe” is invalid: yes or no expected."),
    ("stall-for=3", "“stall-for” needs the fault that it qualifies, such as “stall-after”."),
    ("header=X", "“header=X” is invalid: NAME:VALUE expected."),
  ])
  func misspelt(query: String, sentence: String) {
    #expect(throws: Manners.QueryError(sentence: sentence)) { try manners(query) }
  }
}

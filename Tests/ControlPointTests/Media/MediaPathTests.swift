import Testing

@testable import ControlPoint

@Suite struct MediaPathTests {
  typealias Failure = MediaPath.Failure

  private static func result(_ titles: [String], _ path: String) -> Result<String, Failure> {
    var step = MediaPathStep(path[...], in: "/Music")
    for (index, title) in titles.enumerated() { step.consider(MediaObject(.container, id: "\(index)", title: title)) }
    do throws(Failure) {
      let (object, rest) = try step.result()
      return .success("\(object.id) \(rest)")
    } catch {
      return .failure(error)
    }
  }

  private static func missing(_ rest: String, _ nearest: [String] = []) -> Result<String, Failure> {
    .failure(.missing(rest: rest, place: "/Music", nearest: nearest))
  }

  static let table: [(titles: [String], path: String, result: Result<String, Failure>)] = [
    (["A", "B"], "B", .success("1 ")), (["A", "B"], "B/c/D", .success("1 c/D")),
    (["A"], "A//b", .success("0 b")),
    // Upper and lower case are equal, unless a title matches exactly.
    (["MUSIC", "music"], "music", .success("1 ")), (["Straße", "B"], "STRASSE", missing("STRASSE", ["Straße"])),
    (["Éa"], "éa/X/y", .success("0 X/y")),
    (["MUSIC", "Music"], "music", .failure(.several(title: "MUSIC", place: "/Music", count: 2))),
    // Slashes in titles: the longest title wins.
    (["AC", "AC/DC"], "AC/DC/Live", .success("1 Live")), (["AC/DC", "AC"], "ac/dc", .success("0 ")),
    (["AC", "AC/DC"], "AC/Other", .success("0 Other")),
    // Several of one title, and indices.
    (["A", "A"], "A", .failure(.several(title: "A", place: "/Music", count: 2))),
    (["A", "B", "A"], "A[2]", .success("2 ")), (["A", "B", "A"], "a[1]/x", .success("0 x")),
    (["A"], "A[1]", .success("0 ")), (["A"], "A[2]", missing("A[2]", ["A"])), (["A"], "A[0]", missing("A[0]", ["A"])),
    (["A", "B", "C"], "[3]", .success("2 ")), (["A", "B"], "[2]/x", .success("1 x")), (["A"], "[2]", missing("[2]")),
    (["A[2]", "A", "A"], "A[2]", .success("0 ")),
    // No such title. The error suggests similar ones.
    ([], "A", missing("A")), (["Abbey Road", "Let It Be"], "Abey Road/x", missing("Abey Road/x", ["Abbey Road"])),
    (["Albums"], "Album", missing("Album", ["Albums"])), ([""], "A", missing("A")),
  ]

  @Test(arguments: table)
  func findsTheNextObject(titles: [String], path: String, result: Result<String, Failure>) {
    #expect(Self.result(titles, path) == result)
  }

  @Test func explainsItself() {
    #expect(
      Failure.missing(rest: "Abey/x", place: "", nearest: ["Abbey"]).description
        == "There is no \"Abey/x\" in /. Did you mean \"Abbey\"?")
  }
}

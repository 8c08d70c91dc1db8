import NIOHTTP1
import Testing
import UPnP

@Suite struct FileResponseTests {
  private static let facts = FileResponse.Facts(
    size: 1000, mimeType: "audio/x-flac", entityTag: "\"v1\"", modified: 784_111_777)

  private func response(_ headers: HTTPHeaders, method: HTTPMethod = .GET, size: Int = 1000) -> FileResponse {
    var facts = Self.facts
    facts.size = size
    return FileResponse(method, headers: headers, facts: facts)
  }

  @Test func anEmptyFile() { #expect(response([:], size: 0).body.isEmpty) }

  @Test func aPart() {
    let part = response(["Range": "bytes=100-199"])
    #expect(part.status == .partialContent)
    #expect(part.body == 100..<200)
    #expect(part.headers["Content-Range"] == ["bytes 100-199/1000"])
    #expect(part.headers["Content-Length"] == ["100"])
  }

  @Test func behindTheEnd() {
    let refusal = response(["Range": "bytes=1000-"])
    #expect(refusal.status == .rangeNotSatisfiable)
    #expect(refusal.headers["Content-Range"] == ["bytes */1000"])
    #expect(refusal.headers["Content-Length"] == ["0"])
    #expect(refusal.body.isEmpty)
  }

  @Test func headTellsTheLengthOnly() {
    let head = response([:], method: .HEAD)
    #expect(head.status == .ok)
    #expect(head.headers["Content-Length"] == ["1000"])
    #expect(head.body.isEmpty)
  }

  @Test(arguments: [
    ("\"v1\"", true), ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("\"v2\"", false), ("W/\"v1\"", false),
    ("Sun, 06 Nov 1994 08:49:38 GMT", false),
  ])
  func aRangeOfAnotherVersionGivesTheWholeFile(condition: String, isPart: Bool) {
    let answer = response(["Range": "bytes=1-2", "If-Range": condition])
    #expect(answer.status == (isPart ? .partialContent : .ok))
  }

  @Test func dlnaHeadersOnlyWhenAsked() {
    let plain = response([:])
    #expect(plain.headers["contentFeatures.dlna.org"].isEmpty)
    #expect(plain.headers["transferMode.dlna.org"].isEmpty)
    let asked = response(["getcontentFeatures.dlna.org": "1", "transferMode.dlna.org": "Streaming"])
    #expect(
      asked.headers["contentFeatures.dlna.org"] == [
        "DLNA.ORG_OP=01;DLNA.ORG_CI=0;DLNA.ORG_FLAGS=01700000000000000000000000000000"
      ])
    #expect(asked.headers["transferMode.dlna.org"] == ["Streaming"])
    #expect(response(["transferMode.dlna.org": "background"]).headers["transferMode.dlna.org"] == ["Background"])
    #expect(response(["transferMode.dlna.org": "Interactive"]).headers["transferMode.dlna.org"] == ["Streaming"])
  }
}

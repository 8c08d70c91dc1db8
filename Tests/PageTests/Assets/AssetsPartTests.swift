import NIOCore
import NIOHTTP1
import Testing

@testable import Page

@Suite struct AssetsPartTests {
  private let part = AssetsPart()

  private func asset(_ name: String) throws -> Asset { try #require(Asset.all.first { $0.name == name }) }

  @Test func thePageIsEmbedded() {
    let names = Set(Asset.all.map(\.name))
    #expect(names.isSuperset(of: ["index.html", "app.js", "style.css", "manifest.webmanifest", "icons/icon.svg"]))
    for asset in Asset.all {
      #expect(!asset.bytes.isEmpty, "\(asset.name)")
      #expect(asset.contentType != "application/octet-stream", "\(asset.name)")
    }
  }

  @Test func allFilesTogetherAreSmall() {
    let sizes = Asset.all.map { part.response($0, for: ["Accept-Encoding": "gzip"]).body.readableBytes }
    #expect(sizes.reduce(0, +) <= 110_000)
  }

  @Test(arguments: [
    ("gzip", true), ("deflate, gzip;q=0.5", true), ("*", true), ("GZIP", true), ("gzip;q=0", false),
    ("gzip; q=0.0", false), ("br", false), ("", false),
  ])
  func textIsCompressedForClientsThatAcceptIt(accepted: String, isCompressed: Bool) throws {
    let response = part.response(try asset("app.js"), for: ["Accept-Encoding": accepted])
    #expect(response.headers["Content-Encoding"] == (isCompressed ? ["gzip"] : []))
    #expect(response.headers["Vary"] == ["Accept-Encoding"])
    #expect(Array(response.body.readableBytesView.prefix(2)) == (isCompressed ? [0x1F, 0x8B] : Array("im".utf8)))
  }

  @Test func picturesAreNotCompressed() throws {
    let response = part.response(try asset("icons/icon-192.png"), for: ["Accept-Encoding": "gzip"])
    #expect(response.headers["Content-Encoding"].isEmpty)
    #expect(Array(response.body.readableBytesView.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
  }

  @Test func eachFormHasAnETagOfItsOwn() throws {
    let asset = try asset("style.css")
    let headers: [HTTPHeaders] = [["Accept-Encoding": "gzip"], [:]]
    let tags = headers.map { part.response(asset, for: $0).headers["ETag"] }
    #expect(tags[0] != tags[1])
    #expect(tags[0] == part.response(asset, for: ["Accept-Encoding": "gzip"]).headers["ETag"])
  }
}

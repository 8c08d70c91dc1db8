import Glibc
import LocalLibrary
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

@testable import DeviceStack
@testable import Providers

@Suite(.timeLimit(.minutes(1))) struct LibraryFilesTests {
  /// A file with the bytes 0, 1, 2 … 249 again and again.
  private static func makeFile() throws -> String {
    let path = "/tmp/library-files-\(UInt64.random(in: 0 ..< .max))"
    let file = try #require(fopen(path, "w"))
    for index in 0..<5000 { fputc(Int32(index % 250), file) }
    fclose(file)
    return path
  }

  private struct Answer: Sendable {
    var status: UInt
    var headers: HTTPHeaders
    var body: [UInt8]
  }

  private static func request(_ id: String, _ headers: HTTPHeaders, method: HTTPMethod) throws -> HTTPRequest {
    let address = try SocketAddress(ipAddress: "192.0.2.1", port: 80)
    var request = HTTPRequest(method: method, uri: "/", headers: headers, remote: address, local: address)
    request.parameter = id
    return request
  }

  /// Answers a request as the server would, with the whole body.
  private static func answer(
    _ files: LibraryFiles, on eventLoop: any EventLoop, _ id: String, _ headers: HTTPHeaders = [:],
    method: HTTPMethod = .GET, isCover: Bool = false
  ) async throws -> Answer {
    let request = try request(id, headers, method: method)
    let response = try await eventLoop.flatSubmit {
      let promise = eventLoop.makePromise(of: HTTPResponse.self)
      switch isCover ? files.cover(request) : files.track(request) {
      case .now(let response, _): promise.succeed(response)
      case .later(let deferred): deferred.whenComplete { promise.succeed($0) }
      case .stream: break
      }
      return promise.futureResult
    }.get()
    var body = Array(response.body.readableBytesView)
    if let content = response.content {
      while body.count < content.length {
        let piece = try await content.read(body.count..<min(body.count + 1000, content.length)).get()
        // Nothing where the file cannot be read.
        guard piece.readableBytes > 0 else { break }
        body += piece.readableBytesView
      }
    }
    return Answer(status: response.status.code, headers: response.headers, body: body)
  }

  private static func files(_ path: String? = nil) -> (LibraryFiles, any EventLoop) {
    let eventLoop = MultiThreadedEventLoopGroup.singleton.any()
    let library = StandInLibrary(paths: path.map { [1: $0] } ?? [:])
    return (LibraryFiles(library: library, eventLoop: eventLoop, logger: Logger(label: "test")), eventLoop)
  }

  @Test(
    arguments: [
      ([:], 200, 0..<5000), (["Range": "bytes=1000-1999"], 206, 1000..<2000),
      (["Range": "bytes=-10"], 206, 4990..<5000),
      (["Range": "bytes=5000-"], 416, 0..<0), (["Range": "bytes=0-0,5-6"], 200, 0..<5000),
    ] as [(HTTPHeaders, UInt, Range<Int>)])
  func filesAreServedInParts(headers: HTTPHeaders, status: UInt, range: Range<Int>) async throws {
    let path = try Self.makeFile()
    defer { unlink(path) }
    let (files, eventLoop) = Self.files(path)
    let answer = try await Self.answer(files, on: eventLoop, "1.flac", headers)
    #expect(answer.status == status)
    #expect(answer.body == range.map { UInt8($0 % 250) })
    #expect(answer.headers["Accept-Ranges"] == ["bytes"])
    #expect(answer.headers.first(name: "ETag") != nil)
    // The file is closed once the answer is gone.
    #expect(await Self.closes(files))
  }

  @Test func dlnaHeadersAreAnswered() async throws {
    let path = try Self.makeFile()
    defer { unlink(path) }
    let (files, eventLoop) = Self.files(path)
    let answer = try await Self.answer(
      files, on: eventLoop, "1", ["getcontentFeatures.dlna.org": "1", "transferMode.dlna.org": "Streaming"])
    #expect(answer.headers["transferMode.dlna.org"] == ["Streaming"])
    #expect(answer.headers.first(name: "contentFeatures.dlna.org")?.hasPrefix("DLNA.ORG_OP=01;") == true)
  }

  @Test(arguments: ["2", "", "x", "1/../2", "..", "%2e%2e", "-1", "01", "99999999999999999999"])
  func whatIsNoTrackIsNotFound(id: String) async throws {
    let (files, eventLoop) = Self.files()
    #expect(try await Self.answer(files, on: eventLoop, id).status == 404)
  }

  /// Waits until no file is open. The task that has answered lets go of its file a moment later.
  private static func closes(_ files: LibraryFiles) async -> Bool {
    for _ in 0..<1_000 where files.openCount > 0 { try? await Task.sleep(for: .milliseconds(10)) }
    return files.openCount == 0
  }

  @Test func aFailureIsAnError() async throws {
    let (files, eventLoop) = Self.files("/dev/null/file")
    #expect(try await Self.answer(files, on: eventLoop, "1").status == 500)
    #expect(await Self.closes(files))
  }

  @Test func coversAreServed() async throws {
    let (files, eventLoop) = Self.files()
    let answer = try await Self.answer(files, on: eventLoop, "t1", isCover: true)
    #expect(answer.status == 200 && answer.body == Array("\u{89}PNG".utf8))
    #expect(answer.headers["Content-Type"] == ["image/png"])
    for id in ["t2", "x1", "", "t"] {
      #expect(try await Self.answer(files, on: eventLoop, id, isCover: true).status == 404)
    }
  }

  @Test func theNumberOfOpenFilesIsLimited() async throws {
    let path = try Self.makeFile()
    defer { unlink(path) }
    let (files, eventLoop) = Self.files(path)
    let request = try Self.request("1", [:], method: .GET)
    let statuses = try await eventLoop.flatSubmit {
      let answers = (0..<60).map { _ in
        let promise = eventLoop.makePromise(of: HTTPResponse.self)
        switch files.track(request) {
        case .now(let response, _): promise.succeed(response)
        case .later(let deferred): deferred.whenComplete { promise.succeed($0) }
        case .stream: break
        }
        return promise.futureResult
      }
      return EventLoopFuture.whenAllSucceed(answers, on: eventLoop)
    }.get().map(\.status.code)
    #expect(statuses.filter { $0 == 200 }.count == 48)
    #expect(statuses.filter { $0 == 503 }.count == 12)
  }
}

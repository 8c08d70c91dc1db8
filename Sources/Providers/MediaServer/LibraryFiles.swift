import DeviceStack
import Glibc
import LocalLibrary
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import UPnP

/// Serves the tracks and covers of the library over HTTP. Used on the event loop; files are opened and read on others.
///
/// A request names a track or cover by its id, never a path, so nothing outside the library can be asked for.
package final class LibraryFiles: Sendable {
  /// Files that may be open at once; 503 beyond. A paused player keeps its own open.
  private static let maximumOpen = 48

  private let library: any LibraryContents
  private let eventLoop: any EventLoop
  private let logger: Logger
  private let open = Atomic(0)

  package init(library: any LibraryContents, eventLoop: any EventLoop, logger: Logger) {
    self.library = library
    self.eventLoop = eventLoop
    self.logger = logger
  }

  /// The start of the paths of covers.
  package static let pictures = LibraryPath.coverFolder

  /// Adds the routes.
  package func mount(on host: isolated DeviceHost) {
    host.serve(LibraryPath.tracks, [.GET: { [self] in track($0) }])
    host.serve(LibraryPath.covers, [.GET: { [self] in cover($0) }])
  }

  /// The number of files that are being sent.
  package var openCount: Int { open.load(ordering: .relaxed) }

  func track(_ request: HTTPRequest) -> HTTPReply {
    guard let id = LibraryPath.trackID(request.parameter) else { return HTTPReply(HTTPResponse(.notFound)) }
    return answer { [self] seat async throws(LibraryError) in
      response(to: request, try await library.open(track: id), tag: "t\(LibraryID.text(id))", seat)
    }
  }

  func cover(_ request: HTTPRequest) -> HTTPReply {
    guard let id = LibraryCoverID(request.parameter) else { return HTTPReply(HTTPResponse(.notFound)) }
    return answer { [self] seat async throws(LibraryError) in
      switch try await library.cover(id) {
      case .file(let file): return response(to: request, file, tag: id.text, seat)
      case .bytes(let bytes, let mimeType):
        let facts = FileResponse.Facts(
          size: bytes.count, mimeType: mimeType, entityTag: "\"\(id.text)-\(bytes.count)\"", modified: 0)
        let plan = FileResponse(request.method, headers: request.headers, facts: facts)
        var response = HTTPResponse(plan.status, headers: plan.headers)
        response.headers.remove(name: "Last-Modified")
        response.body = ByteBuffer(bytes: bytes[plan.content])
        return response
      }
    }
  }

  private func answer(
    _ make: @escaping @Sendable (Seat) async throws(LibraryError) -> HTTPResponse
  ) -> HTTPReply {
    guard let seat = Seat.take(self) else {
      return HTTPReply(HTTPResponse(.serviceUnavailable, headers: ["Retry-After": "5"]))
    }
    let answer = Deferred<HTTPResponse>()
    let bound = NIOLoopBound(answer, eventLoop: eventLoop)
    Task {
      let response: HTTPResponse
      do throws(LibraryError) {
        response = try await make(seat)
      } catch {
        response = refusal(error)
      }
      eventLoop.execute { bound.value.complete(with: response) }
    }
    return .later(answer)
  }

  private func refusal(_ error: LibraryError) -> HTTPResponse {
    switch error {
    case .missing, .unsupported: return HTTPResponse(.notFound)
    case .failed(let reason):
      logger.info("Cannot serve a file of the library: \(reason)")
      return HTTPResponse(.internalServerError)
    }
  }

  private func response(to request: HTTPRequest, _ file: LibraryFile, tag: String, _ seat: Seat) -> HTTPResponse {
    let facts = FileResponse.Facts(
      size: Int(file.size), mimeType: file.mimeType, entityTag: "\"\(tag)-\(file.size)-\(file.modified)\"",
      modified: Int(file.modified))
    let plan = FileResponse(request.method, headers: request.headers, facts: facts)
    var response = HTTPResponse(plan.status, headers: plan.headers)
    let start = plan.content.lowerBound
    response.content = HTTPContent(length: plan.content.count) { [eventLoop] range in
      withExtendedLifetime(seat) {
        NIOThreadPool.singleton.runIfActive(eventLoop: eventLoop) {
          file.read(start + range.lowerBound..<start + range.upperBound)
        }
      }
    }
    return response
  }

  /// One of the files that may be open, until it is released.
  private final class Seat: Sendable {
    private let files: LibraryFiles

    private init(_ files: LibraryFiles) { self.files = files }

    /// - Returns: nil if all are taken.
    static func take(_ files: LibraryFiles) -> Seat? {
      guard files.open.wrappingAdd(1, ordering: .relaxed).newValue <= LibraryFiles.maximumOpen else {
        files.open.wrappingSubtract(1, ordering: .relaxed)
        return nil
      }
      return Seat(files)
    }

    deinit { files.open.wrappingSubtract(1, ordering: .relaxed) }
  }
}

extension LibraryFile {
  /// - Returns: fewer bytes if the file became shorter or cannot be read; empty at its new end.
  fileprivate func read(_ range: Range<Int>) -> ByteBuffer {
    var buffer = ByteBufferAllocator().buffer(capacity: range.count)
    buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: range.count) { bytes in
      max(0, pread(descriptor, bytes.baseAddress, range.count, off_t(range.lowerBound)))
    }
    return buffer
  }
}

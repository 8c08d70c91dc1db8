import DeviceStack
import NIOCore
import NIOHTTP1

/// `GET /api/art/{key}`: artwork from other hosts.
struct ArtPart: PagePart {
  let proxy: ArtProxy
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.get(ArtLinks.folder + "{key}") { request throws(Problem) in
      let key = request.parameter
      if let picture = proxy.assumeIsolated({ $0.cached(key) }) { return .response(Self.response(picture)) }
      return .task(on: eventLoop) { () throws(Problem) in
        do throws(ArtError) {
          return Self.response(try await proxy.picture(key))
        } catch {
          throw Problem(error)
        }
      }
    }
  }

  private static func response(_ picture: Picture) -> HTTPResponse {
    HTTPResponse(
      .ok, headers: ["Content-Type": picture.type.rawValue, "Cache-Control": "max-age=86400", "ETag": picture.tag],
      body: picture.data)
  }
}

extension Problem {
  fileprivate init(_ error: ArtError) {
    switch error {
    case .unknown: self.init(.notFound, "There is no such picture.")
    case .notAllowed: self.init(.badGateway, "The picture is on a host that the speaker does not ask.")
    case .timeout: self.init(.gatewayTimeout, "The server of the picture did not answer in time.")
    case .tooLarge: self.init(.badGateway, "The picture is larger than \(ArtProxy.maximumSize >> 20) MiB.")
    case .noPicture: self.init(.badGateway, "The server sent something else than a JPEG, PNG, GIF or WebP picture.")
    case .failed(let sentence): self.init(.badGateway, "The picture cannot be read. \(sentence)")
    case .busy: self.init(.serviceUnavailable, "Too many pictures are being read. Try again.", retryAfter: 1)
    }
  }
}

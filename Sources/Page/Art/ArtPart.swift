import DeviceStack
import NIOCore
import NIOHTTP1

/// `GET /api/art/{key}`: artwork from other hosts.
struct ArtPart: PagePart {
  private let proxy: ArtProxy
  private let eventLoop: any EventLoop

  init(proxy: ArtProxy, eventLoop: any EventLoop) {
    self.proxy = proxy
    self.eventLoop = eventLoop
  }

  func add(to routes: PageRoutes) {
    routes.get(ArtLinks.folder + "{key}") { request throws(Problem) in
      let key = request.parameter
      if let picture = proxy.assumeIsolated({ $0.cached(key) }) {
        return .response(Self.response(picture))
      }
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
    var response = HTTPResponse(
      .ok, headers: ["Content-Type": picture.type.rawValue, "Cache-Control": "max-age=86400", "ETag": picture.tag],
      body: picture.data)
    response.attachment = picture.memory
    return response
  }
}

extension Problem {
  fileprivate init(_ error: ArtError) {
    switch error {
    case .unknown: self.init(.notFound, .pictureFailed, "There is no such picture.")
    case .notAllowed: self.init(.badGateway, .pictureFailed, "The speaker does not fetch pictures from this host.")
    case .timeout: self.init(.gatewayTimeout, .pictureFailed, "The picture's server did not answer in time.")
    case .tooLarge:
      self.init(.badGateway, .pictureFailed, "The picture is larger than \(ArtProxy.maximumSize >> 20) MiB.")
    case .noPicture: self.init(.badGateway, .pictureFailed, "The server did not send a JPEG, PNG, GIF or WebP picture.")
    case .failed(let sentence):
      self.init(.badGateway, .pictureFailed, "The speaker cannot fetch the picture. \(sentence)")
    case .busy:
      self.init(
        .serviceUnavailable, .pictureFailed, "The speaker is fetching too many pictures. Try again.", retryAfter: 1)
    }
  }
}

import DeviceStack
import NIOCore
import NIOHTTP1

/// `GET /api/art/{key}`: artwork from other hosts.
struct ArtPart: PagePart {
  let proxy: ArtProxy
  let eventLoop: any EventLoop

  func add(to routes: PageRoutes) {
    routes.get(ArtLinks.folder + "{key}") { request in
      let key = request.parameter
      if let picture = proxy.assumeIsolated({ $0.cached(key) }) {
        return .response(Self.response(picture))
      }
      return .later(eventLoop.makeFutureWithTask { Self.response(try await proxy.picture(key)) })
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

extension ArtError: APIError {
  var problem: Problem {
    switch self {
    case .unknown: Problem(.notFound, .pictureFailed, "There is no such picture.")
    case .notAllowed: Problem(.badGateway, .pictureFailed, "The speaker does not fetch pictures from this host.")
    case .timeout: Problem(.gatewayTimeout, .pictureFailed, "The picture's server did not answer in time.")
    case .tooLarge:
      Problem(.badGateway, .pictureFailed, "The picture is larger than \(ArtProxy.maximumSize >> 20) MiB.")
    case .noPicture: Problem(.badGateway, .pictureFailed, "The server did not send a JPEG, PNG, GIF or WebP picture.")
    case .failed(let sentence):
      Problem(.badGateway, .pictureFailed, "The speaker cannot fetch the picture. \(sentence)")
    case .busy:
      Problem(
        .serviceUnavailable, .pictureFailed, "The speaker is fetching too many pictures. Try again.", retryAfter: 1)
    }
  }
}

import DeviceStack
import NIOHTTP1
import PlaybackModel
import SpeakerCore

/// Announcements.
final class AnnouncementPart: PagePart {
  private let access: Access

  init(_ access: Access) { self.access = access }

  func add(to routes: PageRoutes) {
    routes.post("/api/announce", NewAnnouncement.self) { [access] body, request throws(Problem) in
      let announcement: AnnouncementRequest
      do throws(NewAnnouncement.Problem) {
        announcement = try body.request
      } catch {
        throw .wrong(error.field, error.what)
      }
      return access.perform(.announce(announcement, waits: body.waits), request) { _ in .json(NoResults()) }
    }
  }
}

extension Problem {
  init(_ error: AnnouncementError) {
    switch error {
    case .full: self.init(.tooManyRequests, .announcementsFull, error.description, retryAfter: 10)
    case .alreadyWaiting: self = .impossible(.announcementWaiting, error.description)
    case .tooLarge: self.init(.payloadTooLarge, .announcementTooLarge, error.description)
    case .failed(.badAddress), .failed(.unsupportedScheme), .failed(.forbiddenFolder):
      self.init(.badRequest, .wrongValue, "“uri”: \(error)", arguments: ["field": "uri"])
    case .failed, .group:
      self.init(.badGateway, .announcementFailed, error.description, arguments: ["reason": error.description])
    }
  }
}

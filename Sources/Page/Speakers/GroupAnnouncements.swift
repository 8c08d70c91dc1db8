import ControlPoint
import FoundationEssentials
import NIOCore
import PlaybackModel

/// Announcements for the group whose sound this speaker receives. The speaker that sends mixes them into the sound; if it
/// cannot, each member announces on its own.
///
/// An actor on the event loop.
actor GroupAnnouncements {
  private let house: House
  private let speakers: OtherSpeakers
  private let executor: any SerialExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(house: House, speakers: OtherSpeakers, eventLoop: any EventLoop) {
    (self.house, self.speakers) = (house, speakers)
    executor = eventLoop.executor
  }

  /// - Returns: whether this speaker has to play the announcement, too.
  func announce(_ request: AnnouncementRequest, waits: Bool) async throws(AnnouncementError) -> Bool {
    // A search ends when nobody is interested any more, and with it the requests.
    await house.pageOpened(.speakers)
    let result: Result<Bool, AnnouncementError>
    do throws(AnnouncementError) {
      result = .success(try await ask(request, waits))
    } catch {
      result = .failure(error)
    }
    await house.pageClosed(.speakers)
    return try result.get()
  }

  private func ask(_ request: AnnouncementRequest, _ waits: Bool) async throws(AnnouncementError) -> Bool {
    do throws(SpeakerError) {
      let own = try await speakers.speaker(nil).id
      guard let group = RoomGroups(await speakers.rooms()).group(of: own) else { return true }
      if let leader = group.leader, leader != own {
        let sender = try await speakers.speaker(leader)
        if try await post(Body(request, isForGroup: true, waits), to: sender, request.limit) { return false }
      }
      for id in group.all where id != own {
        _ = try await post(Body(request, isForGroup: false, false), to: try await speakers.speaker(id), request.limit)
      }
      return true
    } catch {
      throw .group(error.sentence)
    }
  }

  /// - Returns: false if the speaker has no announcements.
  private func post(_ body: Body, to speaker: RemoteSpeaker, _ limit: Duration) async throws(SpeakerError) -> Bool {
    guard let url = speaker.devices.page?.resolve("/api/announce"), let controlPoint = await house.controlPoint,
      let data = try? JSONEncoder().encode(body)
    else { return false }
    // The speaker reads all of it before it answers, and others may be heard first.
    let patience = limit + .seconds(60)
    let timeout = TimeAmount.nanoseconds((body.wait ? patience * 10 : patience).nanoseconds)
    let response: ClientResponse
    do throws(ControlPointError) {
      response = try await controlPoint.send(
        ClientRequest(
          .POST, url, headers: ["CONTENT-TYPE": "application/json"], body: ByteBuffer(bytes: data), timeout: timeout))
    } catch {
      throw SpeakerError(error)
    }
    if response.status == .ok { return true }
    let problem = try? JSONDecoder().decode(Refusal.self, from: Data(response.body.readableBytesView))
    guard let problem else { return false }
    throw .failed("\(speaker.name): \(problem.detail)")
  }

  /// The reason of a Swiftlet, as `application/problem+json`.
  private struct Refusal: Decodable { let detail: String }

  /// The body of `POST /api/announce`.
  private struct Body: Encodable {
    var uri: String?
    var volume: Int?
    var change: Int?
    let mode: String
    let chime: Bool
    let group: Bool
    let seconds: Int
    let wait: Bool

    init(_ request: AnnouncementRequest, isForGroup: Bool, _ waits: Bool) {
      if case .address(let address) = request.content { uri = address }
      switch request.volume {
      case .absolute(let step): volume = step
      case .relative(let steps): change = steps
      }
      (mode, group, wait) = (request.mode.rawValue, isForGroup, waits)
      chime = request.hasChime || request.content == .chime
      seconds = Int(request.limit.components.seconds)
    }
  }
}

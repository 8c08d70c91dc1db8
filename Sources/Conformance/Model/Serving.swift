import MediaOrigin
import UPnP

extension CheckContext {
  /// Serves a file at a new path.
  func serve(_ media: GeneratedMedia, _ manners: Manners = Manners()) async throws(Finding) -> ServedMedia {
    let server = try await origin.server()
    let served = ServedMedia(media, "/\(UInt64.random(in: .min ... .max))/\(media.name)", server)
    served.serve(manners)
    WireLog.current?.include { served.messages }
    return served
  }

  /// Serves a file of the user.
  /// - Parameter mimeType: one of its types.
  func serve(_ file: MediaFile, as mimeType: String) async throws(Finding) -> ServedMedia {
    let server = try await origin.server()
    let media = GeneratedMedia(name: file.name, bytes: [], mimeType: mimeType, duration: 0)
    let path = "/\(UInt64.random(in: .min ... .max))/\(file.name)"
    let served = ServedMedia(media, path, server, resource: file.resource)
    served.serve(Manners())
    return served
  }

  /// Serves a tone in a format that the device lists.
  func serveTone(seconds: Double, _ manners: Manners = Manners()) async throws(Finding) -> ServedMedia {
    try await serve(try await tone(seconds: seconds), manners)
  }

  /// A tone of a minute that is sent at twice the speed of playback, so that its connection stays open.
  func slowTone() async throws(Finding) -> ServedMedia {
    let media = try await serveTone(seconds: 60)
    let rate = Double(media.media.bytes.count) / media.media.duration * 2 * clock.speed
    media.serve(Manners { $0.rate = Int(rate) })
    return media
  }

  /// Waits for a number of GETs of a file.
  func expectFetch(of media: ServedMedia, _ count: Int = 1) async throws(Finding) {
    guard await media.waitForGet(count, within: times.transition) != nil else {
      throw .failure(
        expected: count == 1 ? "a GET of \(media.url)" : "\(count) GETs of \(media.url)",
        got: "\(media.gets.count) within \(times.transition)")
    }
  }

  /// Waits until the device has closed all connections to a file.
  func expectRelease(of media: ServedMedia) async throws(Finding) {
    let isReleased = await media.waitForRelease(within: times.close)
    try expect(isReleased, "the connection to the file to be closed", got: "an open connection")
  }

  /// A tone in a format that the device lists.
  /// - Throws: a skip if it lists none.
  func tone(seconds: Double) async throws(Finding) -> GeneratedMedia {
    let entries = ProtocolInfo.list(try await sink())
    let formats = entries.filter { ["http-get", "*"].contains($0.transport) }.map(\.mimeType)
    let names = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
    guard let name = names.first(where: { formats.contains($0) || formats.contains("*") }) else {
      throw .skip("the device lists no format that can be generated")
    }
    return await origin.tone(seconds: seconds, mimeType: name)
  }

  /// The formats that the device lists, in ConnectionManager or in OpenHome's Playlist.
  private func sink() async throws(Finding) -> String {
    try await shared.value("formats of \(target.description.root.udn)") { () async throws(Finding) -> String in
      if target.service("ConnectionManager") == nil, target.service(PlaylistDriver.service) != nil {
        return try await playlist.value("ProtocolInfo")
      }
      return try await call("ConnectionManager", "GetProtocolInfo")["Sink"] ?? ""
    }
  }
}

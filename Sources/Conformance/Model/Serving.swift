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

  /// Serves a tone in a format that the device lists.
  func serveTone(seconds: Double, _ manners: Manners = Manners()) async throws(Finding) -> ServedMedia {
    try await serve(try await tone(seconds: seconds), manners)
  }

  /// A tone in a format that the device lists.
  /// - Throws: a skip if it lists none.
  func tone(seconds: Double) async throws(Finding) -> GeneratedMedia {
    let sink = try await call("ConnectionManager", "GetProtocolInfo")["Sink"] ?? ""
    let formats = ProtocolInfo.list(sink).filter { ["http-get", "*"].contains($0.transport) }.map(\.mimeType)
    let names = ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
    guard let name = names.first(where: { formats.contains($0) || formats.contains("*") }) else {
      throw .skip("the device lists no format that can be generated")
    }
    return await origin.tone(seconds: seconds, mimeType: name)
  }
}

import DeviceStack
import NIOCore
import PlaybackModel
import SpeakerCore

/// The equalizer and its presets. Commands answer with the equalizer after them.
final class EqualizerPart: PagePart {
  private let access: Access
  private let feed: StateFeed

  init(_ access: Access, feed: StateFeed) {
    self.access = access
    self.feed = feed
  }

  private struct Change: Decodable {
    let on: Bool?
    let bands: [Band]?
    let preamp: Double?
    let automaticPreamp: Bool?
  }
  private struct Band: Decodable {
    let kind: EqualizerBand.Kind
    let channel: EqualizerBand.Channel?
    let on: Bool?
    let frequency: Double
    let gain: Double?
    let q: Double?

    var band: EqualizerBand {
      EqualizerBand(
        kind, frequency, gain: gain ?? 0, quality: q ?? 0.5.squareRoot(), channel: channel ?? .both, isOn: on ?? true)
    }
  }
  private struct Name: Decodable { let name: String }
  private struct Rename: Decodable {
    let name: String
    let to: String
  }
  private struct Import: Decodable {
    let text: String
    let name: String?
  }

  func add(to routes: PageRoutes) {
    routes.get("/api/equalizer") { [self] _ in document }
    routes.get("/api/equalizer/export") { [self] request throws(Problem) in
      try export(feed.state, preset: request.query("preset"))
    }
    routes.post("/api/equalizer", Change.self) { [self] body, request throws(Problem) in
      try change(body, request)
      return document
    }
    routes.post("/api/equalizer/select", Name.self) { [self] body, request throws(Problem) in
      try perform(.select(body.name), request)
    }
    routes.post("/api/equalizer/save", Name.self) { [self] body, request throws(Problem) in
      try perform(.save(as: body.name), request)
    }
    routes.post("/api/equalizer/rename", Rename.self) { [self] body, request throws(Problem) in
      try perform(.rename(body.name, to: body.to), request)
    }
    routes.post("/api/equalizer/remove", Name.self) { [self] body, request throws(Problem) in
      try perform(.remove(body.name), request)
    }
    routes.post("/api/equalizer/import", Import.self) { [self] body, request throws(Problem) in
      let settings: EqualizerSettings
      do throws(EqualizerError) {
        settings = try EqualizerText.read(body.text)
      } catch {
        throw Problem(.equalizer(error))
      }
      return try perform(.change(settings, savedAs: body.name), request)
    }
  }

  private var document: APIAnswer { .json(EqualizerDocument(feed.state).whole) }

  private func perform(_ command: EqualizerCommand, _ request: HTTPRequest) throws(Problem) -> APIAnswer {
    try access.perform(.equalizer(command), request)
    return document
  }

  /// Members that are absent stay as they are.
  private func change(_ body: Change, _ request: HTTPRequest) throws(Problem) {
    let former = feed.state.equalizer.settings
    let settings = EqualizerSettings(
      bands: body.bands?.map(\.band) ?? former.bands, preamp: body.preamp ?? former.preamp,
      automaticPreamp: body.automaticPreamp ?? (body.preamp == nil && former.automaticPreamp))
    if settings != former { try access.perform(.equalizer(.change(settings)), request) }
    if let isOn = body.on { try access.perform(.equalizer(.switch(isOn)), request) }
  }

  /// A text file of Equalizer APO.
  /// - Parameter preset: nil for the settings in force.
  private func export(_ state: SpeakerState, preset: String?) throws(Problem) -> APIAnswer {
    let settings: EqualizerSettings
    if let preset {
      guard let found = state.equalizer.preset(preset) else { throw Problem(.equalizer(.unknownPreset)) }
      settings = found.settings
    } else {
      settings = state.equalizer.settings
    }
    let text = EqualizerText.write(settings, rate: EqualizerDocument(state).rate)
    return .response(
      HTTPResponse(
        .ok,
        headers: [
          "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache",
          "Content-Disposition": "attachment; filename=\"equalizer.txt\"",
        ], body: ByteBuffer(string: text)))
  }
}

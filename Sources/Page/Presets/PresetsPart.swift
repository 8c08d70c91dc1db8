import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// The presets of the radio. Those of the configuration cannot be changed here.
final class PresetsPart: PagePart {
  /// Longest texts, in bytes.
  private static let maximumBytes = 1024

  private let access: Access
  private let radio: RadioSource

  init(_ access: Access, radio: RadioSource) {
    self.access = access
    self.radio = radio
  }

  private struct One: Codable { let id: UInt32 }
  private struct Try: Decodable {
    let uri: String
    let title: String?
  }
  private struct Add: Decodable {
    let title: String
    let uri: String
    let art: String?
    let after: UInt32?
  }
  private struct Change: Decodable {
    let id: UInt32
    let title: String?
    let uri: String?
    let art: String?
  }
  private struct Move: Decodable {
    let id: UInt32
    let after: UInt32
  }

  func add(to routes: PageRoutes) {
    routes.post("/api/presets/play", One.self) { [access] body, request throws(Problem) in
      try access.perform(.radio(.play(body.id)), request)
      return .done
    }
    routes.post("/api/presets/try", Try.self) { [self] body, request throws(Problem) in
      let preset = try checked(RadioPreset(title: body.title ?? "", uri: body.uri))
      try access.perform(.radio(.setChannel(uri: preset.uri, metadata: preset.metadata)), request)
      try access.perform(.transport(.play, of: .radio), request)
      return .done
    }
    routes.post("/api/presets/add", Add.self) { [self] body, request throws(Problem) in
      let preset = try checked(RadioPreset(title: body.title, uri: body.uri, artwork: body.art))
      return try id(of: .add(preset, after: body.after), request)
    }
    routes.post("/api/presets/change", Change.self) { [self] body, request throws(Problem) in
      guard let old = radio.presets[body.id] else { throw Problem(.preset(.unknown)) }
      let preset = try checked(
        RadioPreset(
          title: body.title ?? old.title, uri: body.uri ?? old.uri,
          artwork: body.art == "" ? nil : body.art ?? old.artwork))
      return try id(of: .change(body.id, to: preset), request)
    }
    routes.post("/api/presets/remove", One.self) { [self] body, request throws(Problem) in
      try access.perform(.radio(.remove(body.id)), request)
      return .done
    }
    routes.post("/api/presets/move", Move.self) { [self] body, request throws(Problem) in
      try access.perform(.radio(.move(body.id, after: body.after)), request)
      return .done
    }
  }

  private func checked(_ preset: RadioPreset) throws(Problem) -> RadioPreset {
    try WebAddress.check(preset.uri, "uri")
    if let artwork = preset.artwork { try WebAddress.check(artwork, "art") }
    guard preset.title.utf8.count <= Self.maximumBytes else { throw .wrong("title", "is too long") }
    return preset
  }

  private func id(of command: RadioCommand, _ request: HTTPRequest) throws(Problem) -> APIAnswer {
    .json(One(id: try access.perform(.radio(command), request).ids.first ?? 0))
  }
}

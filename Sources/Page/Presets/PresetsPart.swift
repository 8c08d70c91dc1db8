import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// The presets of the radio. Those of the configuration cannot be changed here.
final class PresetsPart: PagePart {
  /// Longest texts, in bytes.
  private static let maximumBytes = 1024

  private let player: Player
  private let radio: RadioSource

  init(player: Player, radio: RadioSource) {
    self.player = player
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
    routes.post("/api/presets/play", One.self) { [radio] body, _ throws(Problem) in
      do throws(RadioError) {
        try radio.play(body.id)
      } catch {
        throw Problem(PresetError.unknown)
      }
      return .done
    }
    routes.post("/api/presets/try", Try.self) { [self] body, _ throws(Problem) in
      let preset = try checked(RadioPreset(title: body.title ?? "", uri: body.uri))
      radio.setChannel(uri: preset.uri, metadata: preset.metadata)
      player.immediately { try? $0.play(.radio) }
      return .done
    }
    routes.post("/api/presets/add", Add.self) { [self] body, _ throws(Problem) in
      let preset = try checked(RadioPreset(title: body.title, uri: body.uri, artwork: body.art))
      return .json(One(id: try change { list throws(PresetError) in try list.add(preset, after: body.after) }))
    }
    routes.post("/api/presets/change", Change.self) { [self] body, _ throws(Problem) in
      guard let old = radio.presets[body.id] else { throw Problem(PresetError.unknown) }
      let preset = try checked(
        RadioPreset(
          title: body.title ?? old.title, uri: body.uri ?? old.uri,
          artwork: body.art == "" ? nil : body.art ?? old.artwork))
      return .json(One(id: try change { list throws(PresetError) in try list.change(body.id, to: preset) }))
    }
    routes.post("/api/presets/remove", One.self) { [self] body, _ throws(Problem) in
      try change { list throws(PresetError) in try list.remove(body.id) }
      return .done
    }
    routes.post("/api/presets/move", Move.self) { [self] body, _ throws(Problem) in
      try change { list throws(PresetError) in try list.move(body.id, after: body.after) }
      return .done
    }
  }

  private func checked(_ preset: RadioPreset) throws(Problem) -> RadioPreset {
    try WebAddress.check(preset.uri, "uri")
    if let artwork = preset.artwork { try WebAddress.check(artwork, "art") }
    guard preset.title.utf8.count <= Self.maximumBytes else { throw .wrong("title", "is too long") }
    return preset
  }

  private func change<Result>(
    _ step: (inout PresetList) throws(PresetError) -> Result
  ) throws(Problem) -> Result {
    do throws(PresetError) {
      return try radio.change(step)
    } catch {
      throw Problem(error)
    }
  }
}

extension Problem {
  init(_ error: PresetError) {
    switch error {
    case .unknown: self = .unknown(.unknownPreset, "There is no such preset.")
    case .readOnly: self = .impossible(.presetInFile, "This preset comes from the configuration file. Change it there.")
    case .full:
      self = .impossible(
        .presetsFull, "There are \(RadioPresets.maximumCount) presets already.",
        arguments: ["count": "\(RadioPresets.maximumCount)"])
    }
  }
}

import ArgumentParser
import ControlPoint
import FoundationEssentials
import Glibc

/// Chooses an entry by its number, otherwise by its name.
private func choose<Entry: Selectable>(
  _ text: String, among entries: [Entry], _ kind: String, number: (Entry) -> Int
) throws -> Entry {
  if let wanted = Int(text), let entry = entries.first(where: { number($0) == wanted }) { return entry }
  do {
    return try DeviceSelector.select(text, among: entries).candidate
  } catch .none {
    let names = entries.flatMap(\.names).joined(separator: ", ")
    Terminal.complain(
      "There is no \(kind) \"\(text)\"." + (names.isEmpty ? " All are empty." : " The \(kind)s are \(names)."))
    throw ExitCode(EX_NOHOST)
  } catch .several(let names) {
    Terminal.complain("\"\(text)\" means several \(kind)s: \(names.joined(separator: ", ")).")
    throw ExitCode(EX_USAGE)
  }
}

/// `swiftlet-control preset`
struct PresetCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "preset", abstract: "Play a preset of an OpenHome radio, or list the presets.")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "The preset's name or number; without it, the presets are listed.") var preset: String?
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let presets = try await speaker.presets()
    if let preset {
      let chosen = try choose(preset, among: presets, "preset") { $0.number }
      try await speaker.play(chosen)
      return try report(Line(chosen), chosen.label)
    }
    if presets.isEmpty, !options.json { Terminal.complain("The radio has no presets.") }
    for preset in presets {
      try report(Line(preset), TrackText.numbered(preset.number, of: presets.last?.number ?? 0, preset.label, false))
    }
  }

  private struct Line: Encodable {
    /// From 1.
    var number: Int
    var track: TrackLine

    init(_ preset: SpeakerPreset) {
      number = preset.number
      track = TrackLine(preset.item.track)
    }
  }
}

extension SpeakerPreset: Selectable {
  var names: [String] { [item.track.title ?? item.uri] }
  var identifiers: [String] { [item.uri] }
  var label: String { item.track.title ?? item.uri }
}

/// `swiftlet-control pin`
struct PinCommand: DeviceCommand {
  static let configuration = CommandConfiguration(
    commandName: "pin", abstract: "Play an OpenHome pin, or list the pins.")

  @Argument(help: .device, completion: .devices) var device: String
  @Argument(help: "The pin's name or number; without it, the pins are listed.") var pin: String?
  @OptionGroup var options: NetworkOptions

  func run(_ speaker: RemoteSpeaker, _ session: Session) async throws {
    let service = try await service(of: speaker, session)
    let pins = try await pins(service)
    if let pin {
      let chosen = try choose(pin, among: pins, "pin") { $0.number ?? 0 }
      // InvokeIndex counts from 0.
      _ = try await service.call("InvokeIndex", [("Index", "\((chosen.number ?? 1) - 1)")])
      return try report(chosen, chosen.label)
    }
    if pins.isEmpty, !options.json { Terminal.complain("All pins are empty.") }
    for pin in pins {
      try report(pin, TrackText.numbered(pin.number ?? 0, of: pins.last?.number ?? 0, pin.label, false))
    }
  }

  private func service(of speaker: RemoteSpeaker, _ session: Session) async throws -> RemoteService {
    let devices = speaker.devices.descriptions.map { FoundDevice(description: $0) }
    guard let service = devices.lazy.compactMap({ $0.service(named: "Pins") }).first else {
      throw ControlPointError.notOffered("pins: it has no OpenHome Pins service")
    }
    return try await session.controlPoint.service(service)
  }

  /// The pins that are not empty, in their order.
  private func pins(_ service: RemoteService) async throws -> [Pin] {
    let list = try await service.call("GetIdArray")["IdArray"] ?? ""
    guard let ids = try? JSONDecoder().decode([Int].self, from: Data(list.utf8)) else {
      throw ControlPointError.malformed("The list of pins is not a JSON array of ids.")
    }
    let wanted = ids.filter { $0 != 0 }
    guard !wanted.isEmpty else { return [] }
    let text = try await service.call("ReadList", [("Ids", "[\(wanted.map { "\($0)" }.joined(separator: ","))]")])
    guard let read = try? JSONDecoder().decode([Pin].self, from: Data((text["List"] ?? "").utf8)) else {
      throw ControlPointError.malformed("The pins are not valid JSON.")
    }
    return ids.enumerated().compactMap { index, id in
      guard id != 0, var pin = read.first(where: { $0.id == id }) else { return nil }
      pin.number = index + 1
      return pin
    }
  }

  private struct Pin: Codable, Selectable {
    /// From 1.
    var number: Int?
    var id: Int
    var title, uri, mode, type: String?

    var names: [String] { title.map { [$0] } ?? [] }
    var identifiers: [String] { uri.map { [$0] } ?? [] }
    var label: String { title ?? uri ?? "\(id)" }
  }
}

import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// When the device's format changes during a run: a table of consecutive pieces of sound.
@Suite struct DeviceFormatPlanTests {
  /// A piece of sound, the settings when it is fed, and the expected change of the device.
  struct Piece: Sendable {
    var track: String
    var isChanged = false
    var isStereo = false
    /// Nil for none.
    var deviceFormat: String?
    var reopens = false
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Formats, rates in kHz, channels.
    var device: (String, String, String) = ("S16LE S32LE", "44.1 48", "2")
    var isCard = true
    var pieces: [Piece]

    init(
      _ description: String, on device: (String, String, String) = ("S16LE S32LE", "44.1 48", "2"), isCard: Bool = true,
      _ pieces: [Piece]
    ) {
      (testDescription, self.device, self.isCard, self.pieces) = (description, device, isCard, pieces)
    }
  }

  static let cases = [
    Case(
      "The same again changes nothing",
      [Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"), Piece(track: "S16LE 48 2")]),
    Case(
      "Another rate reopens a card",
      [
        Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"),
        Piece(track: "S16LE 44.1 2", deviceFormat: "S16LE 44.1 2", reopens: true),
      ]),
    Case(
      "Another rate does not reopen an output that is no card", isCard: false,
      [
        Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"),
        Piece(track: "S16LE 44.1 2", deviceFormat: "S16LE 44.1 2"),
      ]),
    Case(
      "A rate that the card lacks keeps the one that it has", on: ("S16LE", "48", "2"),
      [
        Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"),
        Piece(track: "S16LE 44.1 2", deviceFormat: "S16LE 48 2"),
      ]),
    Case(
      "A new volume does not reopen the device, and the next track keeps the format",
      [
        Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"), Piece(track: "S16LE 48 2", isChanged: true),
        Piece(track: "S16LE 48 1", isChanged: true, deviceFormat: "S16LE 48 2"),
      ]),
    Case(
      "More bits reopen the card",
      [
        Piece(track: "S16LE 48 2", deviceFormat: "S16LE 48 2"),
        Piece(track: "S24LE 48 2", deviceFormat: "S32LE 48 2", reopens: true),
      ]),
    Case(
      "A volume at the start gets the widest format, which also holds 24 bits",
      [
        Piece(track: "S16LE 48 2", isChanged: true, deviceFormat: "S32LE 48 2"), Piece(track: "S16LE 48 2"),
        Piece(track: "S24LE 48 2", deviceFormat: "S32LE 48 2"),
      ]),
    Case(
      "A balance reopens a card that plays one channel, once", on: ("S16LE", "48", "1 2"),
      [
        Piece(track: "S16LE 48 1", deviceFormat: "S16LE 48 1"),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true, deviceFormat: "S16LE 48 2", reopens: true),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true), Piece(track: "S16LE 48 1"),
      ]),
    Case(
      "A balance on a card of one channel changes nothing", on: ("S16LE", "48", "1"),
      [
        Piece(track: "S16LE 48 1", deviceFormat: "S16LE 48 1"),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true),
      ]),
    Case(
      "A balance needs nothing where two channels play already",
      [
        Piece(track: "S16LE 48 1", deviceFormat: "S16LE 48 2"),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true),
      ]),
    Case(
      "No format fits", on: ("S16LE", "48", "9"),
      [Piece(track: "S16LE 48 2", deviceFormat: "none"), Piece(track: "S16LE 44.1 2", deviceFormat: "none")]),
  ]

  @Test(arguments: cases) func changesOnlyWhereItMust(_ one: Case) {
    let formats = one.device.0.split(separator: " ").map(String.init)
    let rates = one.device.1.split(separator: " ").map(DeviceFormat.hertz)
    let channels = one.device.2.split(separator: " ").compactMap { Int($0) }
    var plan = DeviceFormatPlan()
    for (index, piece) in one.pieces.enumerated() {
      let track = DeviceFormat(piece.track)
      let format = AudioFormat(track)
      let situation = DeviceFormatPlan.Situation(
        isCard: one.isCard, isChanged: piece.isChanged, isStereo: piece.isStereo)
      let change = plan.next(format, situation) { conditions in
        DeviceFormat.choose(for: track, precision: format.precision, conditions) { deviceFormat in
          formats.contains(deviceFormat.format) && rates.contains(deviceFormat.rate)
            && channels.contains(deviceFormat.channels)
        }
      }
      let expected = piece.deviceFormat.map { deviceFormat in
        DeviceFormatPlan.Change(
          format: deviceFormat == "none" ? nil : DeviceFormat(deviceFormat), reopens: piece.reopens)
      }
      #expect(change == expected, "piece \(index)")
    }
  }
}

extension AudioFormat {
  fileprivate init(_ deviceFormat: DeviceFormat) {
    let depth = deviceFormat.format == "S24LE" ? 24 : 16
    self.init(
      name: deviceFormat.format, depth: depth, rate: deviceFormat.rate, channels: deviceFormat.channels,
      sides: Array(repeating: .middle, count: deviceFormat.channels), bytesPerFrame: deviceFormat.channels * depth / 8)
  }
}

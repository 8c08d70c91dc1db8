import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// When the device's form changes in the course of a run: a table of pieces of sound, one after the other.
@Suite struct DeviceFormPlanTests {
  /// A piece of sound, the settings when it is handed over, and the change that it brings.
  struct Piece: Sendable {
    var track: String
    var isChanged = false
    var isStereo = false
    /// Nil for none.
    var form: String?
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
      [Piece(track: "S16LE 48 2", form: "S16LE 48 2"), Piece(track: "S16LE 48 2")]),
    Case(
      "Another rate reopens a card",
      [
        Piece(track: "S16LE 48 2", form: "S16LE 48 2"),
        Piece(track: "S16LE 44.1 2", form: "S16LE 44.1 2", reopens: true),
      ]),
    Case(
      "Another rate does not reopen what is no card", isCard: false,
      [Piece(track: "S16LE 48 2", form: "S16LE 48 2"), Piece(track: "S16LE 44.1 2", form: "S16LE 44.1 2")]),
    Case(
      "A rate that the card lacks keeps the one that it has", on: ("S16LE", "48", "2"),
      [Piece(track: "S16LE 48 2", form: "S16LE 48 2"), Piece(track: "S16LE 44.1 2", form: "S16LE 48 2")]),
    Case(
      "A volume is not worth a gap, and the form that a track began with is kept after it",
      [
        Piece(track: "S16LE 48 2", form: "S16LE 48 2"), Piece(track: "S16LE 48 2", isChanged: true),
        Piece(track: "S16LE 48 1", isChanged: true, form: "S16LE 48 2"),
      ]),
    Case(
      "More bits reopen the card",
      [Piece(track: "S16LE 48 2", form: "S16LE 48 2"), Piece(track: "S24LE 48 2", form: "S32LE 48 2", reopens: true)]),
    Case(
      "A volume at the start has the widest form, which 24 bits fit into",
      [
        Piece(track: "S16LE 48 2", isChanged: true, form: "S32LE 48 2"), Piece(track: "S16LE 48 2"),
        Piece(track: "S24LE 48 2", form: "S32LE 48 2"),
      ]),
    Case(
      "A balance reopens a card that plays one channel, once", on: ("S16LE", "48", "1 2"),
      [
        Piece(track: "S16LE 48 1", form: "S16LE 48 1"),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true, form: "S16LE 48 2", reopens: true),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true), Piece(track: "S16LE 48 1"),
      ]),
    Case(
      "A balance on a card of one channel changes nothing", on: ("S16LE", "48", "1"),
      [
        Piece(track: "S16LE 48 1", form: "S16LE 48 1"),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true),
        Piece(track: "S16LE 48 1", isChanged: true, isStereo: true),
      ]),
    Case(
      "A balance needs nothing where two channels play already",
      [Piece(track: "S16LE 48 1", form: "S16LE 48 2"), Piece(track: "S16LE 48 1", isChanged: true, isStereo: true)]),
    Case(
      "No form fits", on: ("S16LE", "48", "9"),
      [Piece(track: "S16LE 48 2", form: "none"), Piece(track: "S16LE 44.1 2", form: "none")]),
  ]

  @Test(arguments: cases) func changesOnlyWhereItMust(_ one: Case) {
    let formats = one.device.0.split(separator: " ").map(String.init)
    let rates = one.device.1.split(separator: " ").map(DeviceForm.hertz)
    let channels = one.device.2.split(separator: " ").compactMap { Int($0) }
    var plan = DeviceFormPlan()
    for (index, piece) in one.pieces.enumerated() {
      let track = DeviceForm(piece.track)
      let format = AudioFormat(track)
      let situation = DeviceFormPlan.Situation(
        isCard: one.isCard, isChanged: piece.isChanged, isStereo: piece.isStereo)
      let change = plan.next(format, situation) { wishes in
        DeviceForm.choose(for: track, precision: format.precision, wishes) { form in
          formats.contains(form.format) && rates.contains(form.rate) && channels.contains(form.channels)
        }
      }
      let expected = piece.form.map { form in
        DeviceFormPlan.Change(form: form == "none" ? nil : DeviceForm(form), reopens: piece.reopens)
      }
      #expect(change == expected, "piece \(index)")
    }
  }
}

extension AudioFormat {
  fileprivate init(_ form: DeviceForm) {
    let depth = form.format == "S24LE" ? 24 : 16
    self.init(
      name: form.format, depth: depth, rate: form.rate, channels: form.channels,
      sides: Array(repeating: .middle, count: form.channels), bytesPerFrame: form.channels * depth / 8)
  }
}

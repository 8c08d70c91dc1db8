import PlaybackTestKit
import Testing

@testable import PlaybackModel

/// The device format that is chosen for a track, by the formats that the device supports: a table.
@Suite struct DeviceFormatTests {
  struct Case: Sendable, CustomTestStringConvertible {
    /// Formats, rates in kHz, channels.
    var device: (String, String, String)
    var track: DeviceFormat
    var conditions = DeviceFormat.Conditions()
    var deviceFormat: DeviceFormat?

    init(_ device: (String, String, String), _ track: String, _ deviceFormat: String?) {
      self.init(device, track, .init(), deviceFormat)
    }

    init(
      _ device: (String, String, String), _ track: String, _ conditions: DeviceFormat.Conditions,
      _ deviceFormat: String?
    ) {
      self.device = device
      self.track = DeviceFormat(track)
      self.conditions = conditions
      self.deviceFormat = deviceFormat.map { DeviceFormat($0) }
    }

    var testDescription: String { "\(track) on \(device), \(conditions)" }
  }

  private static let card = ("S16LE S24_32LE S32LE", "44.1 48 96", "2")
  private static let usb = ("S16LE S24LE", "44.1 48 88.2 96 176.4 192", "2")
  private static let stick = ("S16LE", "48", "2")
  private static let changed = DeviceFormat.Conditions(isWideIfChanged: true, isChanged: true)
  private static let unchanged = DeviceFormat.Conditions(isWideIfChanged: true)

  static let cases = [
    // A format that the device supports is kept.
    Case(card, "S16LE 44.1 2", "S16LE 44.1 2"),
    Case(card, "S16LE 44.1 2", unchanged, "S16LE 44.1 2"),
    Case(card, "S24_32LE 96 2", "S24_32LE 96 2"),
    Case(usb, "S24LE 192 2", "S24LE 192 2"),
    // Otherwise another format that holds all bits is chosen.
    Case(card, "S24LE 96 2", "S24_32LE 96 2"),
    Case(usb, "S24_32LE 88.2 2", "S24LE 88.2 2"),
    Case(("S16LE S32LE", "48", "2"), "S24LE 48 2", "S32LE 48 2"),
    Case(card, "F32LE 44.1 2", "S32LE 44.1 2"),
    Case(card, "U8 48 2", "S16LE 48 2"),
    Case(card, "S16BE 48 2", "S16LE 48 2"),
    // Otherwise the most precise format is chosen.
    Case(usb, "S32LE 48 2", "S24LE 48 2"),
    Case(usb, "F32LE 48 2", "S24LE 48 2"),
    Case(stick, "S24LE 48 2", "S16LE 48 2"),
    // Rates of the same family come first, higher ones before lower ones down to 44.1 kHz; then the other family.
    Case(card, "S16LE 88.2 2", "S16LE 44.1 2"),
    Case(card, "S16LE 192 2", "S16LE 96 2"),
    Case(card, "S16LE 22.05 2", "S16LE 44.1 2"),
    Case(card, "S16LE 32 2", "S16LE 48 2"),
    Case(usb, "S16LE 352.8 2", "S16LE 176.4 2"),
    Case(stick, "S16LE 44.1 2", "S16LE 48 2"),
    Case(stick, "S16LE 88.2 2", "S16LE 48 2"),
    Case(("S16LE", "22.05 48", "2"), "S16LE 44.1 2", "S16LE 48 2"),
    Case(("S16LE", "32 96", "2"), "S16LE 48 2", "S16LE 96 2"),
    Case(("S16LE", "16 32", "2"), "S16LE 44.1 2", "S16LE 32 2"),
    Case(("S16LE", "44.1 88.2", "2"), "S16LE 96 2", "S16LE 88.2 2"),
    Case(card, "S16LE 37.8 2", "S16LE 44.1 2"),
    // Processed samples get the widest format.
    Case(card, "S16LE 44.1 2", changed, "S32LE 44.1 2"),
    Case(usb, "S16LE 44.1 2", changed, "S24LE 44.1 2"),
    Case(stick, "S16LE 48 2", changed, "S16LE 48 2"),
    Case(("S16LE S24_32LE", "48", "2"), "S16LE 48 2", changed, "S24_32LE 48 2"),
    Case(card, "S16LE 88.2 2", unchanged, "S32LE 44.1 2"),
    Case(usb, "S16LE 32 2", unchanged, "S24LE 48 2"),
    // The device's current format is kept if it is lossless.
    Case(card, "S16LE 48 2", .init(isWideIfChanged: true, current: .init("S32LE 48 2")), "S32LE 48 2"),
    Case(card, "S16LE 48 2", .init(isWideIfChanged: true, isChanged: true, current: .init("S16LE 48 2")), "S16LE 48 2"),
    Case(card, "S24LE 48 2", .init(isWideIfChanged: true, current: .init("S16LE 48 2")), "S24_32LE 48 2"),
    Case(card, "S16LE 44.1 2", .init(isWideIfChanged: true, current: .init("S32LE 48 2")), "S16LE 44.1 2"),
    // Number of channels.
    Case(card, "S16LE 48 1", "S16LE 48 2"),
    Case(card, "S16LE 48 6", "S16LE 48 2"),
    Case(("S16LE", "48", "1 2"), "S16LE 48 1", "S16LE 48 1"),
    Case(("S16LE", "48", "1 2"), "S16LE 48 1", .init(isStereo: true), "S16LE 48 2"),
    Case(("S16LE", "48", "1"), "S16LE 48 1", .init(isStereo: true), "S16LE 48 1"),
    Case(("S16LE", "48", "1"), "S16LE 48 2", "S16LE 48 1"),
    Case(("S16LE", "48", "4 6 8"), "S16LE 48 2", "S16LE 48 4"),
    Case(("S16LE", "48", "2 8"), "S16LE 48 6", "S16LE 48 2"),
    Case(("S16LE", "48", "9"), "S16LE 48 2", nil),
  ]

  @Test(arguments: cases) func isChosenByWhatTheDeviceCan(_ one: Case) {
    let formats = one.device.0.split(separator: " ").map(String.init)
    let rates = one.device.1.split(separator: " ").map(DeviceFormat.hertz)
    let channels = one.device.2.split(separator: " ").compactMap { Int($0) }
    let deviceFormat = DeviceFormat.choose(for: one.track, precision: one.track.precision, one.conditions) {
      formats.contains($0.format) && rates.contains($0.rate) && channels.contains($0.channels)
    }
    #expect(deviceFormat == one.deviceFormat)
  }

  /// A device may have fewer bits, or fewer channels, at higher rates.
  @Test func combinationsCount() {
    let device: Set = [DeviceFormat("S24LE 96 2"), DeviceFormat("S16LE 192 2"), DeviceFormat("S24LE 48 8")]
    func choose(_ track: String) -> DeviceFormat? {
      let track = DeviceFormat(track)
      return DeviceFormat.choose(for: track, precision: track.precision, .init(), isSupported: device.contains)
    }
    #expect(choose("S24LE 192 2") == DeviceFormat("S16LE 192 2"))
    #expect(choose("S16LE 96 2") == DeviceFormat("S24LE 96 2"))
    #expect(choose("S16LE 96 8") == DeviceFormat("S24LE 48 8"))
    #expect(choose("S16LE 44.1 2") == DeviceFormat("S24LE 96 2"))
  }
}

extension DeviceFormat {
  /// The precision of a decoded sample in this format, as in `AudioFormat`.
  fileprivate var precision: Int {
    ["U8": 8, "S16": 16, "S24": 24, "S32": 32, "F32": 25][String(format.prefix(3))] ?? 0
  }
}

import Testing

@testable import PlaybackModel

/// Texts as programs write them.
@Suite struct EqualizerTextTests {
  private static let roomEQWizard = """
    Filter Settings file

    Room EQ V5.31.3
    Dated: Jan 8, 2025 11:32:39 AM

    Notes:92.7

    Equaliser: miniDSP 2x4 HD
    RMS Average bassMax
    Filter  1: ON  PK       Fc   45.80 Hz  Gain   3.00 dB  Q  1.000
    Filter  2: ON  PK       Fc   48.75 Hz  Gain  -5.50 dB  Q 22.248
    Filter  3: OFF PK       Fc   136.0 Hz  Gain  -6.10 dB  Q 10.723
    Filter  4: ON  None
    Filter  5: OFF None
    Filter  6: ON  Modal    Fc   30.00 Hz  Gain -10.00 dB  Q  8.000  T60 target   300 ms

    """
  private static let fromRoomEQWizard = [
    EqualizerBand(.peak, 45.8, gain: 3, quality: 1), EqualizerBand(.peak, 48.75, gain: -5.5, quality: 22.248),
    EqualizerBand(.peak, 136, gain: -6.1, quality: 10.723, isOn: false),
    EqualizerBand(.peak, 30, gain: -10, quality: 8),
  ]

  private static func settings(_ bands: [EqualizerBand], preamp: Double? = nil) -> EqualizerSettings {
    EqualizerSettings(bands: bands, preamp: preamp ?? 0, automaticPreamp: preamp == nil)
  }

  @Test(
    arguments: [
      ("Room EQ Wizard", roomEQWizard, settings(fromRoomEQWizard)),
      ("Room EQ Wizard on Windows", roomEQWizard.replacingBreaks("\r\n"), settings(fromRoomEQWizard)),
      ("a German Room EQ Wizard", roomEQWizard.replacingPoints, settings(fromRoomEQWizard)),
      (
        "AutoEQ",
        """
        Preamp: -6.1 dB
        Filter 1: ON LSC Fc 105 Hz Gain -3.2 dB Q 0.70
        Filter 2: ON PK Fc 105.5 Hz Gain 4.5 dB Q 1.41
        Filter 3: ON HSC Fc 10000 Hz Gain -1.0 dB Q 0.70
        """,
        settings(
          [
            EqualizerBand(.lowShelf, 105, gain: -3.2, quality: 0.7),
            EqualizerBand(.peak, 105.5, gain: 4.5, quality: 1.41),
            EqualizerBand(.highShelf, 10_000, gain: -1, quality: 0.7),
          ], preamp: -6.1)
      ),
      (
        "Equalizer APO",
        """
        \u{FEFF}# Comment: with a colon
        Preamp: -3 dB
        Preamp: -1,5dB
        Channel: L
        Filter: ON PEQ Fc 50 Hz Gain -10.0 dB BW Oct 1
        Channel: 2
        Filter 7:  on lpq fc 12khz q 0.5
        Filter 8: ON HP Fc 30 Hz
        channel: all
        Filter #3: ON NO Fc 800 Hz
        Filter 4: ON NO Fc 60 Hz Q 10
        Filter 5: OFF AP Fc 900 Hz Q 0.7

        """,
        settings(
          [
            EqualizerBand(.peak, 50, gain: -10, quality: 2.0.squareRoot(), channel: .left),
            EqualizerBand(.lowPass, 12_000, quality: 0.5, channel: .right),
            EqualizerBand(.highPass, 30, channel: .right),
            EqualizerBand(.notch, 800, quality: 30), EqualizerBand(.notch, 60, quality: 10),
          ], preamp: -4.5)
      ),
      (
        "thousands",
        """
        Filter 1: ON PK Fc 1,042 Hz Gain -3 dB Q 1
        Filter 2: ON PK Fc 1.042 Hz Gain -3 dB Q 1
        Filter 3: ON PK Fc 1.042,50 Hz Gain -3 dB Q 1
        Filter 4: ON PK Fc 1\u{A0}042,5 Hz Gain −3 dB Q 1
        Filter 5: ON PK Fc 52.125 Hz Gain 0.125 dB Q 4,318
        """,
        settings([
          EqualizerBand(.peak, 1_042, gain: -3, quality: 1), EqualizerBand(.peak, 1_042, gain: -3, quality: 1),
          EqualizerBand(.peak, 1_042.5, gain: -3, quality: 1), EqualizerBand(.peak, 1_042.5, gain: -3, quality: 1),
          // 52125 Hz is no frequency of a band.
          EqualizerBand(.peak, 52.125, gain: 0.125, quality: 4.318),
        ])
      ),
      (
        "from a web page",
        "\u{FEFF}Preamp:\u{A0}-6,1\u{A0}dB\r\nFilter\u{A0}1:\u{A0}ON\u{A0}PK\u{A0}Fc\u{A0}1\u{A0}042\u{A0}Hz\u{A0}"
          + "Gain\u{A0}-3,5\u{A0}dB\u{A0}Q\u{A0}0,70\r\n\tFilter 2:\tON\tLSC\u{2009}Fc 1’042 Hz\tGain\t2\u{202F}dB\tQ\t0.71",
        settings(
          [
            EqualizerBand(.peak, 1_042, gain: -3.5, quality: 0.7),
            EqualizerBand(.lowShelf, 1_042, gain: 2, quality: 0.71),
          ], preamp: -6.1)
      ),
      (
        "Behringer", "Filter 1: ON PEQ Fc 100 Hz Gain -3 dB BW/60 60",
        settings([EqualizerBand(.peak, 100, gain: -3, quality: 2.0.squareRoot())])
      ),
      ("only a preamp", "Preamp: -6 dB", settings([], preamp: -6)),
    ] as [(String, String, EqualizerSettings)])
  func isRead(_ name: String, _ text: String, _ expected: EqualizerSettings) throws {
    let found = try EqualizerText.read(text)
    #expect(found.bands.count == expected.bands.count)
    for (band, expected) in zip(found.bands, expected.bands) {
      #expect(band.isClose(to: expected), "\(band) instead of \(expected)")
    }
    #expect(found.preamp == expected.preamp && found.automaticPreamp == expected.automaticPreamp)
  }

  /// Shelves without Q or with a slope, and those that name the corner: S = 0.9, or the slope in parts of 12 dB per
  /// octave; the corner is 10^(|gain| / 80 / S) away from the middle.
  @Test(
    arguments: [
      ("LS Fc 100 Hz Gain 6 dB", 100, 0.6688), ("LSC 12 dB Fc 100 Hz Gain 6 dB", 100, 0.7071),
      ("LSC 6dB Fc 100 Hz Gain 6 dB", 100, 0.4926), ("LS 12dB Fc 100 Hz Gain 6 dB", 118.85, 0.7071),
      ("HS 12 dB Fc 8000 Hz Gain -6 dB", 6731.2, 0.7071), ("LS Fc 100 Hz Gain 6 dB Q 0.7071", 118.85, 0.7071),
      ("LSQ Fc 100 Hz Gain 6 dB Q 0.6", 100, 0.6),
    ] as [(String, Double, Double)])
  func shelves(_ line: String, _ frequency: Double, _ quality: Double) throws {
    let band = try #require(try EqualizerText.read("Filter 1: ON \(line)").bands.first)
    #expect(abs(band.frequency - frequency) < 0.1 && abs(band.quality - quality) < 0.001, "\(band)")
  }

  @Test(
    arguments: [
      (
        "Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\nGraphicEQ: 20 -3.2; 21 -3",
        "Line 2: “GraphicEQ” is not supported: only Preamp, Filter and Channel are."
      ),
      ("Include: other.txt", "Line 1: “Include” is not supported: only Preamp, Filter and Channel are."),
      ("\n\nfoo", "Line 3: “foo” is not understood."),
      ("Filter 1: PK Fc 100 Hz", "Line 1: The filter needs ON or OFF."),
      ("Filter 1: ON", "Line 1: The filter has no type."),
      ("Filter 1: ON AP Fc 900 Hz Q 0.7", "Line 1: Filters of the type “AP” are not supported."),
      ("Filter 1: ON PK Gain 3 dB Q 1", "Line 1: The filter has no frequency (Fc)."),
      ("Filter 1: ON PK Fc 100 Hz Q 1", "Line 1: The filter has no gain."),
      ("Filter 1: ON PK Fc 100 Hz Gain 3 dB", "Line 1: The filter has neither Q nor a bandwidth (BW Oct)."),
      ("Filter 1: ON PK Fc nan Hz Gain 3 dB Q 1", "Line 1: “nan” is not a number for Fc."),
      ("Filter 1: ON PK Fc 100 Hz Gain inf dB Q 1", "Line 1: “inf” is not a number for Gain."),
      ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q", "Line 1: The number of Q is missing."),
      ("Filter 1: ON PK Fc 1e400 Hz Gain 3 dB Q 1", "Line 1: “1e400” is not a number for Fc."),
      ("Filter 1: ON PK Fc 5 Hz Gain 3 dB Q 1", "Line 1: The frequency must be between 10 and 40000 Hz."),
      ("Filter 1: ON PK Fc 100 Hz Gain 30 dB Q 1", "Line 1: The gain must be between −24 and 24 dB."),
      ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 0", "Line 1: Q must be between 0.1 and 100."),
      ("Filter 1: ON PK Fc 100 Hz Gain 3 dB BW Oct -1", "Line 1: The bandwidth must be more than 0."),
      ("Filter 1: ON LS 0dB Fc 100 Hz Gain 3 dB", "Line 1: The slope and Q must be more than 0."),
      ("Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1 extra", "Line 1: “extra” is not a number for a slope."),
      ("Preamp: loud", "Line 1: “loud” is not a number for the preamp."),
      ("Preamp: -100 dB", "Line 1: The preamp must be between −60 and 24 dB."),
      ("Channel: L\nPreamp: -3 dB", "Line 2: A preamp for one channel is not supported."),
      ("Channel: LFE", "Line 1: The channels “LFE” are not supported: only all, L and R are."),
      ("", "The text has no filters."), ("# only a comment", "The text has no filters."),
      ("Filter Settings file\n\nEqualiser: Generic\n", "The text has no filters."),
      (
        String(repeating: "Filter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\n", count: 21),
        "Line 21: This is more than 20 filters."
      ),
      ("\u{0}\u{1}\u{2}PNG", "Line 1: “���PNG” is not understood."),
    ] as [(String, String)])
  func anythingElseIsAnErrorThatNamesTheLine(text: String, message: String) {
    var found: String?
    do throws(EqualizerError) {
      _ = try EqualizerText.read(text)
    } catch {
      found = error.description
    }
    #expect(found == message)
  }

  @Test func aLongTextIsRefused() {
    let text = String(repeating: "#\n", count: 32_769)
    #expect(throws: EqualizerError.wrongValue("The text is longer than 64 KiB.")) { _ = try EqualizerText.read(text) }
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    let bands = EqualizerBand.Kind.allCases.enumerated().map { place, kind in
      EqualizerBand(
        kind, 1_000.25 * Double(place + 1), gain: kind.hasGain ? -3.25 : 0, quality: 1.25,
        channel: EqualizerBand.Channel.allCases[place % 3], isOn: place != 1)
    }
    let settings = EqualizerSettings(bands: bands, preamp: -4.5, automaticPreamp: false)
    let text = EqualizerText.write(settings, rate: 48_000)
    #expect(try EqualizerText.read(text) == settings)
    let head = "Preamp: -4.5 dB\nFilter 1: ON PK Fc 1000.25 Hz Gain -3.25 dB Q 1.25\nChannel: L\nFilter 2: OFF LSC "
    #expect(text.hasPrefix(head))
  }

  @Test func anAutomaticPreampIsWrittenAsANumber() {
    let settings = EqualizerSettings(bands: [EqualizerBand(.peak, 100, gain: 6, quality: 1)])
    #expect(
      EqualizerText.write(settings, rate: 48_000) == "Preamp: -6 dB\nFilter 1: ON PK Fc 100 Hz Gain 6 dB Q 1\n")
  }
}

extension EqualizerBand {
  fileprivate func isClose(to other: EqualizerBand) -> Bool {
    var copy = self
    (copy.frequency, copy.gain, copy.quality) = (other.frequency, other.gain, other.quality)
    return copy == other && abs(frequency - other.frequency) < 1e-9 && abs(gain - other.gain) < 1e-9
      && abs(quality - other.quality) < 1e-9
  }
}

extension String {
  fileprivate func replacingBreaks(_ other: String) -> String {
    split(separator: "\n", omittingEmptySubsequences: false).joined(separator: other)
  }

  /// With a decimal comma in the filters.
  fileprivate var replacingPoints: String { String(map { $0 == "." ? "," : $0 }) }
}

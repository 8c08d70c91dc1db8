import PlaybackModel
import SpeakerCore

/// The equalizer as JSON: for the state, and with the curve for the equalizer's own routes.
struct EqualizerDocument {
  /// For the figures while nothing plays.
  private static let defaultRate = 48_000

  private let equalizer: Equalizer
  private let response: EqualizerResponse
  let rate: Int

  init(_ state: SpeakerState) {
    equalizer = state.equalizer
    rate = state.streamInfo?.sampleRate ?? Self.defaultRate
    response = EqualizerResponse(equalizer.settings, rate: rate)
  }

  /// Without the curve.
  var summary: JSONObject { object(curve: nil) }

  var whole: JSONObject {
    let points = response.curve
    return object(curve: [
      "frequencies": points.map { Self.rounded($0.frequency) },
      "left": points.map { Self.rounded($0.left) },
      "right": points.map { Self.rounded($0.right) },
    ])
  }

  private func object(curve: JSONObject?) -> JSONObject {
    let (settings, boost) = (equalizer.settings, response.largestBoost)
    return [
      "on": equalizer.isOn,
      "preset": equalizer.selected,
      "changed": equalizer.isChanged,
      "presets": equalizer.presets.map(\.name),
      "bands": settings.bands.map(Self.band),
      "preamp": settings.preamp,
      "automaticPreamp": settings.automaticPreamp,
      "preampInForce": Self.rounded(settings.automaticPreamp ? 0 - boost : settings.preamp),
      "boost": Self.rounded(boost),
      "sampleRate": rate,
      "curve": curve,
    ]
  }

  private static func band(_ band: EqualizerBand) -> JSONObject {
    [
      "kind": band.kind.rawValue, "channel": band.channel.rawValue, "on": band.isOn, "frequency": band.frequency,
      "gain": band.gain, "q": band.quality,
    ]
  }

  /// To two decimals; never −0.
  private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 + 0 }
}

import DeviceStack
import UPnP

/// Info:1 and Time:1 of the stand-in speaker.
final class StandInInfoService: Info1.Provider, Time1.Provider {
  private let speaker: StandInSpeaker
  private lazy var info = Info1.Variables(infoValues)
  private lazy var clock = Time1.Variables(timeValues)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var services: [HostedService] { [Info1.hosted(by: self, info), Time1.hosted(by: self, clock)] }

  private func update() {
    info.apply(infoValues)
    clock.apply(timeValues)
  }

  // MARK: Info

  /// Reports CD quality for every item.
  private var infoValues: Info1.Values {
    let deck = speaker.deck
    let isKnown = deck.hasFormat
    return .init(
      trackCount: speaker.itemCount, detailsCount: isKnown ? 1 : 0, metatextCount: 0, uri: deck.uri,
      metadata: deck.metadata, duration: isKnown ? duration : 0, bitRate: isKnown ? 1_411_200 : 0,
      bitDepth: isKnown ? 16 : 0, sampleRate: isKnown ? 44100 : 0, lossless: isKnown, codecName: isKnown ? "WAV" : "",
      metatext: "")
  }

  private var duration: UInt32 { UInt32(clamping: speaker.deck.duration.components.seconds) }

  func counters() -> Info1.CountersOutput {
    .init(
      trackCount: infoValues.trackCount, detailsCount: infoValues.detailsCount, metatextCount: infoValues.metatextCount)
  }

  func track() -> Info1.TrackOutput { .init(uri: infoValues.uri, metadata: infoValues.metadata) }

  func details() -> Info1.DetailsOutput {
    .init(
      duration: infoValues.duration, bitRate: infoValues.bitRate, bitDepth: infoValues.bitDepth,
      sampleRate: infoValues.sampleRate, lossless: infoValues.lossless, codecName: infoValues.codecName)
  }

  func metatext() -> Info1.MetatextOutput { .init(value: infoValues.metatext) }

  // MARK: Time

  private var timeValues: Time1.Values {
    .init(
      trackCount: speaker.itemCount, duration: duration,
      seconds: UInt32(clamping: speaker.deck.position.components.seconds) + speaker.extraTicks)
  }

  func time() -> Time1.TimeOutput {
    .init(trackCount: timeValues.trackCount, duration: timeValues.duration, seconds: timeValues.seconds)
  }
}

import PlaybackModel

extension SpeakerState {
  /// Nil for a text that does not say it; keys of a later version are passed over.
  public init?(_ text: StateText) {
    guard let volume = text.value("volume", as: Int.self), (0...100).contains(volume),
      let balance = text.value("balance", as: Int.self), BalanceScale.range.contains(balance),
      let isMuted = text.value("muted", as: Bool.self), let isStandby = text.value("standby", as: Bool.self),
      let source = text["source"].flatMap(Self.source)
    else { return nil }
    self.init(volume: volume, isMuted: isMuted, balance: balance, source: source, isStandby: isStandby)
  }

  public var text: StateText {
    var text = StateText()
    text.add("volume", volume)
    text.add("muted", isMuted)
    text.add("balance", balance)
    text.add("source", "\(source)")
    text.add("standby", isStandby)
    return text
  }

  private static func source(_ name: String) -> Source? { Source.allCases.first { "\($0)" == name } }
}

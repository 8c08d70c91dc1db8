/// Tags of a stream; nil for those that a message does not have.
package struct StreamTags: Sendable, Equatable {
  package var codec: String?
  package var bitRate: Int?
  package var nominalBitRate: Int?
  /// Measured, for streams that do not declare a bit rate.
  package var measuredBitRate: Int?
  /// Title of what a live stream is playing.
  package var liveTitle: String?
  package var replayGain: ReplayGainTags?

  package init(
    codec: String? = nil, bitRate: Int? = nil, nominalBitRate: Int? = nil, measuredBitRate: Int? = nil,
    liveTitle: String? = nil, replayGain: ReplayGainTags? = nil
  ) {
    self.codec = codec
    self.bitRate = bitRate
    self.nominalBitRate = nominalBitRate
    self.measuredBitRate = measuredBitRate
    self.liveTitle = liveTitle
    self.replayGain = replayGain
  }

  /// Adds later tags. Each change is evented, so a new bit rate must differ by more than a tenth.
  package mutating func add(_ new: StreamTags) {
    codec = new.codec ?? codec
    Self.update(&bitRate, to: new.bitRate)
    Self.update(&measuredBitRate, to: new.measuredBitRate)
    nominalBitRate = new.nominalBitRate ?? nominalBitRate
    liveTitle = new.liveTitle ?? liveTitle
    replayGain = new.replayGain ?? replayGain
  }

  private static func update(_ rate: inout Int?, to new: Int?) {
    if let new, abs(new - (rate ?? 0)) > (rate ?? 0) / 10 { rate = new }
  }
}

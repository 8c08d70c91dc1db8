import PlaybackModel

extension OutputOwner {
  /// Running time that is heard now; nil while there is no device.
  var runningTime: Int64? { isReserved ? nil : chain?.clock.heard }

  /// Whether the device's clock is wrong for the rest of the run.
  var isClockBroken: Bool { !isReserved && chain?.clock.isBroken == true }

  /// The position in the track that is heard now; nil if another track is heard.
  func heardPosition(in track: Track) -> Duration? {
    guard let output, !isReserved else { return nil }
    let heard = output.chain.clock.heard
    guard let stretch = output.feeder.locate(heard), stretch.trackID == track.id else { return nil }
    return .nanoseconds(stretch.position(at: heard))
  }
}

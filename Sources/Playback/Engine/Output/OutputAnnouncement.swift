import PlaybackModel

/// The announcement of an output: adds it to the samples of every run, and keeps it at the place where it was heard.
///
/// Used on the pipeline's thread only.
struct OutputAnnouncement {
  typealias Output = (description: OutputDescription, chain: OutputChain, feeder: Feeder)

  private var overlay: Overlay?
  /// Whether the place of the announcement is long enough for the next one.
  private var hasPlaceForNext = false

  /// Whether an announcement is heard or will be.
  var isActive: Bool { overlay != nil }

  /// Adds an announcement to the present run, or to the next one.
  mutating func begin(_ overlay: Overlay, on output: Output?) {
    self.overlay = overlay
    let isInPlace = hasPlaceForNext && overlay.place == .ofItsOwn
    hasPlaceForNext = false
    guard let output else { return }
    if isInPlace {
      output.feeder.setCoversGaps(true)
      output.chain.converter.begin(overlay, isInPlace: true)
    } else {
      attach(to: output)
      if overlay.place == .ofItsOwn { output.feeder.insert(overlay.reader.remaining) }
    }
  }

  /// Another announcement will follow: lengthens the place of the present one, unless music follows it already.
  mutating func lengthenPlace(by nanoseconds: Int64, on output: Output?) {
    guard overlay?.place == .ofItsOwn, !hasPlaceForNext, let output else { return }
    hasPlaceForNext = output.feeder.lengthenInsertion(by: nanoseconds)
  }

  /// Adds the announcement to another output.
  func attach(to output: Output) {
    guard let overlay else { return }
    output.chain.converter.begin(overlay)
    output.feeder.setCoversGaps(true)
    announceElsewhere(on: output)
  }

  /// Listeners elsewhere have volumes of their own.
  private func announceElsewhere(on output: Output) {
    guard let overlay, overlay.place == .inStep else { return }
    output.feeder.announce(Overlay(reader: overlay.reader.copy(), gain: 1, music: overlay.music))
  }

  /// A run has ended, and the feeder is idle.
  /// - Parameter heard: the running time that was heard last.
  mutating func runEnded(on output: Output, heard: Int64) {
    hasPlaceForNext = false
    if overlay?.place == .ofItsOwn { overlay?.place = .atOnce }
    guard let overlay else { return }
    output.chain.converter.rewind(overlay, by: max(0, output.chain.converter.announcedEnd - heard))
    announceElsewhere(on: output)
  }

  mutating func setGain(_ gain: Double, on output: Output?) {
    overlay?.gain = gain
    output?.chain.converter.setAnnouncementGain(gain)
  }

  /// - Parameter keepsLow: whether the music stays low for a moment, in case another one follows.
  mutating func end(keepsLow: Bool, on output: Output?) {
    output?.feeder.setCoversGaps(false)
    if !keepsLow { hasPlaceForNext = false }
    if !hasPlaceForNext { output?.feeder.insert(0) }
    if overlay?.place == .inStep { output?.feeder.announce(nil) }
    overlay = nil
    if !keepsLow { output?.chain.converter.endAnnouncement() }
  }
}

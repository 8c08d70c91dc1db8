import PlaybackModel

/// The announcement of an output: adds it to the samples of every run, and keeps it at the place where it was heard.
///
/// Used on the pipeline's thread only.
struct OutputAnnouncement {
  typealias Output = (description: OutputDescription, chain: OutputChain, feeder: Feeder)

  private var overlay: Overlay?

  /// Whether an announcement is heard or will be.
  var isActive: Bool { overlay != nil }

  /// Adds an announcement to the present run, or to the next one.
  mutating func begin(_ overlay: Overlay, on output: Output?) {
    self.overlay = overlay
    guard let output else { return }
    attach(to: output)
    if overlay.place == .ofItsOwn { output.feeder.insert(overlay.reader.remaining) }
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
    output?.feeder.insert(0)
    if overlay?.place == .inStep { output?.feeder.announce(nil) }
    overlay = nil
    if !keepsLow { output?.chain.converter.endAnnouncement() }
  }
}

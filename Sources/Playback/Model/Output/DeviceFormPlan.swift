/// Decides before each buffer of a run whether the device needs another form.
///
/// The feeder owns the plan: it knows where on the output's timeline the form changes, and leaves time there to reopen the
/// device. Nothing else decides on the form.
package struct DeviceFormPlan: Sendable {
  /// What the choice depends on besides the samples.
  package struct Situation: Sendable, Equatable {
    /// The device is closed and reopened for another form.
    package var isCard = false
    /// The samples are processed: by volume, balance or ReplayGain.
    package var isChanged = false
    /// A balance is set, which needs two channels.
    package var isStereo = false

    package init(isCard: Bool = false, isChanged: Bool = false, isStereo: Bool = false) {
      self.isCard = isCard
      self.isChanged = isChanged
      self.isStereo = isStereo
    }
  }

  package struct Change: Sendable, Equatable {
    /// Nil if the device takes no form that can be produced.
    package var form: DeviceForm?
    /// Whether the device is closed and reopened for it.
    package var reopens = false
  }

  /// The device's form after the buffers so far; nil at the start of a run.
  private(set) var form: DeviceForm?
  private var input: AudioFormat?
  /// Whether a balance was set when the form was chosen.
  private var isChosenInStereo = false

  package init() {}

  /// The change that the next buffer needs; nil for none. A new volume alone does not justify the gap of a reopening.
  /// - Parameter choose: called only if a choice is due; see `DeviceForm.choose`.
  package mutating func next(
    _ input: AudioFormat, _ situation: Situation, choose: (DeviceForm.Wishes) -> DeviceForm?
  ) -> Change? {
    let isNew = input != self.input
    let needsSecondChannel =
      situation.isStereo && !isChosenInStereo && input.channels == 1 && form?.channels == 1
    guard isNew || needsSecondChannel else { return nil }
    let former = form
    self.input = input
    isChosenInStereo = situation.isStereo
    form = choose(
      DeviceForm.Wishes(
        isWideIfChanged: situation.isCard, isChanged: situation.isChanged, isStereo: situation.isStereo,
        current: situation.isCard ? former : nil))
    guard isNew || form != former else { return nil }
    return Change(form: form, reopens: situation.isCard && former != nil && form != former)
  }
}

/// Decides, before each piece of sound of a run, whether the device needs another form for it.
///
/// The feeder owns the plan: only it knows where on the output's timeline the form changes, and it has to leave time
/// there for the device to be reopened. Nothing else decides on the form.
package struct DeviceFormPlan: Sendable {
  /// What the choice depends on, besides the samples.
  package struct Situation: Sendable, Equatable {
    /// The sink closes the device and opens it again for another form.
    package var isCard = false
    /// Volume, balance or ReplayGain change the samples.
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
    /// Nil if the device takes no form that we can make.
    package var form: DeviceForm?
    /// Whether the device is closed and opened again for it.
    package var reopens = false
  }

  /// The form that the device has once it has got everything so far; nil at the start of a run.
  private(set) var form: DeviceForm?
  private var input: AudioFormat?
  /// Whether a balance was set when the form was chosen.
  private var isChosenInStereo = false

  package init() {}

  /// The change that the next piece of sound needs; nil for none. A new volume alone is not worth the gap of a reopening.
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

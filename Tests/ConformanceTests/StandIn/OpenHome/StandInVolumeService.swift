import DeviceStack
import UPnP

/// Volume:4 of the stand-in speaker.
final class StandInVolumeService: Volume4.Provider {
  private static let invalidVolume = ActionFault(811, "Volume invalid")
  private static let invalidBalance = ActionFault(812, "Balance invalid")
  private static let invalidFade = ActionFault(813, "Fade invalid")
  private static let offsetsNotSupported = ActionFault(815, "Volume offsets not supported")
  private static let trimNotSupported = ActionFault(818, "Trim not supported")
  private static let highestBalance: Int32 = 15
  private static let highestFade: Int32 = 10

  private let speaker: StandInSpeaker
  private lazy var variables = Volume4.Variables(values)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Volume4.hosted(by: self, variables) }

  private func update() { variables.apply(values) }

  private var values: Volume4.Values {
    .init(
      volume: speaker.volume, mute: speaker.isMuted, balance: speaker.balance, fade: speaker.fade,
      volumeLimit: StandInSpeaker.volumeLimit, volumeMax: StandInSpeaker.highestVolume, volumeUnity: 100,
      volumeSteps: StandInSpeaker.highestVolume, volumeMilliDbPerStep: 512, balanceMax: UInt32(Self.highestBalance),
      fadeMax: UInt32(Self.highestFade), unityGain: false, volumeOffsets: "[]", volumeOffsetMax: 0, trim: "[]")
  }

  // MARK: Volume

  func characteristics() -> Volume4.CharacteristicsOutput {
    .init(
      volumeMax: values.volumeMax, volumeUnity: values.volumeUnity, volumeSteps: values.volumeSteps,
      volumeMilliDbPerStep: values.volumeMilliDbPerStep, balanceMax: values.balanceMax, fadeMax: values.fadeMax)
  }

  func volume() -> Volume4.VolumeOutput { .init(value: speaker.volume) }

  func volumeLimit() -> Volume4.VolumeLimitOutput { .init(value: StandInSpeaker.volumeLimit) }

  func unityGain() -> Volume4.UnityGainOutput { .init(value: false) }

  func setVolume(_ input: Volume4.SetVolumeInput) throws(ActionFault) { try set(input.value, unmuting: true) }

  func volumeInc() { step(by: 1, unmuting: true) }

  func volumeDec() { step(by: -1, unmuting: true) }

  func setVolumeNoUnmute(_ input: Volume4.SetVolumeNoUnmuteInput) throws(ActionFault) {
    try set(input.value, unmuting: false)
  }

  func volumeIncNoUnmute() { step(by: 1, unmuting: false) }

  func volumeDecNoUnmute() { step(by: -1, unmuting: false) }

  private func step(by step: Int, unmuting: Bool) {
    try? set(UInt32(clamping: Int(speaker.volume) + step), unmuting: unmuting)
  }

  private func set(_ volume: UInt32, unmuting: Bool) throws(ActionFault) {
    guard volume <= StandInSpeaker.highestVolume else { throw Self.invalidVolume }
    speaker.change { speaker in
      speaker.setVolume(volume)
      if unmuting { speaker.isMuted = false }
    }
  }

  func mute() -> Volume4.MuteOutput { .init(value: speaker.isMuted) }

  func setMute(_ input: Volume4.SetMuteInput) { speaker.change { $0.isMuted = input.value } }

  // MARK: Balance and fade

  func balance() -> Volume4.BalanceOutput { .init(value: speaker.balance) }

  func setBalance(_ input: Volume4.SetBalanceInput) throws(ActionFault) {
    guard abs(Int(input.value)) <= Self.highestBalance else { throw Self.invalidBalance }
    speaker.change { $0.balance = input.value }
  }

  func balanceInc() { speaker.change { $0.balance = min($0.balance + 1, Self.highestBalance) } }

  func balanceDec() { speaker.change { $0.balance = max($0.balance - 1, -Self.highestBalance) } }

  func fade() -> Volume4.FadeOutput { .init(value: speaker.fade) }

  func setFade(_ input: Volume4.SetFadeInput) throws(ActionFault) {
    guard abs(Int(input.value)) <= Self.highestFade else { throw Self.invalidFade }
    speaker.change { $0.fade = input.value }
  }

  func fadeInc() { speaker.change { $0.fade = min($0.fade + 1, Self.highestFade) } }

  func fadeDec() { speaker.change { $0.fade = max($0.fade - 1, -Self.highestFade) } }

  // MARK: Not supported

  func volumeOffset(_ input: Volume4.VolumeOffsetInput) throws(ActionFault) -> Volume4.VolumeOffsetOutput {
    throw Self.offsetsNotSupported
  }

  func setVolumeOffset(_ input: Volume4.SetVolumeOffsetInput) throws(ActionFault) { throw Self.offsetsNotSupported }

  func trim(_ input: Volume4.TrimInput) throws(ActionFault) -> Volume4.TrimOutput { throw Self.trimNotSupported }

  func setTrim(_ input: Volume4.SetTrimInput) throws(ActionFault) { throw Self.trimNotSupported }
}

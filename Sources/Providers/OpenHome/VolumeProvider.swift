import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Volume:4: volume, mute and balance. Volume and mute are shared with RenderingControl. Fade, trim and volume offsets
/// are not supported.
public final class VolumeProvider: Volume4.Provider {
  private static let invalidVolume = ActionFault(811, "Volume invalid")
  private static let invalidBalance = ActionFault(812, "Balance invalid")
  /// The fault of FadeInc and FadeDec: the device has no fade.
  private static let notSupported = ActionFault(801, "Action not supported")
  private static let offsetsNotSupported = ActionFault(815, "Volume offsets not supported")
  private static let trimNotSupported = ActionFault(818, "Trim not supported")

  private static let maximum: UInt32 = 100
  /// The step of unity gain.
  private static let unity: UInt32 = 100
  /// In 1/1024 dB, OpenHome's “milli-dB”.
  private static let milliDBPerStep = UInt32((VolumeScale.decibelsPerStep * 1024).rounded())
  private static let maximumBalance = UInt32(BalanceScale.range.upperBound)
  private static let maximumFade: UInt32 = 0
  /// An empty JSON array.
  private static let none = "[]"

  private let player: Player
  private let commands: ControllerCommands
  private let variables: Volume4.Variables

  /// Call it on the player's executor, like all members of this class.
  package init(player: Player, control: SpeakerControl) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .openHome)
    variables = Volume4.Variables(player.immediately(Self.values))
  }

  /// The service for a device to host.
  public var service: HostedService { Volume4.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: [.volume, .volumeLimit, .mute, .balance]) else { return }
    variables.apply(player.immediately(Self.values))
  }

  private static func values(_ player: isolated Player) -> Volume4.Values {
    Volume4.Values(
      volume: UInt32(player.volume), mute: player.isMuted, balance: Int32(player.balance), fade: 0,
      volumeLimit: UInt32(player.volumeLimit), volumeMax: maximum, volumeUnity: unity, volumeSteps: maximum,
      volumeMilliDbPerStep: milliDBPerStep, balanceMax: maximumBalance, fadeMax: maximumFade,
      unityGain: player.isVolumeFixed, volumeOffsets: none, volumeOffsetMax: 0, trim: none)
  }

  // MARK: Volume

  public func characteristics() -> Volume4.CharacteristicsOutput {
    Volume4.CharacteristicsOutput(
      volumeMax: Self.maximum, volumeUnity: Self.unity, volumeSteps: Self.maximum,
      volumeMilliDbPerStep: Self.milliDBPerStep, balanceMax: Self.maximumBalance, fadeMax: Self.maximumFade)
  }

  public func volume() -> Volume4.VolumeOutput { Volume4.VolumeOutput(value: player.immediately { UInt32($0.volume) }) }

  public func setVolume(_ input: Volume4.SetVolumeInput) throws(ActionFault) {
    try set(input.value, unmuting: true)
  }

  public func volumeInc() throws(ActionFault) { try commands.perform(.changeVolume(by: 1, unmutes: true)) }

  public func volumeDec() throws(ActionFault) { try commands.perform(.changeVolume(by: -1, unmutes: true)) }

  public func setVolumeNoUnmute(_ input: Volume4.SetVolumeNoUnmuteInput) throws(ActionFault) {
    try set(input.value, unmuting: false)
  }

  public func volumeIncNoUnmute() throws(ActionFault) { try commands.perform(.changeVolume(by: 1)) }

  public func volumeDecNoUnmute() throws(ActionFault) { try commands.perform(.changeVolume(by: -1)) }

  public func volumeLimit() -> Volume4.VolumeLimitOutput {
    Volume4.VolumeLimitOutput(value: player.immediately { UInt32($0.volumeLimit) })
  }

  /// Whether the volume is fixed.
  public func unityGain() -> Volume4.UnityGainOutput {
    Volume4.UnityGainOutput(value: player.immediately { $0.isVolumeFixed })
  }

  /// The player clamps the volume to its limit.
  private func set(_ volume: UInt32, unmuting: Bool) throws(ActionFault) {
    guard volume <= Self.maximum else { throw Self.invalidVolume }
    try commands.perform(.setVolume(Int(volume), unmutes: unmuting))
  }

  // MARK: Mute

  public func setMute(_ input: Volume4.SetMuteInput) throws(ActionFault) { try commands.perform(.mute(input.value)) }

  public func mute() -> Volume4.MuteOutput { Volume4.MuteOutput(value: player.immediately { $0.isMuted }) }

  // MARK: Balance and fade

  public func setBalance(_ input: Volume4.SetBalanceInput) throws(ActionFault) {
    guard BalanceScale.range.contains(Int(input.value)) else { throw Self.invalidBalance }
    try commands.perform(.balance(Int(input.value)))
  }

  /// The player clamps the result.
  public func balanceInc() throws(ActionFault) { try moveBalance(by: 1) }

  public func balanceDec() throws(ActionFault) { try moveBalance(by: -1) }

  private func moveBalance(by steps: Int) throws(ActionFault) {
    try commands.perform(.balance(player.immediately { $0.balance } + steps))
  }

  public func balance() -> Volume4.BalanceOutput {
    Volume4.BalanceOutput(value: player.immediately { Int32($0.balance) })
  }

  public func setFade(_ input: Volume4.SetFadeInput) throws(ActionFault) { throw Self.notSupported }

  public func fadeInc() throws(ActionFault) { throw Self.notSupported }

  public func fadeDec() throws(ActionFault) { throw Self.notSupported }

  public func fade() -> Volume4.FadeOutput { Volume4.FadeOutput(value: 0) }

  // MARK: Not supported

  public func volumeOffset(_ input: Volume4.VolumeOffsetInput) throws(ActionFault) -> Volume4.VolumeOffsetOutput {
    throw Self.offsetsNotSupported
  }

  public func setVolumeOffset(_ input: Volume4.SetVolumeOffsetInput) throws(ActionFault) {
    throw Self.offsetsNotSupported
  }

  public func trim(_ input: Volume4.TrimInput) throws(ActionFault) -> Volume4.TrimOutput { throw Self.trimNotSupported }

  public func setTrim(_ input: Volume4.SetTrimInput) throws(ActionFault) { throw Self.trimNotSupported }
}

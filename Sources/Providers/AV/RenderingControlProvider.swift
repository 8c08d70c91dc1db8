import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// RenderingControl:1: volume and mute of the only channel, Master.
public final class RenderingControlProvider: RenderingControl1.Provider {
  private let player: Player
  private let commands: ControllerCommands
  private let variables: RenderingControl1.Variables

  /// Call it on the player's executor, like all members of this class.
  package init(player: Player, control: SpeakerControl) {
    self.player = player
    commands = ControllerCommands(control: control, origin: .upnpAV)
    variables = RenderingControl1.Variables(player.immediately(Self.values))
  }

  /// The service for a device to host.
  public var service: HostedService { RenderingControl1.hosted(by: self, variables) }

  /// Updates the evented variables after a change in the player.
  public func update(_ changes: PlayerChanges) {
    guard !changes.isDisjoint(with: [.volume, .mute]) else { return }
    variables.apply(player.immediately(Self.values))
  }

  private static func values(_ player: isolated Player) -> RenderingControl1.Values {
    RenderingControl1.Values(
      masterMute: player.isMuted, masterVolume: UInt16(player.volume),
      masterVolumeDB: VolumeDB.value(step: player.volume))
  }

  // MARK: Actions

  public func listPresets() -> RenderingControl1.ListPresetsOutput {
    RenderingControl1.ListPresetsOutput(
      currentPresetNameList: RenderingControl1.PresetName.factoryDefaults.rawValue)
  }

  /// Changes nothing: volume and mute are the user's, and Home Assistant shows the preset as a sound mode.
  public func selectPreset(_ input: RenderingControl1.SelectPresetInput) {}

  public func getMute(_ input: RenderingControl1.GetMuteInput) -> RenderingControl1.GetMuteOutput {
    RenderingControl1.GetMuteOutput(currentMute: player.immediately { $0.isMuted })
  }

  public func setMute(_ input: RenderingControl1.SetMuteInput) throws(ActionFault) {
    try commands.perform(.mute(input.desiredMute))
  }

  public func getVolume(_ input: RenderingControl1.GetVolumeInput) -> RenderingControl1.GetVolumeOutput {
    RenderingControl1.GetVolumeOutput(currentVolume: UInt16(player.immediately { $0.volume }))
  }

  public func setVolume(_ input: RenderingControl1.SetVolumeInput) throws(ActionFault) {
    try commands.perform(.setVolume(Int(input.desiredVolume)))
  }

  public func getVolumeDB(_ input: RenderingControl1.GetVolumeDBInput) -> RenderingControl1.GetVolumeDBOutput {
    RenderingControl1.GetVolumeDBOutput(currentVolume: VolumeDB.value(step: player.immediately { $0.volume }))
  }

  public func setVolumeDB(_ input: RenderingControl1.SetVolumeDBInput) throws(ActionFault) {
    guard VolumeDB.range.contains(input.desiredVolume) else { throw .argumentValueOutOfRange }
    try commands.perform(.setVolume(VolumeDB.step(value: input.desiredVolume)))
  }

  public func getVolumeDBRange(
    _ input: RenderingControl1.GetVolumeDBRangeInput
  ) -> RenderingControl1.GetVolumeDBRangeOutput {
    RenderingControl1.GetVolumeDBRangeOutput(minValue: VolumeDB.range.lowerBound, maxValue: VolumeDB.range.upperBound)
  }
}

/// RenderingControl's VolumeDB (RenderingControl:1 §2.2): the volume in 1/256 dB, 0 for unity gain.
enum VolumeDB {
  private static let perStep = VolumeScale.decibelsPerStep * 256

  /// The range from silence, one step below the quietest volume, to unity gain.
  static let range = value(step: 0)...value(step: 100)

  static func value(step: Int) -> Int16 {
    Int16((Double(step - 100) * perStep).rounded())
  }

  /// The nearest volume step.
  /// - Parameter value: within `range`.
  static func step(value: Int16) -> Int {
    100 + Int((Double(value) / perStep).rounded())
  }
}

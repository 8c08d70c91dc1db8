import CALSA
import PlaybackModel

/// A control of ALSA's simple mixer whose volume has a scale in decibels. Used on one thread.
final class ALSAMixerControl {
  private let mixer: OpaquePointer
  private let element: OpaquePointer
  private let hasSwitch: Bool
  let scale: MixerScale

  enum Failure: Error, Equatable {
    /// The card is missing or cannot be opened: an errno.
    case unavailable(Int32)
    case noSuchControl
    /// The control is not a volume, or has no scale in decibels.
    case noScale

    /// Whether a retry may succeed.
    var isTemporary: Bool { if case .unavailable = self { true } else { false } }

    func sentence(_ description: MixerDescription) -> String {
      switch self {
      case .unavailable(let error):
        "Cannot open the mixer of \(description.device): \(String(cString: snd_strerror(-error)))"
      case .noSuchControl: "\(description.device) has no control “\(description.control)”"
      case .noScale: "The control “\(description.control)” of \(description.device) has no scale in decibels"
      }
    }
  }

  /// ALSA's level for silence (SND_CTL_TLV_DB_GAIN_MUTE).
  private static let silence = -9_999_999

  init(_ description: MixerDescription) throws(Failure) {
    let mixer = try Self.open(description.device)
    var id: OpaquePointer?
    snd_mixer_selem_id_malloc(&id)
    defer { snd_mixer_selem_id_free(id) }
    snd_mixer_selem_id_set_name(id, description.control)
    snd_mixer_selem_id_set_index(id, UInt32(clamping: description.index))
    guard let element = snd_mixer_find_selem(mixer, id) else {
      snd_mixer_close(mixer)
      throw .noSuchControl
    }
    guard let scale = Self.scale(of: element) else {
      snd_mixer_close(mixer)
      throw .noScale
    }
    self.mixer = mixer
    self.element = element
    self.scale = scale
    hasSwitch = snd_mixer_selem_has_playback_switch(element) != 0
  }

  deinit { snd_mixer_close(mixer) }

  private static func open(_ device: String) throws(Failure) -> OpaquePointer {
    swiftlet_alsa_silence()
    var mixer: OpaquePointer?
    var error = snd_mixer_open(&mixer, 0)
    guard error >= 0, let mixer else { throw .unavailable(-error) }
    error = snd_mixer_attach(mixer, device)
    if error >= 0 { error = snd_mixer_selem_register(mixer, nil, nil) }
    if error >= 0 { error = snd_mixer_load(mixer) }
    guard error >= 0 else {
      snd_mixer_close(mixer)
      throw .unavailable(-error)
    }
    return mixer
  }

  private static func scale(of element: OpaquePointer) -> MixerScale? {
    var (minimum, maximum) = (0, 0)
    guard snd_mixer_selem_has_playback_volume(element) != 0,
      snd_mixer_selem_get_playback_dB_range(element, &minimum, &maximum) >= 0
    else { return nil }
    if minimum <= silence {
      // The lowest position is silence; the next one is the lowest audible level.
      var (lowest, highest) = (0, 0)
      guard snd_mixer_selem_get_playback_volume_range(element, &lowest, &highest) >= 0, lowest < highest,
        snd_mixer_selem_ask_playback_vol_dB(element, lowest + 1, &minimum) >= 0
      else { return nil }
    }
    return MixerScale(minimum: minimum, maximum: maximum)
  }

  static func list(_ device: String) throws(Failure) -> [(MixerDescription, MixerScale)] {
    let mixer = try open(device)
    defer { snd_mixer_close(mixer) }
    var found: [(MixerDescription, MixerScale)] = []
    var next = snd_mixer_first_elem(mixer)
    while let element = next {
      next = snd_mixer_elem_next(element)
      guard let scale = scale(of: element), let name = snd_mixer_selem_get_name(element) else { continue }
      let index = Int(snd_mixer_selem_get_index(element))
      found.append((MixerDescription(device: device, control: String(cString: name), index: index), scale))
    }
    return found
  }

  /// The position of the loudest channel; nil if the card is gone.
  var position: MixerMachine.Position? {
    var loudest: Int?
    var isOn: Bool?
    for channel in channels {
      var level = 0
      guard snd_mixer_selem_get_playback_dB(element, channel, &level) >= 0 else { return nil }
      if level > Self.silence { loudest = max(loudest ?? level, level) }
      guard hasSwitch else { continue }
      var state: Int32 = 0
      guard snd_mixer_selem_get_playback_switch(element, channel, &state) >= 0 else { return nil }
      isOn = isOn == true || state != 0
    }
    return MixerMachine.Position(level: loudest, isOn: isOn)
  }

  /// What each channel is set to, in the card's own units.
  struct Setting {
    fileprivate var channels: [(id: snd_mixer_selem_channel_id_t, volume: Int, isOn: Int32?)] = []
  }

  /// Nil if the card is gone.
  var setting: Setting? {
    var setting = Setting()
    for channel in channels {
      var (volume, isOn) = (0, Int32(0))
      guard snd_mixer_selem_get_playback_volume(element, channel, &volume) >= 0,
        !hasSwitch || snd_mixer_selem_get_playback_switch(element, channel, &isOn) >= 0
      else { return nil }
      setting.channels.append((channel, volume, hasSwitch ? isOn : nil))
    }
    return setting
  }

  /// - Returns: false if the card is gone.
  func set(_ setting: Setting) -> Bool {
    setting.channels.allSatisfy { channel in
      // The switch comes first: it may be what silences the card.
      channel.isOn.map { snd_mixer_selem_set_playback_switch(element, channel.id, $0) >= 0 } != false
        && snd_mixer_selem_set_playback_volume(element, channel.id, channel.volume) >= 0
    }
  }

  private var channels: [snd_mixer_selem_channel_id_t] {
    (SND_MIXER_SCHN_FRONT_LEFT.rawValue...SND_MIXER_SCHN_LAST.rawValue).map { .init(rawValue: $0) }
      .filter { snd_mixer_selem_has_playback_channel(element, $0) != 0 }
  }

  /// Sets all channels to the nearest possible level.
  /// - Returns: false if the card is gone.
  func move(to position: MixerMachine.Position) -> Bool {
    guard let level = position.level, let volume = nearest(to: level),
      snd_mixer_selem_set_playback_volume_all(element, volume) >= 0
    else { return false }
    guard hasSwitch, let isOn = position.isOn else { return true }
    return snd_mixer_selem_set_playback_switch_all(element, isOn ? 1 : 0) >= 0
  }

  /// The nearest raw volume to a level.
  private func nearest(to level: Int) -> Int? {
    let candidates = [Int32(-1), 1].compactMap { direction -> (volume: Int, distance: Int)? in
      var (volume, reached) = (0, 0)
      guard snd_mixer_selem_ask_playback_dB_vol(element, level, direction, &volume) >= 0,
        snd_mixer_selem_ask_playback_vol_dB(element, volume, &reached) >= 0
      else { return nil }
      return (volume, abs(reached - level))
    }
    return candidates.min { $0.distance < $1.distance }?.volume
  }

  var descriptors: [pollfd] {
    let count = max(0, Int(snd_mixer_poll_descriptors_count(mixer)))
    return [pollfd](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = max(0, Int(snd_mixer_poll_descriptors(mixer, buffer.baseAddress, UInt32(count))))
    }
  }

  /// - Returns: false if the card is gone.
  func handleEvents() -> Bool { snd_mixer_handle_events(mixer) >= 0 }
}

/// The volume controls of this machine's sound cards.
public enum Mixers {
  /// Lists the controls, each in the notation of `--mixer` and with its range.
  public static func list() -> [(description: String, name: String)] {
    var card: Int32 = -1
    var devices: [String] = []
    while snd_card_next(&card) >= 0, card >= 0 { devices.append("hw:\(card)") }
    return devices.flatMap(list)
  }

  static func list(_ device: String) -> [(description: String, name: String)] {
    let controls = (try? ALSAMixerControl.list(device)) ?? []
    return controls.map { control, scale in
      (control.description, "\(Double(scale.minimum) / 100) to \(Double(scale.reference) / 100) dB")
    }
  }
}

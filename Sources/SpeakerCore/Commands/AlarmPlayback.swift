import Playback
import PlaybackModel
import UPnP

/// Plays what alarms name. Lives on the player's executor.
final class AlarmPlayback {
  private let player: Player
  private let radio: RadioSource
  private let pins: PinBoard
  private let pinInvoker: PinInvoker
  private let toneAddress: () -> String?
  /// The radio's channel before the tone; nil while the tone does not play.
  private var channel: (item: MediaItem?, tone: String)?
  /// Called when something cannot be played, perhaps at once.
  var onFailure: () -> Void = {}

  init(
    player: Player, radio: RadioSource, pins: PinBoard, pinInvoker: PinInvoker, tone: @escaping () -> String?
  ) {
    self.player = player
    self.radio = radio
    self.pins = pins
    self.pinInvoker = pinInvoker
    toneAddress = tone
  }

  /// Refuses what does not exist.
  func check(_ sound: AlarmSound) throws(AlarmError) {
    switch sound {
    case .preset(let id, _, _): if radio.presets[id] == nil { throw .noSuchPreset }
    case .pin(let number): if pin(number) == nil { throw .emptyPin }
    case .playlist(let uri): if (try? PinTarget(Self.pin(uri))) == nil { throw .badAddress }
    case .queue, .tone: break
    }
  }

  func play(_ sound: AlarmSound) {
    switch sound {
    case .preset(let id, let uri, let title): playPreset(id, uri, title)
    case .pin(let number): invoke(pin(number))
    case .playlist(let uri): invoke(Self.pin(uri))
    case .queue: play(.playlist)
    case .tone: playTone()
    }
  }

  private func playPreset(_ id: UInt32, _ uri: String, _ title: String) {
    let presets = radio.presets
    if let id = presets[id] == nil ? presets.id(ofURI: uri) : id {
      try? radio.play(id)
    } else {
      radio.setChannel(uri: uri, metadata: RadioPreset(title: title, uri: uri).metadata)
      play(.radio)
    }
  }

  private func play(_ source: Source) {
    do throws(PlayerError) {
      try player.immediately { player throws(PlayerError) in try player.play(source) }
    } catch {
      onFailure()
    }
  }

  // MARK: Pins and playlists

  private func pin(_ number: Int) -> Pin? {
    UInt32(exactly: number - 1).flatMap { try? pins.pins.pin(at: $0) }
  }

  private static func pin(_ uri: String) -> Pin { Pin(mode: PinTarget.Mode.playlist.rawValue, type: "", uri: uri) }

  private func invoke(_ pin: Pin?) {
    guard let pin else { return onFailure() }
    do throws(PinFault) {
      try pinInvoker.invoke(pin) { [weak self] result in
        if case .failure = result { self?.onFailure() }
      }
    } catch {
      onFailure()
    }
  }

  // MARK: Tone

  /// Plays the tone on the radio, again and again. The radio's channel comes back afterwards.
  private func playTone() {
    guard let address = toneAddress() else { return }
    if channel == nil { channel = (radio.channel, address) }
    player.immediately { player in
      player.transaction { player in
        player.setRepeatsOne(true, of: .radio)
        player.setItem(
          MediaItem(uri: address, metadata: DIDLLite.item(title: "Alarm", uri: address, class: .audioBroadcast)),
          of: .radio)
        try? player.play(.radio)
      }
    }
  }

  func endTone() {
    guard let channel else { return }
    self.channel = nil
    player.immediately { player in
      player.transaction { player in
        player.setRepeatsOne(false, of: .radio)
        if player.deck(.radio).item?.uri == channel.tone { player.setItem(channel.item, of: .radio) }
      }
    }
  }
}

import Companion
import Logging
import PlaybackEngine
import ServiceLifecycle

/// Runs the companions until the program ends.
struct CompanionService: Service {
  let settings: CompanionSettings
  let context: CompanionContext
  /// The page's pairing windows; nil if no companion uses Bluetooth.
  let pairing: PairingDesk?
  func run() async {
    let companion = await Companions(settings, context)
    await companion.start()
    try? await gracefulShutdown()
    async let closed: Void? = pairing?.stop()
    await companion.stop()
    _ = await closed
  }
}

extension CompanionSettings {
  init(_ configuration: Configuration) {
    self.init()
    mqtt = MQTTSettings(configuration)
    buttons = configuration.buttons.isEmpty ? nil : configuration.buttons
    mpris = configuration.mpris.bus.map { MPRISSettings(bus: $0, mimeTypes: SupportedFormats.mimeTypes()) }
    sleep = configuration.sleep ? SleepSettings() : nil
    if configuration.beacon { beacon = BeaconSettings(configuration) }
    if !configuration.presencePeople.isEmpty { presence = PresenceSettings(configuration) }
  }
}

extension BeaconSettings {
  fileprivate init(_ configuration: Configuration) { self.init(power: Int8(clamping: configuration.beaconPower)) }
}

extension PresenceSettings {
  init(_ configuration: Configuration) {
    self.init(
      people: configuration.presencePeople, threshold: configuration.presenceThreshold,
      arrival: configuration.presenceArrival, departure: configuration.presenceDeparture,
      onLeave: configuration.presenceOnLeave, onReturn: configuration.presenceOnReturn,
      onChange: configuration.presenceOnChange)
  }
}

extension Configuration {
  /// The programs that presence runs, by the keys that name them.
  var presenceCommands: [(key: String, command: [String])] {
    var commands = [(key: "presence.on_change", command: self.presenceOnChange)]
    if case .hook(let words)? = self.presenceOnLeave { commands.append(("presence.on_leave", words)) }
    if case .action(.hook(let words))? = self.presenceOnReturn { commands.append(("presence.on_return", words)) }
    return commands
  }
}

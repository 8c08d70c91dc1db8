/// The settings of the companions; nil for a companion that is off.
package struct CompanionSettings: Sendable, Equatable {
  package var mqtt: MQTTSettings?
  package var beacon: BeaconSettings?
  package var presence: PresenceSettings?
  package var buttons: [ButtonBinding]?
  package var mpris: MPRISSettings?
  package var sleep: SleepSettings?

  package init() {}

  /// Whether all companions are off. Then none is created.
  package var isEmpty: Bool { self == CompanionSettings() }
}

/// Starts and stops the configured companions.
@CompanionActor package final class Companions {
  private let features: [any CompanionFeature]

  package init(_ settings: CompanionSettings, _ context: CompanionContext) {
    features = Self.features(settings, context)
  }

  /// Creates the companions that are on, one line for each.
  private static func features(
    _ settings: CompanionSettings, _ context: CompanionContext
  ) -> [any CompanionFeature] {
    let usesBluetooth = settings.beacon != nil || settings.presence != nil
    let bluez =
      usesBluetooth
      ? Bluez(bus: Bus.shared(.system, logger: context.logger), board: context.board, logger: context.logger) : nil
    let features: [(any CompanionFeature)?] = [
      settings.beacon.flatMap { settings in bluez.map { Beacon(settings, context, $0) } },
      settings.presence.flatMap { settings in bluez.map { Presence(settings, context, $0) } },
      settings.mqtt.map { MQTT($0, context) },
      settings.buttons.map { Buttons($0, context) },
      settings.mpris.map { MPRISPlayer($0, context) },
      settings.sleep.map { SleepGuard($0, context) },
    ]
    return features.compactMap(\.self)
  }

  package func start() { for feature in features { feature.start() } }

  package func stop() async { for feature in features.reversed() { await feature.stop() } }
}

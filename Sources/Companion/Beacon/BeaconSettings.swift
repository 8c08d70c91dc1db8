/// The beacon's settings.
package struct BeaconSettings: Sendable, Equatable {
  /// RSSI that a phone measures at one metre, in dBm.
  package var power: Int8

  package init(power: Int8 = -59) { self.power = power }
}

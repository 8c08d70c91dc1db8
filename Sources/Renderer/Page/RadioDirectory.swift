import Stations

extension StationDirectory {
  /// The directory of the configuration; nil if it is off.
  convenience init?(_ configuration: Configuration) {
    guard configuration.radioDirectory != .off else { return nil }
    self.init(
      configuration.radioDirectory, product: "swiftlet/\(Version.number) (network audio player)",
      home: configuration.country ?? HomeCountry.find(zone: SystemTime().zoneName))
  }
}

package struct MPRISSettings: Sendable, Equatable {
  package var bus: BusKind
  /// The types that the speaker plays.
  package var mimeTypes: [String]

  package init(bus: BusKind, mimeTypes: [String] = []) {
    self.bus = bus
    self.mimeTypes = mimeTypes
  }
}

/// Media keys: which bus desktops find the speaker on.
package struct MPRISSettings: Sendable, Equatable {
  package var bus: BusKind
  /// What the speaker plays.
  package var mimeTypes: [String]

  package init(bus: BusKind, mimeTypes: [String] = []) {
    self.bus = bus
    self.mimeTypes = mimeTypes
  }
}

/// Chooses the version of MQTT for the next connection: 5, or 3.1.1 for a broker that does not know 5.
///
/// Such a broker refuses the version, in the form of 3.1.1, or closes the connection. libmosquitto 2.0.21 does not understand
/// the refusal and closes the connection, too. A closed connection can have other reasons, such as a broker that is starting
/// behind a proxy, so that 3.1.1 is tried once and then 5 again.
struct BrokerVersion {
  private(set) var is5 = true
  /// Whether the broker has refused version 5.
  private var isCertain = false

  /// The broker has refused the version.
  mutating func refused() {
    isCertain = is5
    is5.toggle()
  }

  /// The connection has ended.
  /// - Parameter wasAccepted: whether the broker had accepted it before.
  mutating func ended(wasAccepted: Bool) {
    guard !isCertain else { return }
    is5 = wasAccepted || !is5
  }
}

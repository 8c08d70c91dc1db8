import Companion

/// The documents of the companion page. docs/api.md describes every member.
enum PhoneDocument {
  /// `GET /api/companion`.
  struct Companion: Encodable {
    let beacon: BeaconReport?
    /// The address in the QR code.
    let address: String
    let phones: [Entry]
    let limit: Int
  }

  /// A phone as everybody sees it.
  struct Entry: Encodable {
    let id: Int
    let name: String
    let inReach: Bool
    let connected: Bool

    init(_ phone: CompanionTable.Phone) {
      id = phone.id
      name = phone.name
      inReach = phone.isInReach
      connected = phone.isConnected
    }
  }

  /// The event `companion`: a phone as it sees itself.
  struct Own: Encodable {
    let id: Int
    let name: String
    let inReach: Bool

    init?(_ phone: CompanionTable.Phone?) {
      guard let phone else { return nil }
      id = phone.id
      name = phone.name
      inReach = phone.isInReach
    }
  }

  /// The event `launch`.
  struct Launch: Encodable {
    let url: String
    let session: String

    init(_ request: LaunchRequest) {
      url = request.url
      session = request.session
    }
  }

  /// The answer to a registration. No other answer contains the token.
  struct Registration: Encodable {
    let token: String
    let id: Int
  }

  /// The answer to a launch request: ids of phones.
  struct Launched: Encodable {
    let delivered: [Int]
    let waiting: [Int]
  }
}

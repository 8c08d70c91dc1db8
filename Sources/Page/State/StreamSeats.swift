/// Decides which clients have an event stream, so that one address cannot take all of them. Pure.
///
/// If all seats are taken, a new client replaces a guest of the address with the most guests, unless its own address would then
/// have more. The owner, who has unlocked the party lock, always gets a seat.
struct StreamSeats<ID: Hashable & Sendable> {
  /// Who asks for a stream.
  struct Client: Hashable {
    var address: String
    /// Whether it has a token of the party lock.
    var isOwner = false
  }

  enum Decision: Equatable, Sendable {
    case admit
    /// End this stream, and admit the client.
    case replace(ID)
    case refuse
  }

  private struct Seat {
    let id: ID
    let client: Client
  }

  let limit: Int
  let limitPerAddress: Int
  /// The oldest first.
  private var seats: [Seat] = []

  /// - Parameter limit: the maximum number of streams. An address may have a quarter of them, but at least four.
  init(limit: Int) {
    self.limit = limit
    limitPerAddress = min(limit, max(4, limit / 4))
  }

  var count: Int { seats.count }

  /// - Parameter id: the new stream. It has a seat afterwards, unless it was refused.
  mutating func take(_ id: ID, for client: Client) -> Decision {
    let decision = decide(client)
    if case .replace(let former) = decision { leave(former) }
    if decision != .refuse { seats.append(Seat(id: id, client: client)) }
    return decision
  }

  /// The stream has ended.
  mutating func leave(_ id: ID) { seats.removeAll { $0.id == id } }

  private func decide(_ client: Client) -> Decision {
    let own = seats.filter { $0.client.address == client.address }
    if own.count >= limitPerAddress {
      guard client.isOwner, let seat = own.first(where: { !$0.client.isOwner }) ?? own.first else { return .refuse }
      return .replace(seat.id)
    }
    guard seats.count >= limit else { return .admit }
    let guests = Dictionary(grouping: seats.filter { !$0.client.isOwner }, by: \.client.address)
    let greediest = guests.values.max { $0.count < $1.count } ?? []
    if client.isOwner { return (greediest.first ?? seats.first).map { .replace($0.id) } ?? .refuse }
    guard greediest.count > own.count + 1, let seat = greediest.first else { return .refuse }
    return .replace(seat.id)
  }
}

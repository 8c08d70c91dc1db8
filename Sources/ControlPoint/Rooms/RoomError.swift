/// Why rooms cannot play together, or playback cannot move. The texts are names of rooms.
public enum RoomError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A speaker failed.
  case device(name: String, ControlPointError)
  /// The room is not known, or no longer.
  case unknown
  case sameRoom(String)
  case noReceiver(String)
  case noSender(String)
  case senderOff(String)
  /// The sender has no address.
  case noNetwork(String)
  /// The room to join receives the one that wants to join.
  case follows(leader: String, follower: String)
  /// As many rooms receive it as unicast allows.
  case full(String)
  /// There is nothing to move.
  case nothingPlays(String)
  /// The current source, such as a line input, belongs to the speaker.
  case immovable(name: String, source: String)
  /// The other speaker does not play the track.
  case notPlayable(title: String, on: String)

  public var description: String {
    switch self {
    case .device(let name, let error): "\(name): \(error)"
    case .unknown: "The room is no longer on the network."
    case .sameRoom(let name): "\(name) is named twice."
    case .noReceiver(let name):
      "\(name) cannot play the sound of other rooms: it has no OpenHome Receiver service."
    case .noSender(let name): "Other rooms cannot play the sound of \(name): it has no OpenHome Sender service."
    case .senderOff(let name): "\(name) does not send to other rooms: Songcast is off there."
    case .noNetwork(let name): "\(name) has no address from which other rooms could play its sound."
    case .follows(let leader, let follower): "\(follower) already plays with \(leader), which leads the group."
    case .full(let name):
      "\(name) sends to \(RoomSender.unicastLimit) rooms already, the most in unicast. Multicast serves more."
    case .nothingPlays(let name): "\(name) has nothing that could move."
    case .immovable(let name, let source): "\(source) belongs to \(name) and cannot move."
    case .notPlayable(let title, let name): "\(name) does not play \(title)."
    }
  }
}

/// Names the speaker in the errors of a body.
package func naming<Value: Sendable>(
  _ speaker: RemoteSpeaker, _ body: () async throws(ControlPointError) -> Value
) async throws(RoomError) -> Value {
  do throws(ControlPointError) { return try await body() } catch { throw .device(name: speaker.name, error) }
}

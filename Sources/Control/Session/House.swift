import ArgumentParser
import ControlPoint
import Glibc

/// The speakers of a network, and which of them play together.
struct House {
  /// The speakers that could be read, in the order of their names.
  private(set) var speakers: [RemoteSpeaker]
  private(set) var groups: RoomGroups

  /// Reads all speakers at the same time.
  /// - Throws: the first error of a speaker that the user has selected.
  init(_ all: [SpeakerDevices], selected: Set<SpeakerDevices>, _ controlPoint: UPnPControlPoint) async throws {
    var found: [(speaker: RemoteSpeaker, state: RoomState)] = []
    try await withThrowingTaskGroup(of: Reading?.self) { group in
      for devices in all {
        group.addTask {
          do {
            let speaker = try await controlPoint.speaker(of: devices)
            return Reading(speaker: speaker, state: try await speaker.roomState())
          } catch {
            if selected.contains(devices), let error = error as? ControlPointError {
              throw RoomError.device(name: devices.name, error)
            }
            return nil
          }
        }
      }
      for try await case let reading? in group { found.append((reading.speaker, reading.state)) }
    }
    found.sort { ($0.state.name.lowercased(), $0.state.id) < ($1.state.name.lowercased(), $1.state.id) }
    speakers = found.map(\.speaker)
    groups = RoomGroups(found.map(\.state))
  }

  /// A struct, because Swift 6.3 loses members of a tuple that a task returns: `Tests/upstream/task_tuple.swift`.
  private struct Reading {
    let speaker: RemoteSpeaker
    let state: RoomState
  }

  func speaker(_ id: String) -> RemoteSpeaker? { speakers.first { $0.id == id } }
  func name(_ id: String) -> String { groups.room(id)?.name ?? id }

  /// Lets a room play with another one.
  mutating func join(_ id: String, to other: String) async throws(RoomError) {
    let sender = try groups.sender(for: id, toJoin: other)
    guard let speaker = speaker(id) else { throw .unknown }
    try await naming(speaker) { () throws(ControlPointError) in try await speaker.join(sender) }
    change(id) { $0 = .init(sender: sender, isCurrent: true, state: .waiting) }
  }

  /// Lets a room play alone.
  mutating func leave(_ id: String) async throws(RoomError) {
    guard let speaker = speaker(id) else { throw .unknown }
    try await naming(speaker) { () throws(ControlPointError) in try await speaker.leave() }
    noteLeave(id)
  }

  /// Notes that a room receives no other one any more.
  mutating func noteLeave(_ id: String) { change(id) { $0?.isCurrent = false } }

  private mutating func change(_ id: String, _ body: (inout RoomState.Receiver?) -> Void) {
    var states = groups.rooms
    guard let index = states.firstIndex(where: { $0.id == id }) else { return }
    body(&states[index].receiver)
    groups = RoomGroups(states)
  }
}

/// Turns the errors of several rooms into messages and one exit status.
struct RoomFailures {
  private var status: Int32?

  mutating func add(_ error: RoomError) {
    Terminal.complain(error.description)
    status = status ?? Self.status(error)
  }

  /// - Throws: `ExitCode` if there was an error.
  func check() throws { if let status { throw ExitCode(status) } }

  static func status(_ error: RoomError) -> Int32 {
    switch error {
    case .device(_, .fault), .notPlayable: 1
    case .unknown: EX_NOHOST
    case .sameRoom, .follows: EX_USAGE
    case .device, .noReceiver, .noSender, .senderOff, .noNetwork, .full, .nothingPlays, .immovable: EX_UNAVAILABLE
    }
  }
}

import ControlPoint

extension SpeakerError: APIError {
  var problem: Problem {
    switch self {
    case .unknown: Problem(.notFound, .unknownSpeaker, sentence)
    case .notOffered: Problem(.conflict, .noSuchControl, sentence)
    case .timeout: Problem(.gatewayTimeout, .speakerTimeout, sentence)
    case .busy: .tooMany(sentence, wait: .seconds(1))
    case .failed(let reason): Problem(.badGateway, .speakerFailed, sentence, arguments: ["reason": reason])
    case .room(let error): .impossible(error.problem.name, sentence, arguments: error.problem.arguments)
    }
  }
}

extension RoomError {
  fileprivate var problem: (name: ProblemName, arguments: [String: String]) {
    switch self {
    // `SpeakerError` has cases of its own for these two.
    case .device(let name, let error): (.speakerFailed, ["name": name, "reason": error.description])
    case .unknown: (.unknownSpeaker, [:])
    case .sameRoom(let name): (.sameSpeaker, ["name": name])
    case .noReceiver(let name): (.cannotJoin, ["name": name])
    case .noSender(let name): (.cannotLead, ["name": name])
    case .senderOff(let name): (.songcastOff, ["name": name])
    case .noNetwork(let name): (.noNetwork, ["name": name])
    case .follows(let leader, _): (.leadsGroup, ["name": leader])
    case .full(let name): (.groupFull, ["name": name])
    case .nothingPlays: (.nothingToPlay, [:])
    case .immovable(let name, let source): (.cannotMove, ["name": name, "source": source])
    case .notPlayable(let title, let name): (.notPlayableThere, ["name": name, "title": title])
    }
  }
}

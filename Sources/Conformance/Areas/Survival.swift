import UPnP

extension CheckContext {
  /// Actions that are compared before and after an attack.
  private static let comparedActions = 4
  /// Output arguments that change by themselves.
  private static let clocks: Set = ["RelTime", "AbsTime", "RelCount", "AbsCount"]

  /// Runs an attack. Afterwards the device has to answer, with the same values as before.
  @discardableResult
  func survives<Value: Sendable>(
    _ what: String, _ attack: () async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    let before = try await recovery { () async throws(Finding) in try await condition() }
    let value = try await attack()
    let after: [String]
    do throws(Finding) {
      after = try await condition()
    } catch {
      guard case .failure(let expected, let got) = error else { throw error }
      throw .failure(expected: "\(expected) after \(what)", got: got)
    }
    let changes = zip(before, after).filter { $0 != $1 }.map { "\($1) instead of \($0)" }
    try expectNone(changes, "the same answers after \(what)")
    return value
  }

  /// Waits until the device has recovered from earlier attacks.
  func recovery<Value: Sendable>(
    _ probe: () async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    let deadline = clock.now + times.expiry
    while clock.now < deadline {
      if let value = try? await probe() { return value }
      await clock.sleep(real: .milliseconds(500))
    }
    throw .inconclusive("the device has not recovered from earlier checks within \(times.expiry)")
  }

  /// The answers of the device to ordinary requests.
  private func condition() async throws(Finding) -> [String] {
    let status = try await get(target.description.location).status
    try expect(status == 200, "status 200 for the description", got: "\(status)")
    var answers: [String] = []
    for request in try getters().prefix(Self.comparedActions) {
      let answer = try await answer(to: request)
      let results = (answer.results ?? []).filter { !Self.clocks.contains($0.name) }
      answers.append(results.reduce(into: "\(request.action): \(answer.summary)") { $0 += ", \($1.name) \($1.value)" })
    }
    return answers
  }

  /// Requests that change nothing, from each service in turn.
  func getters() throws(Finding) -> [SOAPRequest] {
    var lists: [[SOAPRequest]] = []
    for service in target.services {
      var list: [SOAPRequest] = []
      for action in service.scpd?.actions ?? [] where !action.outputs.isEmpty {
        guard let arguments = Getter.arguments(of: action) else { continue }
        list.append(try request(service, action.name, arguments))
      }
      lists.append(list)
    }
    return (0..<(lists.map(\.count).max() ?? 0)).flatMap { index in
      lists.compactMap { $0.indices.contains(index) ? $0[index] : nil }
    }
  }

  /// Sends bytes on a new connection.
  /// - Returns: the answer; nil if there is none, or no HTTP.
  func reaction(to bytes: [UInt8], method: String = "GET") async throws(Finding) -> RawResponse? {
    let connection = try await connect(target.description.location)
    defer { connection.close() }
    connection.send(bytes)
    return try? await connection.answers(to: [method], within: times.reaction).first
  }
}

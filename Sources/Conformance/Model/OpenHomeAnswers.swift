import UPnP

/// Reads the answers of OpenHome services.
extension CheckContext {
  func integer(_ name: String = "Value", of action: String, _ service: String) async throws(Finding) -> Int {
    let text = try await result(name, of: action, service)
    guard let number = Int(device: text) else {
      throw .failure(expected: "a number as \(name) of \(action)", got: "\"\(text)\"")
    }
    return number
  }

  func boolean(_ name: String = "Value", of action: String, _ service: String) async throws(Finding) -> Bool {
    let text = try await result(name, of: action, service)
    guard let value = Self.boolean(text) else {
      throw .failure(expected: "a boolean as \(name) of \(action)", got: "\"\(text)\"")
    }
    return value
  }

  static func boolean(_ text: String) -> Bool? { if case .value(let value) = Bool.read(text) { value } else { nil } }

  func json(_ name: String, of action: String, _ service: String) async throws(Finding) -> JSONValue {
    try json(try await result(name, of: action, service), name)
  }

  func json(_ text: String, _ name: String) throws(Finding) -> JSONValue {
    guard let value = JSONValue(text) else {
      throw .failure(expected: "JSON in \(name)", got: "\"\(text.prefix(80))\"")
    }
    return value
  }

  /// The texts of a JSON array.
  func texts(_ name: String, of action: String, _ service: String) async throws(Finding) -> [String] {
    let value = try await json(name, of: action, service)
    guard let elements = value.array, case let texts = elements.compactMap(\.string), texts.count == elements.count
    else {
      throw .failure(expected: "a JSON array of texts in \(name)", got: "other JSON")
    }
    return texts
  }

  /// Waits until an action returns a value: some players apply a change after they have answered.
  /// - Parameter what: the end of a sentence, such as "after SetMute".
  func expectSoon(
    _ value: String, _ name: String = "Value", of action: String, _ service: String, _ what: String
  ) async throws(Finding) {
    let deadline = clock.now + times.event
    while true {
      let text = try await result(name, of: action, service)
      let boolean = Self.boolean(value)
      if text == value || (boolean != nil && Self.boolean(text) == boolean) { return }
      guard clock.now < deadline, !Task.isCancelled else {
        noteLateness()
        throw .failure(expected: "\(action) \(value) \(what)", got: "\"\(text.prefix(60))\"")
      }
      await clock.sleep(real: .milliseconds(50))
    }
  }
}

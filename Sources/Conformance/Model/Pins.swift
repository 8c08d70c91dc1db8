/// Reads the contents of ReadList and IdArray of OpenHome's Pins.
extension CheckContext {
  /// The ids of IdArray. Empty pins have the id 0.
  func pinIDs() async throws(Finding) -> [Int] {
    try pinIDs(try await result("IdArray", of: "GetIdArray", "Pins"))
  }

  private func pinIDs(_ text: String) throws(Finding) -> [Int] {
    guard let elements = try json(text, "IdArray").array, case let ids = elements.compactMap(\.integer),
      ids.count == elements.count
    else { throw .failure(expected: "a JSON array of numbers in IdArray", got: "\"\(text.prefix(80))\"") }
    return ids
  }

  func pins(_ ids: [Int]) async throws(Finding) -> [JSONValue] {
    let list = "[" + ids.map(String.init).joined(separator: ",") + "]"
    let text = try await result("List", of: "ReadList", "Pins", [("Ids", list)])
    guard let pins = try json(text, "List").array else {
      throw .failure(expected: "a JSON array in List", got: "\"\(text.prefix(80))\"")
    }
    return pins
  }

  /// The index of an empty device pin.
  /// - Throws: a skip if there is none.
  func emptyDevicePin() async throws(Finding) -> Int {
    let count = try await integer("DeviceMax", of: "GetDeviceMax", "Pins")
    guard count >= 0 else {
      throw .inconclusive("oh/pins/id-array fails: expected a number as DeviceMax, got \(count)")
    }
    guard let index = try await pinIDs().prefix(count).lastIndex(of: 0) else {
      throw .skip("no device pin is empty")
    }
    return index
  }

  /// Clears the pins that were empty.
  /// - Parameter saved: the IdArray from before.
  func restorePins(_ saved: String) async throws(Finding) {
    let old = try pinIDs(saved)
    for id in try await pinIDs() where id != 0 && !old.contains(id) {
      try await call("Pins", "Clear", [("Id", "\(id)")])
    }
    let new = try await pinIDs()
    for (index, id) in old.enumerated() where id != 0 && new.indices.contains(index) && new[index] != id {
      guard let place = new.firstIndex(of: id) else { continue }
      try await call("Pins", "Swap", [("Index1", "\(index)"), ("Index2", "\(place)")])
    }
  }
}

/// The answer to Characteristics.
struct VolumeCharacteristics: Sendable {
  let maximum: Int
  let unity: Int
  let steps: Int
  let milliDBPerStep: Int
  let maximumBalance: Int
  let maximumFade: Int

  static func read(_ context: CheckContext) async throws(Finding) -> VolumeCharacteristics {
    let results = try await context.call("Volume", "Characteristics")
    func number(_ name: String) throws(Finding) -> Int {
      guard let number = results[name].flatMap({ Int(device: $0) }), number >= 0 else {
        throw .failure(
          expected: "a number of at most 32 bits as \(name) of Characteristics", got: "\"\(results[name] ?? "")\"")
      }
      return number
    }
    let characteristics = VolumeCharacteristics(
      maximum: try number("VolumeMax"), unity: try number("VolumeUnity"), steps: try number("VolumeSteps"),
      milliDBPerStep: try number("VolumeMilliDbPerStep"), maximumBalance: try number("BalanceMax"),
      maximumFade: try number("FadeMax"))
    guard characteristics.maximum > 0 else { throw .skip("VolumeMax is 0: the device has no volume") }
    return characteristics
  }
}

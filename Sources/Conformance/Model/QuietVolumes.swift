/// The volumes that checks set with RenderingControl or OpenHome's Volume: those of a quiet part of the range.
extension CheckContext {
  /// The loudest of them, in percent of the range.
  private static let volumeCap = 10

  /// Whether volume and mute are those of RenderingControl, and not of OpenHome's Volume.
  var isRenderer: Bool { target.service("RenderingControl") != nil }

  /// The range of Volume in the SCPD of RenderingControl.
  func declaredVolumes() throws(Finding) -> ClosedRange<Int> {
    guard let range = try service("RenderingControl").scpd?.variable("Volume")?.range else {
      throw .failure(expected: "an allowedValueRange of Volume in the SCPD", got: "none")
    }
    guard let minimum = Int(device: range.minimum), let maximum = Int(device: range.maximum), minimum < maximum else {
      throw .failure(
        expected: "an allowedValueRange of Volume from a number to a larger one, both of at most 32 bits",
        got: "\"\(range.minimum.prefix(40))\" to \"\(range.maximum.prefix(40))\"")
    }
    return minimum...maximum
  }

  /// The range of the volume.
  /// - Throws: an inconclusive finding if the device does not tell it.
  func volumes() async throws(Finding) -> ClosedRange<Int> {
    if isRenderer {
      try await given("rcs/2.2/volume-range") { () async throws(Finding) in try declaredVolumes() }
    } else {
      try await given("oh/volume/characteristics") { () async throws(Finding) in
        0...(try await VolumeCharacteristics.read(self).maximum)
      }
    }
  }

  /// The volumes that a check sets.
  /// - Parameter steps: the least number of steps between the lowest and the highest of them.
  /// - Throws: a skip if the device has fewer.
  func quietVolumes(steps: Int = 0) async throws(Finding) -> ClosedRange<Int> {
    let range = try await volumes()
    let highest = range.lowerBound + (range.upperBound - range.lowerBound) * Self.volumeCap / 100
    guard highest - range.lowerBound >= steps else {
      throw .skip(
        "the volumes from \(range.lowerBound) to \(range.upperBound) have fewer than \(steps) steps in their lowest "
          + "\(Self.volumeCap) %")
    }
    return range.lowerBound...highest
  }

  /// Up to a number of the quiet volumes, in rising order and with the first and the last one.
  func sampledVolumes(_ count: Int) async throws(Finding) -> [Int] {
    let range = try await quietVolumes(steps: 1)
    let steps = min(count - 1, range.count - 1)
    return (0...steps).map { range.lowerBound + (range.count - 1) * $0 / steps }
  }

  /// Obtains what another check judges.
  /// - Parameter id: of that check.
  /// - Throws: an inconclusive finding that names the other check, in place of its failure.
  func given<Value: Sendable>(
    _ id: String, _ body: () async throws(Finding) -> Value
  ) async throws(Finding) -> Value {
    do throws(Finding) {
      return try await body()
    } catch {
      guard case .failure(let expected, let got) = error else { throw error }
      throw .inconclusive("\(id) fails: expected \(expected), got \(got)")
    }
  }
}

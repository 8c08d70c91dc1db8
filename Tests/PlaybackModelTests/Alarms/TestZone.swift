@testable import PlaybackModel

/// A time zone with changes of the clock at known times.
struct TestZone: TimeZoneRules {
  /// The offset before the first change.
  let first: Int64
  let changes: [(time: Int64, offset: Int64)]

  func offset(at time: Int64) -> Int64 { changes.last { $0.time <= time }?.offset ?? first }

  static let utc = TestZone(first: 0, changes: [])
  /// The changes of 2026 and 2027, always at 01:00 UTC.
  static let berlin = TestZone(
    first: 3600,
    changes: [(1_774_746_000, 7200), (1_792_890_000, 3600), (1_806_195_600, 7200), (1_824_944_400, 3600)])
  /// The changes of 2026: back by half an hour on 5 April, forward on 4 October, at 02:00 local time.
  static let lordHowe = TestZone(
    first: 39_600, changes: [(1_775_314_800, 37_800), (1_791_041_400, 39_600)])
  /// The whole 30 December 2011 does not exist.
  static let samoa = TestZone(first: -36_000, changes: [(1_325_239_200, 50_400)])
}

extension TestZone {
  /// The time that a clock in Greenwich shows as `2026-03-29 01:00`.
  static func utc(_ text: String) -> Int64 {
    let parts = text.split { "- :".contains($0) }.compactMap { Int64($0) }
    let (year, month, day) = (parts[0], parts[1], parts[2])
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear / 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let yearOfEra = shiftedYear - era * 400
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + parts[3] * 3600 + parts[4] * 60 + (parts.count > 5 ? parts[5] : 0)
  }
}

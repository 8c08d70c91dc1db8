/// Measures the average bit rate of an encoded stream where it enters the decoder.
///
/// ALAC and Opus streams, among others, do not declare a bit rate.
package struct BitRateMeter {
  private var bytes: Int64 = 0
  private var nanoseconds: Int64 = 0
  /// The measured length at which the next average is reported.
  private var nextReport: Int64 = 100_000_000

  package init() {}

  /// Adds a packet.
  /// - Parameter nanoseconds: the packet's duration.
  /// - Returns: the average in bits per second, after 0.1 s and whenever the measured length has doubled since.
  package mutating func add(bytes: Int, nanoseconds: Int64) -> Int? {
    guard nanoseconds > 0 else { return nil }
    let (length, overflows) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    guard !overflows else { return nil }
    self.nanoseconds = length
    self.bytes += Int64(bytes)
    guard length >= nextReport else { return nil }
    while nextReport <= length {
      let (next, overflows) = nextReport.multipliedReportingOverflow(by: 2)
      nextReport = overflows ? .max : next
      if overflows { break }
    }
    return Int(clamping: Int64((Double(self.bytes) * 8e9 / Double(length)).rounded()))
  }
}

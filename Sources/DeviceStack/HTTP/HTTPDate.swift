import Glibc

/// Dates as HTTP and SSDP write them (RFC 9110 §5.6.7): `Sun, 06 Nov 1994 08:49:37 GMT`, whatever the locale.
enum HTTPDate {
  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  static func now() -> String { text(time(nil)) }

  /// - Parameter seconds: since 1970, UTC.
  static func text(_ seconds: Int) -> String {
    var seconds = time_t(seconds)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    let time = [parts.tm_hour, parts.tm_min, parts.tm_sec].map(twoDigits).joined(separator: ":")
    let (day, month) = (days[Int(parts.tm_wday)], months[Int(parts.tm_mon)])
    return "\(day), \(twoDigits(parts.tm_mday)) \(month) \(parts.tm_year + 1900) \(time) GMT"
  }

  private static func twoDigits(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

import Glibc

/// The country in which a machine is, for popular stations.
package enum HomeCountry {
  /// The countries of all time zones, of the package tzdata.
  private static let table = "/usr/share/zoneinfo/zone.tab"
  private static let variables = ["LC_ALL", "LC_MESSAGES", "LANG"]

  /// The country of the time zone, else that of the locale. Boards often keep the locale of their system image, but have the right
  /// time zone.
  /// - Parameters:
  ///   - zone: the name of the time zone, such as `Europe/Berlin`; nil if it is unknown.
  ///   - variable: a variable of the environment.
  /// - Returns: nil if neither says it.
  package static func find(
    zone: String?, table: String = table, variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }
  ) -> CountryCode? {
    zone.flatMap { country(ofZone: $0, table) }
      ?? variables.lazy.compactMap(variable).first { !$0.isEmpty }.flatMap(country)
  }

  /// The country of a locale such as `de_AT.UTF-8`.
  static func country(ofLocale locale: String) -> CountryCode? {
    let parts = locale.prefix { $0 != "." && $0 != "@" }.split(separator: "_")
    return parts.count == 2 ? CountryCode(String(parts[1])) : nil
  }

  private static func country(ofZone zone: String, _ table: String) -> CountryCode? {
    guard let file = fopen(table, "re") else { return nil }
    defer { fclose(file) }
    var buffer = [CChar](repeating: 0, count: 512)
    while fgets(&buffer, Int32(buffer.count), file) != nil {
      let line = String(decoding: buffer.prefix { $0 != 0 && $0 != 10 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      if fields.count >= 3, fields[2] == zone { return CountryCode(String(fields[0])) }
    }
    return nil
  }
}

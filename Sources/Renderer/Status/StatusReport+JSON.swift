import FoundationEssentials

extension StatusReport {
  /// For people and programs alike.
  var json: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    // Nothing in it can fail to be written: no number is infinite.
    guard let data = try? encoder.encode(self) else { return "{}\n" }
    return String(decoding: data, as: UTF8.self) + "\n"
  }

  /// Nil for what is no such report.
  init?(json: [UInt8]) {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    guard let report = try? decoder.decode(StatusReport.self, from: Data(json)) else { return nil }
    self = report
  }
}

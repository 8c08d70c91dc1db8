import PlaybackModel

@testable import Stations

/// Answers of the station directory: its servers in the DNS, and lists of stations.
enum StationsTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let bytes = Array(input)
    let records = ServiceRecord.list(bytes)
    check(records.count <= 64, "\(records.count) servers")
    check(records.allSatisfy { !$0.host.isEmpty && $0.port > 0 }, "a server without a name or port")
    for station in Station.list(bytes) ?? [] {
      check(Station.isID(station.id), "the id \(station.id)")
      check(HTTPAddress(station.uri) != nil, "the address \(station.uri)")
      check(!station.title.isEmpty && station.title.count <= 200, "the title \(station.title)")
      check(!station.title.unicodeScalars.contains("\n"), "a title with a line end")
    }
  }
}

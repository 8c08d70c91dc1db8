import Glibc
import NIOCore
import Network
import Songcast

/// Recorded traffic of reference programs, written by Tests/fixtures/songcast.py.
struct Recording {
  struct Datagram {
    /// Since the first one of the recording.
    var time: Duration
    var source: Endpoint
    var destination: Endpoint
    /// Protocol and message, such as `OHM.Join`.
    var type: Substring
    var bytes: ByteBuffer
  }

  enum Failure: Error {
    case missing(String)
    case line(Int)
  }

  var datagrams: [Datagram] = []

  /// - Parameter name: a file in the folder Recordings.
  init(_ name: String) throws {
    let folder = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined()
    let path = "\(folder)/Recordings/\(name)"
    guard let file = fopen(path, "r") else { throw Failure.missing(path) }
    defer { fclose(file) }
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while case let count = getline(&line, &capacity, file), count > 0, let line {
      guard let datagram = Self.read(String(cString: line)) else { throw Failure.line(datagrams.count + 1) }
      datagrams.append(datagram)
    }
  }

  private static func read(_ line: String) -> Datagram? {
    let parts = line.dropLast().split(separator: " ")
    guard parts.count == 5, let time = Int(parts[0]), let source = Endpoint(parts[1]),
      let destination = Endpoint(parts[2]), let bytes = try? ByteBuffer(plainHexEncodedBytes: String(parts[4]))
    else { return nil }
    return Datagram(
      time: .microseconds(time), source: source, destination: destination, type: parts[3], bytes: bytes)
  }
}

extension OHMMessage {
  /// The name of the type, as in the recordings.
  var name: String {
    switch self {
    case .join: "OHM.Join"
    case .listen: "OHM.Listen"
    case .leave: "OHM.Leave"
    case .audio: "OHM.Audio"
    case .track: "OHM.Track"
    case .metatext: "OHM.Metatext"
    case .slave: "OHM.Slave"
    case .resend: "OHM.Resend"
    }
  }
}

extension OHZMessage {
  /// The name of the type, as in the recordings.
  var name: String {
    switch self {
    case .zoneQuery: "OHZ.ZoneQuery"
    case .zoneURI: "OHZ.ZoneUri"
    case .presetQuery: "OHZ.PresetQuery"
    case .presetInfo: "OHZ.PresetInfo"
    }
  }
}

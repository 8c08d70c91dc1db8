import PlaybackModel

/// Reads what a program says about itself.
protocol ProgramEventReader {
  mutating func add(_ bytes: [UInt8]) -> [ProgramEvent]
}

/// Splits bytes into lines of text.
struct LineSplitter {
  /// Longer lines are cut.
  private static let longest = 4096

  private var rest: [UInt8] = []

  mutating func add(_ bytes: [UInt8]) -> [String] {
    var lines: [String] = []
    for byte in bytes {
      if byte == UInt8(ascii: "\n") {
        lines.append(String(decoding: rest, as: UTF8.self))
        rest = []
      } else if rest.count < Self.longest {
        rest.append(byte)
      }
    }
    return lines.filter { !$0.isEmpty }
  }
}

/// Lines of `key=value`: title, artist, album, art, position, duration, volume, state. An empty line, or one that does not
/// describe the track, completes the track.
///
/// docs/sources.md describes the keys.
struct TextEvents: ProgramEventReader {
  private var lines = LineSplitter()
  private var track = Track()
  private var last = Track()
  private var duration: Duration?

  private struct Track: Equatable {
    var title, artist, album, art: String?
  }

  mutating func add(_ bytes: [UInt8]) -> [ProgramEvent] {
    var events: [ProgramEvent] = []
    for line in lines.add(bytes) {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { continue }
      let value = parts[1].isEmpty ? nil : String(parts[1].prefix(1000))
      switch parts[0] {
      // The title comes first.
      case "title": track = Track(title: value)
      case "artist": track.artist = value
      case "album": track.album = value
      case "art": track.art = value
      case "duration": duration = value.flatMap(Self.seconds)
      case "position":
        events += complete()
        if let position = value.flatMap(Self.seconds) { events.append(.progress(position, of: duration)) }
      case "volume":
        if let volume = value.flatMap({ Int($0) }), 0...100 ~= volume { events.append(.volume(volume)) }
      case "state":
        events += complete()
        if value == "playing" || value == "paused" { events.append(.playing(value == "playing")) }
      default: break
      }
    }
    return events
  }

  private mutating func complete() -> [ProgramEvent] {
    guard track != last else { return [] }
    last = track
    return [.track(title: track.title, artist: track.artist, album: track.album, artURL: track.art)]
  }

  private static func seconds(_ text: String) -> Duration? {
    guard let seconds = Double(text), 0...1e6 ~= seconds else { return nil }
    return .milliseconds(Int64(seconds * 1000))
  }
}

import FoundationEssentials
import PlaybackModel

/// Reads the metadata pipe of shairport-sync (https://github.com/mikebrady/shairport-sync-metadata-reader): items with a type, a
/// code of four characters and data in Base64.
struct ShairportEvents: ProgramEventReader {
  /// The sample rate of classic AirPlay, in which progress is counted.
  private static let rate: Int64 = 44_100
  /// Larger pictures are dropped.
  private static let longest = 8 << 20

  private static let end = Array("</item>".utf8)

  private var buffer: [UInt8] = []
  private var track = (title: String?.none, artist: String?.none, album: String?.none)

  mutating func add(_ bytes: [UInt8]) -> [ProgramEvent] {
    var events: [ProgramEvent] = []
    for byte in bytes {
      buffer.append(byte)
      guard byte == UInt8(ascii: ">"), buffer.suffix(Self.end.count).elementsEqual(Self.end) else { continue }
      if let item = Item(buffer[...]) { events += event(of: item) }
      buffer = []
    }
    if buffer.count > Self.longest { buffer = [] }
    return events
  }

  private mutating func event(of item: Item) -> [ProgramEvent] {
    switch item.code {
    case "mdst": track = (nil, nil, nil)
    case "minm": track.title = item.text
    case "asar": track.artist = item.text
    case "asal": track.album = item.text
    case "mden":
      return [.track(title: track.title, artist: track.artist, album: track.album, artURL: nil)]
    case "PICT": return [.art(item.data)]
    case "prgr": return item.text.flatMap(Self.progress).map { [$0] } ?? []
    case "pvol": return item.text.flatMap(Self.volume).map { [.volume($0)] } ?? []
    case "pbeg", "prsm": return [.playing(true)]
    case "pend": return [.playing(false)]
    default: break
    }
    return []
  }

  /// `start/current/end` in frames of RTP, which wrap at 32 bits.
  private static func progress(_ text: String) -> ProgramEvent? {
    let frames = text.split(separator: "/").map { UInt32($0) }
    guard frames.count == 3, let start = frames[0], let current = frames[1], let end = frames[2] else { return nil }
    func time(_ frame: UInt32) -> Duration { .milliseconds(Int64(Int32(bitPattern: frame &- start)) * 1000 / rate) }
    let duration = time(end)
    return .progress(max(.zero, time(current)), of: duration > .zero ? duration : nil)
  }

  /// AirPlay's volume goes from −30 to 0 dB, with −144 for silence, and comes before the volumes of the card.
  private static func volume(_ text: String) -> Int? {
    guard let volume = text.split(separator: ",").first.flatMap({ Double($0) }), volume.isFinite else { return nil }
    return AirPlayVolume.step(of: volume)
  }
}

/// One item of the pipe.
private struct Item {
  let code: String
  let data: [UInt8]

  var text: String? {
    let text = String(decoding: data.prefix(4000), as: UTF8.self)
    return text.isEmpty ? nil : text
  }

  init?(_ bytes: ArraySlice<UInt8>) {
    func content(_ tag: String) -> ArraySlice<UInt8>? {
      bytes.firstRange(of: Array(tag.utf8)).map { bytes[$0.upperBound...].prefix { $0 != UInt8(ascii: "<") } }
    }
    guard let code = content("<code>"), let number = UInt32(String(decoding: code, as: UTF8.self), radix: 16)
    else { return nil }
    self.code = String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }, as: UTF8.self)
    let base64 = content("<data encoding=\"base64\">") ?? []
    data = Data(base64Encoded: Data(base64.filter { $0 > 0x20 })).map { Array($0) } ?? []
  }
}

/// AirPlay's volume: dB from −30 to 0.
enum AirPlayVolume {
  private static let least = -30.0
  private static let silence = -144.0

  static func step(of decibels: Double) -> Int {
    decibels < least ? 0 : Int(((1 - min(decibels, 0) / least) * 100).rounded())
  }

  static func decibels(of step: Int) -> Double { step == 0 ? silence : least * (1 - Double(step) / 100) }
}

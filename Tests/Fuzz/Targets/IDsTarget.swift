import NIOCore

@testable import PlaybackModel
@testable import Providers
@testable import SpeakerCore
@testable import UPnP

/// Each line is tested as a list of ids, an array of numbers, a text for JSON and a pin URI.
enum IDsTarget {
  /// A playlist with the tracks 1 to 3.
  private static let list = {
    var contents = PlaylistContents()
    for id in 1...3 {
      _ = contents.apply(.insert(id: UInt32(id), after: 0, PlaylistTrack(uri: "http://192.0.2.1/&", metadata: "<a>")))
    }
    return Playlist(contents)
  }()

  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    while let line = input.line() {
      words(line)
      json(line)
      pin(line)
    }
  }

  private static func words(_ text: String) {
    var answer = ByteBuffer(string: "<a>")
    TrackListXML.list(ids: text, of: list).write(to: &answer, server: "")
    answer.writeString("</a>")
    let inner = XMLTarget.text(of: String(buffer: answer))
    check(inner.map(XMLTarget.isWellFormed) == true, "answered \(String(buffer: answer))")
    check(answer.readableBytes < 1000, "\(answer.readableBytes) bytes of three tracks")
  }

  private static func json(_ text: String) {
    let limit = 16
    if let numbers = JSONText.numbers(text, limit: limit) {
      check(numbers.count <= limit, "\(numbers.count) numbers")
      check(JSONText.numbers(JSONText.array(numbers.map { "\($0)" }), limit: limit) == numbers, "\(numbers) of \(text)")
    }
    // Nothing between the quotes ends the string or is rejected by a parser.
    let inner = JSONText.string(text).dropFirst().dropLast()
    var isEscaped = false
    for scalar in inner.unicodeScalars {
      check(scalar.value >= 0x20 && (isEscaped || scalar != "\""), "\(inner)")
      isEscaped = !isEscaped && scalar == "\\"
    }
    check(!isEscaped, "\(inner)")
    var set = PinSet()
    try? set.set(Pin(mode: text, type: text, uri: text, title: text), at: 0)
    check(PinJSON.list(ids: PinJSON.ids(of: set), of: set) != nil, "own ids")
  }

  private static func pin(_ text: String) {
    guard let uri = PinURI(text) else { return }
    check(!uri.mode.isEmpty && !uri.type.isEmpty, "\(uri)")
    for key in ["path", "id", "version"] {
      if let value = uri[key] { check(value.utf8.count <= text.utf8.count, "\(value) of \(text)") }
    }
    for mode in PinTarget.Mode.allCases {
      guard let target = try? PinTarget(Pin(mode: mode.rawValue, type: uri.type, uri: text)) else {
        continue
      }
      switch target {
      case .stream(let uri), .playlist(let uri), .announcement(let uri):
        check(["http", "https"].contains(uri.uriScheme), "plays \(uri)")
      case .preset(let number): check(number > 0, "the preset \(number)")
      case .folder(let folder):
        let again = try? PinTarget(folder.pin())
        check(again == .folder(folder), "\(folder.pin().uri)")
      case .source: break
      }
    }
  }
}

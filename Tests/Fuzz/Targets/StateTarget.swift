@testable import Playback
@testable import swiftlet

/// A file that nobody writes.
private final class ReadOnlyFile: StateFile {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  func size() -> Int { bytes.count }
  func read(_ count: Int, at offset: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
  func write(_ bytes: [UInt8], at offset: Int) {}
  func truncate(to size: Int) {}
  func sync() {}
}

/// A file of the state folder, as a broken card gives it back.
enum StateTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    try? playlist(Array(input))
    let text = String(decoding: input, as: UTF8.self)
    if let state = DeviceState(text: text) { device(state) }
    if let uuid = UUID(text) { check(UUID(uuid.description) == uuid, "\(uuid) of \(text)") }
    guard let state = try? StateText(text, of: "sound", version: 1) else { return }
    let written = state.text(of: "sound", version: 1)
    check((try? StateText(written, of: "sound", version: 1)) == state, "\(written) of \(text)")
    if let speaker = SpeakerState(state) { check(SpeakerState(speaker.text) == speaker, "\(speaker) of \(text)") }
    if let radio = RadioState(state) { check(RadioState(radio.text) == radio, "\(radio) of \(text)") }
    if let pins = PinSet(state) { check(PinSet(pins.text)?.ids == pins.ids, "\(pins) of \(text)") }
  }

  /// The playlist's file: as it stands, and as one whose changes are these, rightly summed up.
  private static func playlist(_ bytes: [UInt8]) throws(StateError) {
    if case .list(let found) = try PlaylistReading(ReadOnlyFile(bytes)) { check(found.end <= found.size, "\(found)") }
    let nonce: UInt32 = 7
    var file = PlaylistRecord.bytes(PlaylistRecord.Header(nonce: nonce, baseEnd: UInt32(PlaylistRecord.headerLength)))
    let head = [nonce, UInt32(bytes.count), 1].flatMap { withUnsafeBytes(of: $0.littleEndian, Array.init) }
    let sum = (head + bytes).withUnsafeBytes { CRC32.of($0) }
    file += head + withUnsafeBytes(of: sum.littleEndian, Array.init) + bytes
    guard case .list(let found) = try PlaylistReading(ReadOnlyFile(file)) else { return }
    let contents = found.contents
    check(Set(contents.ids) == Set(contents.tracks.keys) && contents.ids.count == contents.tracks.count, "\(contents)")
    check(contents.currentID == 0 || contents.tracks[contents.currentID] != nil, "\(contents)")
    check(contents.bytes == contents.tracks.values.reduce(0) { $0 + $1.bytes }, "\(contents)")
    check(contents.ids.allSatisfy { $0 <= contents.lastID }, "\(contents)")
  }

  private static func device(_ state: DeviceState) {
    check(DeviceState(text: state.text) == state, "became \(state.text)")
    let next = DeviceState.next(after: state, on: MachineIdentity(marks: ["board:1"]))
    check((1...Int(Int32.max)).contains(next.bootID), "BOOTID \(next.bootID)")
    check(next.port.map { (1...65535).contains($0) } ?? true, "port \(next.port ?? 0)")
    check(DeviceState(text: next.text) == next, "became \(next.text)")
  }
}

@testable import Playback
@testable import swiftlet

/// A file of the state folder, as a broken card gives it back.
enum StateTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    if let state = DeviceState(text: text) { device(state) }
    if let uuid = UUID(text) { check(UUID(uuid.description) == uuid, "\(uuid) of \(text)") }
    guard let state = try? StateText(text, of: "sound", version: 1) else { return }
    let written = state.text(of: "sound", version: 1)
    check((try? StateText(written, of: "sound", version: 1)) == state, "\(written) of \(text)")
    if let speaker = SpeakerState(state) { check(SpeakerState(speaker.text) == speaker, "\(speaker) of \(text)") }
  }

  private static func device(_ state: DeviceState) {
    check(DeviceState(text: state.text) == state, "became \(state.text)")
    let next = DeviceState.next(after: state, on: MachineIdentity(marks: ["board:1"]))
    check((1...Int(Int32.max)).contains(next.bootID), "BOOTID \(next.bootID)")
    check(next.port.map { (1...65535).contains($0) } ?? true, "port \(next.port ?? 0)")
    check(DeviceState(text: next.text) == next, "became \(next.text)")
  }
}

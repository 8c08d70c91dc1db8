@testable import PlaybackModel
@testable import PlaybackStore
@testable import Renderer

/// Settings from a damaged database, as lines of a name and a value.
enum StateTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var settings = StateText()
    for line in String(decoding: input, as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      settings.add(String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
    }
    if let state = DeviceState(settings) { device(state) }
    if let speaker = SavedSpeaker(settings) { check(SavedSpeaker(speaker.text) == speaker, "\(speaker)") }
    if let radio = RadioState(settings) { check(RadioState(radio.text) == radio, "\(radio)") }
    if let sender = ReceiverState(settings) { check(ReceiverState(sender.text) == sender, "\(sender)") }
    if let pins = PinSet(settings) { check(PinSet(pins.text)?.ids == pins.ids, "\(pins)") }
    if let equalizer = Equalizer(settings) { check(Equalizer(equalizer.text) == equalizer, "\(equalizer)") }
    if let text = settings["seed"], let uuid = UUID(text) { check(UUID(uuid.description) == uuid, "\(uuid)") }
  }

  private static func device(_ state: DeviceState) {
    check(DeviceState(state.text) == state, "became \(state.text)")
    let next = DeviceState.next(after: state, on: MachineIdentity(marks: ["board:1"]))
    check((1...Int(Int32.max)).contains(next.bootID), "BOOTID \(next.bootID)")
    check(next.port.map { (1...65535).contains($0) } ?? true, "port \(next.port ?? 0)")
    check(DeviceState(next.text) == next, "became \(next.text)")
  }
}

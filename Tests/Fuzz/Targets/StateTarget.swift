@testable import swiftlet

/// A file of the state folder, as a broken card gives it back.
enum StateTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let text = String(decoding: input, as: UTF8.self)
    if let state = DeviceState(text: text) {
      check(DeviceState(text: state.text) == state, "\(state.text) of \(text)")
      let next = DeviceState.next(after: state, on: MachineIdentity(marks: ["board:1"]))
      check((1...Int(Int32.max)).contains(next.bootID), "BOOTID \(next.bootID)")
      check(next.port.map { (1...65535).contains($0) } ?? true, "port \(next.port ?? 0)")
      check(DeviceState(text: next.text) == next, "\(next.text) of \(text)")
    }
    if let uuid = UUID(text) { check(UUID(uuid.description) == uuid, "\(uuid) of \(text)") }
  }
}

import CSystemd

/// A message of sd-bus, whose reference this object owns.
final class BusMessage {
  let pointer: OpaquePointer

  /// Takes over the reference.
  private init(owning pointer: OpaquePointer) { self.pointer = pointer }

  /// Retains a message that sd-bus passes to a callback.
  init(retaining pointer: OpaquePointer) { self.pointer = sd_bus_message_ref(pointer) }

  deinit { sd_bus_message_unref(pointer) }

  // MARK: Making messages

  static func call(
    _ bus: OpaquePointer, _ destination: String, _ path: String, _ interface: String, _ member: String,
    _ arguments: [BusValue]
  ) throws(BusError) -> BusMessage {
    let message = try make { sd_bus_message_new_method_call(bus, $0, destination, path, interface, member) }
    try message.append(arguments)
    return message
  }

  static func signal(
    _ bus: OpaquePointer, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) throws(BusError) -> BusMessage {
    let message = try make { sd_bus_message_new_signal(bus, $0, path, interface, member) }
    try message.append(arguments)
    return message
  }

  /// A reply to this message.
  func reply(_ result: Result<[BusValue], BusFault>) throws(BusError) -> BusMessage {
    switch result {
    case .success(let values):
      let reply = try Self.make { sd_bus_message_new_method_return(pointer, $0) }
      try reply.append(values)
      return reply
    case .failure(let fault):
      var error = sd_bus_error()
      defer { sd_bus_error_free(&error) }
      // The result is the error as a negative errno, not a failure of the call.
      _ = sd_bus_error_set(&error, fault.name, fault.message)
      return try Self.make { sd_bus_message_new_method_error(pointer, $0, &error) }
    }
  }

  private static func make(_ body: (UnsafeMutablePointer<OpaquePointer?>) -> Int32) throws(BusError) -> BusMessage {
    var pointer: OpaquePointer?
    guard body(&pointer) >= 0, let pointer else { throw .invalidMessage }
    return BusMessage(owning: pointer)
  }

  // MARK: Appending

  private func append(_ values: [BusValue]) throws(BusError) { for value in values { try append(value) } }

  private func append(_ value: BusValue) throws(BusError) {
    switch value {
    case .byte(let value): try append("y", value)
    case .bool(let value): try append("b", Int32(value ? 1 : 0))
    case .int16(let value): try append("n", value)
    case .uint16(let value): try append("q", value)
    case .int32(let value): try append("i", value)
    case .uint32(let value): try append("u", value)
    case .int64(let value): try append("x", value)
    case .uint64(let value): try append("t", value)
    case .double(let value): try append("d", value)
    case .string(let value): try check(sd_bus_message_append_basic(pointer, Self.type("s"), value))
    case .path(let value): try check(sd_bus_message_append_basic(pointer, Self.type("o"), value))
    case .signature(let value): try check(sd_bus_message_append_basic(pointer, Self.type("g"), value))
    case .descriptor(let value): try append("h", value.number)
    case .array(let element, let values):
      try container("a", element) { message throws(BusError) in try message.append(values) }
    case .dictionary(let key, let value, let values):
      try container("a", "{\(key)\(value)}") { message throws(BusError) in
        for entry in values {
          try message.container("e", key + value) { message throws(BusError) in
            try message.append([entry.key, entry.value])
          }
        }
      }
    case .structure(let members):
      try container("r", members.map(\.signature).joined()) { message throws(BusError) in
        try message.append(members)
      }
    case .variant(let content):
      try container("v", content.signature) { message throws(BusError) in try message.append(content) }
    }
  }

  private func append<Value: BitwiseCopyable>(_ type: UnicodeScalar, _ value: Value) throws(BusError) {
    var value = value
    try check(sd_bus_message_append_basic(pointer, Self.type(type), &value))
  }

  private func container(
    _ type: UnicodeScalar, _ signature: String, _ body: (BusMessage) throws(BusError) -> Void
  ) throws(BusError) {
    try check(sd_bus_message_open_container(pointer, Self.type(type), signature))
    try body(self)
    try check(sd_bus_message_close_container(pointer))
  }

  private static func type(_ scalar: UnicodeScalar) -> CChar { CChar(truncatingIfNeeded: scalar.value) }

  private func check(_ result: Int32) throws(BusError) { guard result >= 0 else { throw .invalidMessage } }

  // MARK: Reading

  var sender: String { sd_bus_message_get_sender(pointer).map { String(cString: $0) } ?? "" }
  var path: String { sd_bus_message_get_path(pointer).map { String(cString: $0) } ?? "" }
  var interface: String { sd_bus_message_get_interface(pointer).map { String(cString: $0) } ?? "" }
  var member: String { sd_bus_message_get_member(pointer).map { String(cString: $0) } ?? "" }
  /// The signature of all arguments.
  var signature: String { sd_bus_message_get_signature(pointer, 1).map { String(cString: $0) } ?? "" }

  func arguments() throws(BusError) -> [BusValue] {
    guard sd_bus_message_rewind(pointer, 1) >= 0 else { throw .unexpectedReply }
    return try BusReader.arguments(of: pointer)
  }
}

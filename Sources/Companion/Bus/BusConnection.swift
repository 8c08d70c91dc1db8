import CSystemd
import Glibc

/// One connection to a bus. `Bus` replaces it when it ends.
@CompanionActor final class BusConnection {
  /// Owns sd-bus's object.
  private final class Handle {
    let bus: OpaquePointer
    init(_ bus: OpaquePointer) { self.bus = bus }
    deinit { sd_bus_close_unref(bus) }
  }

  private final class PendingCall {
    var slot: OpaquePointer?
    unowned let connection: BusConnection
    let completion: @CompanionActor (Result<[BusValue], BusError>) -> Void

    init(
      _ connection: BusConnection, _ completion: @escaping @CompanionActor (Result<[BusValue], BusError>) -> Void
    ) {
      self.connection = connection
      self.completion = completion
    }

    // A slot keeps sd-bus's object alive.
    deinit { sd_bus_slot_unref(slot) }
  }

  /// Called once, when messages can be sent.
  var onReady: @CompanionActor (_ uniqueName: String) -> Void = { _ in }
  /// Called with each signal and method call. For false, sd-bus replies that the object is unknown.
  var onMessage: @CompanionActor (_ message: BusMessage, _ isSignal: Bool) -> Bool = { _, _ in false }
  /// Called once, with the reason. The owner then calls `close()`.
  var onEnd: @CompanionActor (_ reason: String) -> Void = { _ in }

  private let handle: Handle
  private var calls: [ObjectIdentifier: PendingCall] = [:]
  private var watch: DescriptorWatch?
  private var events: Int32 = 0
  private var timer: CompanionTimer?
  private var isProcessing = false
  private(set) var isReady = false
  private var isClosed = false
  /// Maximum messages per turn of the loop, so that a flood cannot starve the other companions.
  private static let messagesPerTurn = 200

  /// Starts to connect.
  /// - Throws: the reason, in words.
  init(_ address: String) throws(BusProblem) {
    var bus: OpaquePointer?
    var result = sd_bus_new(&bus)
    guard result >= 0, let bus else { throw BusProblem(code: result) }
    handle = Handle(bus)
    result = sd_bus_set_address(bus, address)
    if result >= 0 { result = sd_bus_set_bus_client(bus, 1) }
    if result >= 0 { result = sd_bus_negotiate_fds(bus, 1) }
    if result >= 0 {
      result = sd_bus_add_filter(
        bus, nil, { message, connection, _ in BusConnection.filter(message, connection) },
        Unmanaged.passUnretained(self).toOpaque())
    }
    if result >= 0 { result = sd_bus_start(bus) }
    guard result >= 0 else { throw BusProblem(code: result) }
    arm()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    (watch, timer) = (nil, nil)
    let pending = calls.values
    calls = [:]
    for call in pending { call.completion(.failure(.disconnected)) }
    sd_bus_close(handle.bus)
  }

  // MARK: Sending

  func call(
    _ destination: String, _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue],
    timeout: Duration, _ completion: @escaping @CompanionActor (Result<[BusValue], BusError>) -> Void
  ) {
    guard !isClosed else { return completion(.failure(.notConnected)) }
    do throws(BusError) {
      let message = try BusMessage.call(handle.bus, destination, path, interface, member, arguments)
      let call = PendingCall(self, completion)
      let time = timeout.components
      let microseconds = max(1, time.seconds * 1_000_000 + time.attoseconds / 1_000_000_000_000)
      // The table retains the call until its reply or the end of the connection. The call owns its slot.
      let result = sd_bus_call_async(
        handle.bus, &call.slot, message.pointer,
        { message, call, _ in BusConnection.replied(message, call) },
        Unmanaged.passUnretained(call).toOpaque(), UInt64(microseconds))
      guard result >= 0 else { throw .disconnected }
      calls[ObjectIdentifier(call)] = call
    } catch {
      completion(.failure(error))
    }
    arm()
  }

  func emit(
    _ path: String, _ interface: String, _ member: String, _ arguments: [BusValue]
  ) throws(BusError) {
    guard !isClosed else { throw .notConnected }
    try send(BusMessage.signal(handle.bus, path, interface, member, arguments))
  }

  func reply(to message: BusMessage, _ result: Result<[BusValue], BusFault>) {
    guard !isClosed, sd_bus_message_get_expect_reply(message.pointer) > 0 else { return }
    do throws(BusError) {
      try send(message.reply(result))
    } catch {
      // Reply with an error, so that the caller does not wait for its timeout.
      try? send(message.reply(.failure(.failed("The reply cannot be sent."))))
    }
  }

  private func send(_ message: BusMessage) throws(BusError) {
    guard sd_bus_send(handle.bus, message.pointer, nil) >= 0 else { throw .invalidMessage }
    arm()
  }

  // MARK: Receiving

  private func process() {
    guard !isClosed, !isProcessing else { return }
    isProcessing = true
    defer { isProcessing = false }
    var result: Int32 = 1
    for _ in 0..<Self.messagesPerTurn where result > 0 && !isClosed {
      result = sd_bus_process(handle.bus, nil)
      reportReady()
    }
    guard !isClosed else { return }
    guard result >= 0 else { return onEnd(BusProblem(code: result).description) }
    guard sd_bus_is_open(handle.bus) > 0 else { return onEnd("it was closed") }
    arm()
  }

  private func reportReady() {
    guard !isReady, !isClosed, sd_bus_is_ready(handle.bus) > 0 else { return }
    var name: UnsafePointer<CChar>?
    guard sd_bus_get_unique_name(handle.bus, &name) >= 0, let name else { return }
    isReady = true
    onReady(String(cString: name))
  }

  /// Waits for the events and the timeout that sd-bus asks for.
  private func arm() {
    guard !isClosed, !isProcessing else { return }
    let descriptor = sd_bus_get_fd(handle.bus)
    let events = sd_bus_get_events(handle.bus)
    guard descriptor >= 0, events >= 0 else {
      // Report the end in the next turn of the loop, because the caller may be in the middle of an operation.
      timer = CompanionTimer(after: .zero) { [weak self] in self?.process() }
      return
    }
    if let watch {
      if events != self.events { watch.wait(for: events) }
    } else {
      watch = DescriptorWatch(descriptor, events: events) { [weak self] _ in self?.process() }
    }
    self.events = events
    var deadline = UInt64.max
    guard sd_bus_get_timeout(handle.bus, &deadline) >= 0, deadline != .max else {
      timer = nil
      return
    }
    var now = timespec()
    clock_gettime(CLOCK_MONOTONIC, &now)
    let microseconds = UInt64(now.tv_sec) * 1_000_000 + UInt64(now.tv_nsec) / 1000
    timer = CompanionTimer(after: .microseconds(Int64(clamping: deadline > microseconds ? deadline - microseconds : 0)))
    {
      [weak self] in self?.process()
    }
  }
}

/// Why there is no connection.
struct BusProblem: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  /// - Parameter code: a negative errno.
  init(code: Int32) { description = strerror(-code).map { String(cString: $0) } ?? "error \(-code)" }
}

// MARK: Callbacks of sd-bus, which run inside `process()`

extension BusConnection {
  private nonisolated static func filter(_ message: OpaquePointer?, _ connection: UnsafeMutableRawPointer?) -> Int32 {
    guard let message, let connection else { return 0 }
    // Safe: both are used only on the loop's thread, and only during this call.
    nonisolated(unsafe) let (held, pointer) = (message, connection)
    return CompanionActor.immediately {
      let connection = Unmanaged<BusConnection>.fromOpaque(pointer).takeUnretainedValue()
      return connection.received(held) ? 1 : 0
    }
  }

  private func received(_ pointer: OpaquePointer) -> Bool {
    var type: UInt8 = 0
    guard !isClosed, isReady, sd_bus_message_get_type(pointer, &type) >= 0 else { return false }
    switch Int32(type) {
    case Int32(SD_BUS_MESSAGE_SIGNAL): return onMessage(BusMessage(retaining: pointer), true)
    case Int32(SD_BUS_MESSAGE_METHOD_CALL): return onMessage(BusMessage(retaining: pointer), false)
    default: return false
    }
  }

  private nonisolated static func replied(_ message: OpaquePointer?, _ call: UnsafeMutableRawPointer?) -> Int32 {
    guard let message, let call else { return 0 }
    // Safe, as in `filter`.
    nonisolated(unsafe) let (held, pointer) = (message, call)
    return CompanionActor.immediately {
      let call = Unmanaged<PendingCall>.fromOpaque(pointer).takeUnretainedValue()
      call.connection.finish(call, held)
      return 1
    }
  }

  private func finish(_ call: PendingCall, _ reply: OpaquePointer) {
    guard calls.removeValue(forKey: ObjectIdentifier(call)) != nil else { return }
    // When a connection ends, sd-bus generates error replies.
    call.completion(sd_bus_is_open(handle.bus) > 0 ? Self.result(reply) : .failure(.disconnected))
  }

  private static func result(_ reply: OpaquePointer) -> Result<[BusValue], BusError> {
    do throws(BusError) {
      guard sd_bus_message_is_method_error(reply, nil) > 0 else {
        return .success(try BusReader.arguments(of: reply))
      }
      guard let error = sd_bus_message_get_error(reply) else { throw .unexpectedReply }
      let name = error.pointee.name.map { String(cString: $0) } ?? ""
      guard name != "org.freedesktop.DBus.Error.NoReply" else { throw .noReply }
      throw .remote(BusFault(name, error.pointee.message.map { String(cString: $0) } ?? ""))
    } catch {
      return .failure(error)
    }
  }
}

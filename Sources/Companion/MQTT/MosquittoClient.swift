import CMosquitto
import Glibc

/// One connection to a broker, from the attempt to its end.
///
/// `connect()` blocks. Everything else returns at once and belongs on the companions' thread.
final class MosquittoClient: @unchecked Sendable {
  // Safe: one thread uses it at a time. The helper thread passes it to the companions' thread after `connect()`.

  enum Event: Equatable {
    case connected
    case refused(MQTTError)
    /// The code is the library's or, from 128 on, the broker's.
    case disconnected(code: Int32)
    case message(IncomingMessage)
    /// The broker has acknowledged the message with the id from `publish`. A reason of 128 or more means that it was
    /// refused.
    case published(id: Int32, reason: Int32)
    /// The broker has answered the subscription with the id from `subscribe`.
    case subscribed(id: Int32, isAllowed: Bool)
  }

  /// The largest packet in bytes that an MQTT 5 broker may send. Commands are short.
  static let packetLimit: Int32 = 16384
  /// The keepalive in seconds. A broker considers the speaker gone after 1.5 times this.
  static let keepAlive: Int32 = 20

  /// Collects events inside callbacks, which may not call the library.
  fileprivate final class Inbox {
    var events: [Event] = []
    /// The last error of OpenSSL; nil if there was none.
    var errorTLS: String?
    /// Whether the library has found that the certificate is for another host.
    var isForAnotherHost = false
    /// Why OpenSSL refuses the certificate, at the time of `errorTLS`.
    var verification = 0
    /// Reads the present `verification`.
    var verify: () -> Int = { 0 }
  }

  private let library: MosquittoLibrary
  private let handle: OpaquePointer
  private let inbox = Inbox()
  private let broker: BrokerAddress
  private let isVersion5: Bool

  /// - Parameter identifier: distinguishes the clients of a broker.
  init(
    _ library: MosquittoLibrary, _ settings: MQTTSettings, identifier: String, willTopic: String, isVersion5: Bool
  ) throws(MQTTError) {
    self.library = library
    self.isVersion5 = isVersion5
    broker = settings.broker
    let functions = library.functions.pointee
    guard let handle = functions.new(identifier, true, Unmanaged.passUnretained(inbox).toOpaque()) else {
      throw .cannotConnect(library.text(ofError: Int32(MOSQ_ERR_NOMEM.rawValue)))
    }
    self.handle = handle
    inbox.verify = {
      guard let connection = functions.ssl_get(handle), let result = functions.ssl_verify_result else { return 0 }
      return result(connection)
    }
    setCallbacks()
    _ = functions.int_option(
      handle, MOSQ_OPT_PROTOCOL_VERSION, isVersion5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
    _ = functions.int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    // The library would keep the availability, which follows the state, until the broker has acknowledged others.
    _ = functions.int_option(handle, MOSQ_OPT_SEND_MAXIMUM, Int32(MQTTOutbox.window))
    let will = Array("offline".utf8)
    _ = functions.will_set(handle, willTopic, Int32(will.count), will, 1, true)
    try setCredentials(settings)
    if settings.broker.isSecure { try setCertificates(settings) }
  }

  deinit { library.functions.pointee.destroy(handle) }

  // MARK: Setting up

  private func setCredentials(_ settings: MQTTSettings) throws(MQTTError) {
    let password = try settings.passwordFile.map(Self.password)
    guard settings.user != nil || password != nil else { return }
    // MQTT 3.1.1 has no password without a user.
    _ = library.functions.pointee.username_pw_set(handle, settings.user ?? "", password)
  }

  /// The first line of a file.
  private static func password(_ path: String) throws(MQTTError) -> String {
    guard let file = fopen(path, "re") else {
      throw .file(path, reason: String(cString: strerror(errno)))
    }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 4096)
    guard fgets(&bytes, Int32(bytes.count), file) != nil else { throw .file(path, reason: "it is empty") }
    let line = bytes.prefix { $0 != 0 && $0 != 10 && $0 != 13 }.map { UInt8(bitPattern: $0) }
    return String(decoding: line, as: UTF8.self)
  }

  private func setCertificates(_ settings: MQTTSettings) throws(MQTTError) {
    let functions = library.functions.pointee
    for path in [settings.authorityFile, settings.certificateFile, settings.keyFile].compactMap(\.self)
    where access(path, R_OK) != 0 {
      throw .file(path, reason: String(cString: strerror(errno)))
    }
    var folder: String?
    if settings.authorityFile == nil {
      _ = functions.int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
      // The library insists on a file or folder of authorities, even though it already trusts the system's.
      folder = getenv("SSL_CERT_DIR").map { String(cString: $0) } ?? "/etc/ssl/certs"
    }
    let code = functions.tls_set(
      handle, settings.authorityFile, folder, settings.certificateFile, settings.keyFile, nil)
    guard code == 0 else { throw .cannotConnect("the certificates cannot be used: \(library.text(ofError: code))") }
  }

  /// Sets the callbacks, which run inside calls of this class, on the caller's thread.
  private func setCallbacks() {
    let functions = library.functions.pointee
    functions.log_callback_set(handle) { _, inbox, _, line in
      guard let inbox, let line else { return }
      let (text, box) = (String(cString: line), Unmanaged<Inbox>.fromOpaque(inbox).takeUnretainedValue())
      if text.contains("host name verification failed") { box.isForAnotherHost = true }
      guard text.hasPrefix("OpenSSL Error"), let reason = text.split(separator: ":").last else { return }
      box.errorTLS = String(reason)
      // Later, the library has freed the connection of OpenSSL.
      let verification = box.verify()
      if verification != 0 { box.verification = verification }
    }
    functions.connect_callback_set(handle) { _, inbox, code in
      post(code == 0 ? .connected : .refused(refusal(code)), to: inbox)
    }
    functions.disconnect_callback_set(handle) { _, inbox, code in post(.disconnected(code: code), to: inbox) }
    functions.message_callback_set(handle) { _, inbox, message in
      guard let message else { return }
      post(.message(IncomingMessage(message.pointee)), to: inbox)
    }
    functions.publish_v5_callback_set(handle) { _, inbox, id, reason, _ in
      post(.published(id: id, reason: reason), to: inbox)
    }
    functions.subscribe_callback_set(handle) { _, inbox, id, count, granted in
      guard let granted else { return }
      post(.subscribed(id: id, isAllowed: (0..<Int(count)).allSatisfy { granted[$0] < 128 }), to: inbox)
    }
  }

  // MARK: Connecting

  /// Resolves the name and connects. Blocks until the broker's machine answers or the system gives up.
  ///
  /// `connected` or `refused` follow when the broker itself has answered.
  func connect() throws(MQTTError) {
    let functions = library.functions.pointee
    var properties: OpaquePointer?
    defer { functions.property_free_all(&properties) }
    if isVersion5 {
      _ = functions.property_add_int32(
        &properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), UInt32(Self.packetLimit))
    }
    errno = 0
    let code = functions.connect_bind_v5(
      handle, broker.host, Int32(broker.port), Self.keepAlive, nil, properties)
    let reason = errno
    guard code != 0 else { return }
    if broker.isSecure, code == MOSQ_ERR_TLS.rawValue { throw errorTLS }
    let text = code == MOSQ_ERR_ERRNO.rawValue ? String(cString: strerror(reason)) : library.text(ofError: code)
    throw .cannotConnect(text)
  }

  /// Why TLS has failed. The library's own codes differ with the moment of the failure.
  var errorTLS: MQTTError {
    let failure = TLSFailure(
      inbox.errorTLS ?? "the broker closed the connection", verification: inbox.verification,
      isForAnotherHost: inbox.isForAnotherHost)
    return .tls(failure, host: broker.host)
  }

  // MARK: Connected

  /// Nil after the end of the connection.
  var socket: Int32? {
    let socket = library.functions.pointee.socket(handle)
    return socket < 0 ? nil : socket
  }

  var wantsToWrite: Bool { library.functions.pointee.want_write(handle) }

  func read() {
    let functions = library.functions.pointee
    repeat {
      // The library stops early if `errno` still has an older EAGAIN.
      errno = 0
      guard functions.loop_read(handle, 1) == 0, socket != nil else { return }
    } while hasReadAhead
  }

  /// Whether OpenSSL has buffered messages. The socket is not readable for them any more.
  private var hasReadAhead: Bool {
    guard let pending = library.functions.pointee.ssl_pending,
      let connection = library.functions.pointee.ssl_get(handle)
    else { return false }
    return pending(connection) > 0
  }

  func write() {
    errno = 0
    _ = library.functions.pointee.loop_write(handle, 1)
  }

  /// Keeps the connection alive. Call it every few seconds.
  func keepAlive() { _ = library.functions.pointee.loop_misc(handle) }

  /// Why libmosquitto does not accept a message, for example because the broker allows only smaller ones.
  struct Refusal: Error {
    let reason: String
  }

  /// Publishes with QoS 1.
  /// - Returns: the id of the message. The event `published` for it follows.
  @discardableResult
  func publish(_ topic: String, _ payload: String, isRetained: Bool) throws(Refusal) -> Int32 {
    let bytes = Array(payload.utf8)
    var id: Int32 = 0
    let code = library.functions.pointee.publish(handle, &id, topic, Int32(bytes.count), bytes, 1, isRetained)
    guard code == 0 else { throw Refusal(reason: library.text(ofError: code)) }
    return id
  }

  /// Subscribes to a topic.
  ///
  /// With QoS 0: the session ends with the connection, so there is nothing to deliver later, and no command comes twice.
  /// With QoS 1, mosquitto 2.0 counts every packet above the limit as in flight, and sends nothing more after 20.
  /// - Parameter sendsRetained: whether the broker sends the retained message. With MQTT 3.1.1, it always does.
  /// - Returns: the id in the broker's answer.
  @discardableResult
  func subscribe(_ topic: String, sendsRetained: Bool = false) -> Int32 {
    let options = isVersion5 && !sendsRetained ? Int32(MQTT_SUB_OPT_SEND_RETAIN_NEVER.rawValue) : 0
    var id: Int32 = 0
    _ = library.functions.pointee.subscribe_v5(handle, &id, topic, 0, options, nil)
    return id
  }

  /// Sends a DISCONNECT that makes the broker publish the last will. The `deinit` of this object closes the connection.
  ///
  /// Publishing the message instead could fail: the library holds it back until the broker has acknowledged others. MQTT 3.1.1
  /// has no such DISCONNECT; there, closing the connection without one publishes the will.
  func disconnectWithWill() {
    guard isVersion5 else { return }
    _ = library.functions.pointee.disconnect_v5(handle, Int32(MQTT_RC_DISCONNECT_WITH_WILL_MSG.rawValue), nil)
  }

  /// Events since the last call.
  func takeEvents() -> [Event] {
    defer { inbox.events = [] }
    return inbox.events
  }

  /// Why the connection has ended.
  func reason(_ code: Int32) -> String {
    switch code {
    case MOSQ_ERR_CONN_LOST.rawValue: "the broker closed it"
    case MOSQ_ERR_KEEPALIVE.rawValue: "the broker does not answer"
    case 128...: library.text(ofReason: code)
    default: library.text(ofError: code)
    }
  }

  /// The text for a broker's reason code of 128 or more.
  func reason(ofPublication code: Int32) -> String { library.text(ofReason: code) }
}

private func post(_ event: MosquittoClient.Event, to inbox: UnsafeMutableRawPointer?) {
  guard let inbox else { return }
  Unmanaged<MosquittoClient.Inbox>.fromOpaque(inbox).takeUnretainedValue().events.append(event)
}

/// The error for a CONNACK code of MQTT 3.1.1 or 5.
private func refusal(_ code: Int32) -> MQTTError {
  switch code {
  case 1, 132: .oldVersion
  case 4, 134: .badCredentials
  case 5, 135: .refused("the user may not connect")
  case 2, 133: .refused("it does not accept the client's name")
  case 3, 136: .refused("it is not available")
  default: .refused("reason \(code)")
  }
}

extension IncomingMessage {
  /// Copies at most one byte more than the limit: longer payloads are not commands.
  fileprivate init(_ message: mosquitto_message) {
    let length = Int(max(0, message.payloadlen))
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: message.payload == nil ? 0 : length)
    self.init(
      topic: message.topic.map { String(cString: $0) } ?? "", payload: Array(bytes.prefix(Self.payloadLimit + 1)),
      isRetained: message.retain)
  }
}

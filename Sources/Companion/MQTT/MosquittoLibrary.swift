import CMosquitto

/// The functions of libmosquitto, which is loaded when the first connection needs it.
struct MosquittoLibrary: @unchecked Sendable {
  // Safe: the table is written before it gets here, and never afterwards. It is never freed.
  let functions: UnsafePointer<swiftlet_mosquitto>

  static let name = "libmosquitto.so.1"

  /// Loads the library. Not thread-safe; safe here because only one connection is made at a time.
  static func load(_ name: String = Self.name) throws(MQTTError) -> MosquittoLibrary {
    var problem: UnsafePointer<CChar>?
    guard let functions = swiftlet_mosquitto_open(name, &problem) else {
      throw .library(problem.map { String(cString: $0) } ?? "out of memory")
    }
    return MosquittoLibrary(functions: functions)
  }

  /// The library's text for one of its own error codes.
  func text(ofError code: Int32) -> String {
    functions.pointee.strerror(code).map { String(cString: $0).withoutPeriod } ?? "error \(code)"
  }

  /// The library's text for a broker's reason code.
  func text(ofReason code: Int32) -> String {
    let text = code < 128 ? functions.pointee.connack_string(code) : functions.pointee.reason_string(code)
    return text.map { String(cString: $0).withoutPeriod } ?? "reason \(code)"
  }
}

extension MQTTSettings {
  /// Why MQTT cannot work on this machine, in a sentence; nil if libmosquitto can be loaded.
  /// - Parameter name: another file name, for tests.
  package static func libraryProblem(_ name: String? = nil) -> String? {
    do throws(MQTTError) {
      _ = try MosquittoLibrary.load(name ?? MosquittoLibrary.name)
      return nil
    } catch {
      return error.description
    }
  }
}

extension String {
  fileprivate var withoutPeriod: String { hasSuffix(".") ? String(dropLast()) : self }
}

/// Why there is no connection to the broker.
enum MQTTError: Error, Equatable, CustomStringConvertible {
  case library(String)
  case file(String, reason: String)
  case cannotConnect(String)
  case refused(String)
  case badCredentials
  /// The broker knows only MQTT 3.1.1.
  case oldVersion
  case lost(String)
  /// TLS has failed before the broker has answered.
  case tls(String, host: String)

  var description: String {
    switch self {
    case .library(let reason): "libmosquitto is missing (\(reason)). Install it: apt install libmosquitto1"
    case .file(let path, let reason): "Cannot read the file \(path): \(reason)."
    case .cannotConnect(let reason): "The broker cannot be reached: \(reason)."
    case .refused(let reason): "The broker refuses the connection: \(reason)."
    case .badCredentials: "The broker refuses the user or the password: check mqtt.user and mqtt.password_file."
    case .oldVersion: "The broker does not support MQTT 5."
    case .tls(let reason, let host):
      """
      TLS with the broker fails: \(reason). The broker's certificate must be for \(host), and signed by mqtt.ca_file or, \
      without that key, by an authority that the system trusts. Some brokers also require mqtt.client_certificate.
      """
    case .lost(let reason): "The connection to the broker is lost: \(reason)."
    }
  }
}

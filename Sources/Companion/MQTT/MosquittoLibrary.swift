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

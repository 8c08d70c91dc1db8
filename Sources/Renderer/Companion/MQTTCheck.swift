import Companion
import Glibc

extension ConfigurationReading {
  /// Keys of MQTT that contradict each other, files that cannot be read, and a missing library. The speaker runs nevertheless.
  /// - Parameter library: another file name of libmosquitto, for tests.
  func mqttProblems(library: String? = nil) -> [ConfigurationProblem] {
    let keys = ConfigurationKeys.shared
    let files: [(ConfigurationKey<String?>, isForTLS: Bool)] = [
      (keys.mqttPasswordFile, false), (keys.mqttAuthorityFile, true), (keys.mqttCertificateFile, true),
      (keys.mqttKeyFile, true),
    ]
    var problems: [ConfigurationProblem] = []
    func add(_ key: String, _ sentence: String) {
      problems.append(problem(with: key, sentence))
    }
    if configuration.mqttBroker != nil, let sentence = MQTTSettings.libraryProblem(library) {
      add(keys.mqttBroker.name, sentence)
    }
    for (key, isForTLS) in files {
      guard let path = configuration[key] else { continue }
      if let reason = MQTTFile.problem(path, isForTLS: isForTLS) { add(key.name, "“\(path)” \(reason).") }
      if isForTLS, configuration.mqttBroker?.isSecure == false {
        add(key.name, "It has no effect without TLS: write mqtts:// in mqtt.broker.")
      }
    }
    if (configuration.mqttCertificateFile == nil) != (configuration.mqttKeyFile == nil) {
      let set = configuration.mqttCertificateFile == nil ? keys.mqttKeyFile : keys.mqttCertificateFile
      add(set.name, "A certificate needs its key: set mqtt.client_certificate and mqtt.client_key.")
    }
    if configuration.mqttBroker == nil {
      let others: [any AnyConfigurationKey] = files.map(\.0) + [keys.mqttPrefix, keys.mqttUser, keys.mqttHomeAssistant]
      for key in others where origins[key.name] != nil {
        add(key.name, "It has no effect without mqtt.broker.")
      }
    }
    return problems
  }
}

/// A file that the configuration names: a password, a certificate or a key.
private enum MQTTFile {
  /// Maximum bytes to read. Bundles of certificate authorities are smaller.
  private static let sizeLimit = 1 << 20

  /// Why the file cannot be used, to be appended to its path; nil if no problem was found.
  static func problem(_ path: String, isForTLS: Bool) -> String? {
    // O_NONBLOCK: do not wait for the writer of a named pipe.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return "is a folder" }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    var bytes = [UInt8](repeating: 0, count: min(Int(status.st_size), sizeLimit))
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { return "cannot be read: \(String(cString: strerror(errno)))" }
    let text = String(decoding: bytes[..<count], as: UTF8.self)
    if isForTLS {
      return text.firstRange(of: "-----BEGIN ") == nil ? "is not a PEM file: it has no -----BEGIN line" : nil
    }
    return text.first.map(\.isNewline) ?? true ? "has no password in its first line" : nil
  }
}

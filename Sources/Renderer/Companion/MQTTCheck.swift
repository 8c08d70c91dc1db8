import Companion
import Glibc

extension ConfigurationReading {
  /// Keys of MQTT that contradict each other, and files that cannot be read. The speaker runs nevertheless.
  var mqttProblems: [ConfigurationProblem] {
    let keys = ConfigurationKeys.shared
    let files: [(ConfigurationKey<String?>, isForTLS: Bool)] = [
      (keys.mqttPasswordFile, false), (keys.mqttAuthorityFile, true), (keys.mqttCertificateFile, true),
      (keys.mqttKeyFile, true),
    ]
    var problems: [ConfigurationProblem] = []
    func add(_ key: String, _ sentence: String) {
      problems.append(ConfigurationProblem(origin: origins[key] ?? .fallback, key: key, sentence: sentence))
    }
    for (key, isForTLS) in files {
      guard let path = configuration[key] else { continue }
      if access(path, R_OK) != 0 { add(key.name, "“\(path)” cannot be read: \(String(cString: strerror(errno))).") }
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

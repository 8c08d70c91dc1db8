import Companion

extension MQTTSettings {
  /// Nil while MQTT is off.
  init?(_ configuration: Configuration) {
    guard let broker = configuration.mqttBroker else { return nil }
    self.init(broker: broker)
    prefix = configuration.mqttPrefix
    user = configuration.mqttUser
    passwordFile = configuration.mqttPasswordFile
    authorityFile = configuration.mqttAuthorityFile
    certificateFile = configuration.mqttCertificateFile
    keyFile = configuration.mqttKeyFile
    announcesToHomeAssistant = configuration.mqttHomeAssistant
  }
}

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
  case tls(TLSFailure, host: String)

  var description: String {
    switch self {
    case .library(let reason): "libmosquitto is missing (\(reason)). Install it: apt install libmosquitto1"
    case .file(let path, let reason): "Cannot read the file \(path): \(reason)."
    case .cannotConnect(let reason): "The broker cannot be reached: \(reason)."
    case .refused(let reason): "The broker refuses the connection: \(reason)."
    case .badCredentials: "The broker refuses the user or the password: check mqtt.user and mqtt.password_file."
    case .oldVersion: "The broker does not support MQTT 5."
    case .tls(let failure, let host): "TLS with the broker fails: \(failure.description(host: host))"
    case .lost(let reason): "The connection to the broker is lost: \(reason)."
    }
  }
}

/// Why TLS with the broker has failed.
enum TLSFailure: Equatable {
  /// The certificate is for another host.
  case wrongHost
  case unknownAuthority
  /// The certificate has expired, or is not valid yet.
  case wrongTime
  case other(String)

  /// - Parameters:
  ///   - reason: OpenSSL's text.
  ///   - verification: its reason for refusing the certificate (X509_V_ERR_… of x509_vfy.h); 0 for none.
  ///   - isForAnotherHost: whether libmosquitto, which compares the names itself, has said so.
  init(_ reason: String, verification: Int, isForAnotherHost: Bool) {
    switch verification {
    case _ where isForAnotherHost, 62, 64: self = .wrongHost
    case 2, 7, 18...21, 27, 30: self = .unknownAuthority
    case 9, 10: self = .wrongTime
    default: self = .other(reason)
    }
  }

  func description(host: String) -> String {
    switch self {
    case .wrongHost:
      """
      certificate verify failed: the broker's certificate is not for \(host). mqtt.broker must have a name or an address of \
      the certificate.
      """
    case .unknownAuthority:
      """
      certificate verify failed: the authority of the broker's certificate is not trusted. Set mqtt.ca_file to the \
      certificate of that authority. Without that key, those of the system are trusted.
      """
    case .wrongTime:
      """
      certificate verify failed: the broker's certificate has expired or is not valid yet. Renew it, or correct the clock \
      of this machine.
      """
    case .other(let reason):
      """
      \(reason). The broker's certificate must be for \(host), and signed by mqtt.ca_file or, without that key, by an \
      authority that the system trusts. Some brokers also require mqtt.client_certificate.
      """
    }
  }
}

import DeviceStack
import UPnP

/// Credentials:1 of the stand-in speaker, for one music service without credentials.
final class StandInCredentialsService: Credentials1.Provider {
  private static let invalidID = ActionFault(800, "Id not found")
  private static let loginFailed = ActionFault(801, "Login failed")
  private static let id = "music.example"
  /// A placeholder in PEM format. Checks look only at the format.
  private static let key = "-----BEGIN RSA PUBLIC KEY-----\nMAA=\n-----END RSA PUBLIC KEY-----\n"

  private let variables = Credentials1.Variables(.init(ids: id, publicKey: key, sequenceNumber: 0))

  var service: HostedService { Credentials1.hosted(by: self, variables) }

  func getIds() -> Credentials1.GetIdsOutput { .init(ids: Self.id) }

  func getPublicKey() -> Credentials1.GetPublicKeyOutput { .init(publicKey: Self.key) }

  func getSequenceNumber() -> Credentials1.GetSequenceNumberOutput { .init(sequenceNumber: 0) }

  func get(_ input: Credentials1.GetInput) throws(ActionFault) -> Credentials1.GetOutput {
    try check(input.id)
    return .init(userName: "", password: [], enabled: false, status: "", data: "")
  }

  func set(_ input: Credentials1.SetInput) throws(ActionFault) { try check(input.id) }

  func clear(_ input: Credentials1.ClearInput) throws(ActionFault) { try check(input.id) }

  func setEnabled(_ input: Credentials1.SetEnabledInput) throws(ActionFault) { try check(input.id) }

  func login(_ input: Credentials1.LoginInput) throws(ActionFault) -> Credentials1.LoginOutput {
    try check(input.id)
    throw Self.loginFailed
  }

  func reLogin(_ input: Credentials1.ReLoginInput) throws(ActionFault) -> Credentials1.ReLoginOutput {
    try check(input.id)
    throw Self.loginFailed
  }

  private func check(_ id: String) throws(ActionFault) { if id != Self.id { throw Self.invalidID } }
}

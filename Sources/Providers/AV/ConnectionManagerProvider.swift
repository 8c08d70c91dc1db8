import DeviceStack
import UPnP

/// ConnectionManager:1 without PrepareForConnection: connection 0 always exists (ConnectionManager:1 §2.4.6).
public final class ConnectionManagerProvider: ConnectionManager1.Provider {
  private let variables: ConnectionManager1.Variables
  private let sink: String

  /// - Parameter protocolInfo: the supported formats, see `ProtocolInfo`.
  public init(protocolInfo: String) {
    sink = protocolInfo
    variables = ConnectionManager1.Variables(
      .init(sourceProtocolInfo: "", sinkProtocolInfo: sink, currentConnectionIDs: "0"))
  }

  /// The service for a device to host.
  public var service: HostedService { ConnectionManager1.hosted(by: self, variables) }

  // MARK: Actions

  public func getProtocolInfo() -> ConnectionManager1.GetProtocolInfoOutput {
    ConnectionManager1.GetProtocolInfoOutput(source: "", sink: sink)
  }

  public func getCurrentConnectionIDs() -> ConnectionManager1.GetCurrentConnectionIDsOutput {
    ConnectionManager1.GetCurrentConnectionIDsOutput(connectionIDs: "0")
  }

  public func getCurrentConnectionInfo(
    _ input: ConnectionManager1.GetCurrentConnectionInfoInput
  ) throws(ActionFault) -> ConnectionManager1.GetCurrentConnectionInfoOutput {
    guard input.connectionID == 0 else { throw ActionFault(706, "Invalid connection reference") }
    return ConnectionManager1.GetCurrentConnectionInfoOutput(
      rcsID: 0, avTransportID: 0, protocolInfo: "", peerConnectionManager: "", peerConnectionID: -1,
      direction: .input, status: .ok)
  }
}

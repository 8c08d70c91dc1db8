import DeviceStack
import UPnP

/// ConnectionManager:1 without PrepareForConnection: connection 0 always exists (ConnectionManager:1 §2.4.6).
public final class ConnectionManagerProvider: ConnectionManager1.Provider {
  private let variables: ConnectionManager1.Variables
  private let source: String
  private let sink: String

  /// The service of a renderer.
  /// - Parameter protocolInfo: the playable formats, see `ProtocolInfo`.
  public convenience init(protocolInfo: String) { self.init(source: "", sink: protocolInfo) }

  /// The service of a server.
  /// - Parameter source: the formats that it serves, see `ProtocolInfo`.
  public convenience init(source: String) { self.init(source: source, sink: "") }

  private init(source: String, sink: String) {
    self.source = source
    self.sink = sink
    variables = ConnectionManager1.Variables(
      .init(sourceProtocolInfo: source, sinkProtocolInfo: sink, currentConnectionIDs: "0"))
  }

  /// The service for a device to host.
  public var service: HostedService { ConnectionManager1.hosted(by: self, variables) }

  // MARK: Actions

  public func getProtocolInfo() -> ConnectionManager1.GetProtocolInfoOutput {
    ConnectionManager1.GetProtocolInfoOutput(source: source, sink: sink)
  }

  public func getCurrentConnectionIDs() -> ConnectionManager1.GetCurrentConnectionIDsOutput {
    ConnectionManager1.GetCurrentConnectionIDsOutput(connectionIDs: "0")
  }

  public func getCurrentConnectionInfo(
    _ input: ConnectionManager1.GetCurrentConnectionInfoInput
  ) throws(ActionFault) -> ConnectionManager1.GetCurrentConnectionInfoOutput {
    guard input.connectionID == 0 else { throw ActionFault(706, "Invalid connection reference") }
    // A server has neither RenderingControl nor AVTransport (ConnectionManager:1 §2.4.5.2).
    let instance: Int32 = source.isEmpty ? 0 : -1
    return ConnectionManager1.GetCurrentConnectionInfoOutput(
      rcsID: instance, avTransportID: instance, protocolInfo: "", peerConnectionManager: "", peerConnectionID: -1,
      direction: source.isEmpty ? .input : .output, status: .ok)
  }
}

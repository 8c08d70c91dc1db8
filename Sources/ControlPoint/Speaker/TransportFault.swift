/// Why a device refused a verb, from the fault codes of AVTransport:1 §2.4 and of OpenHome's services.
public enum TransportFault: Sendable, Hashable {
  /// The device cannot do that in its present state, such as Pause while it is stopped.
  case transitionNotAvailable
  case noContents
  case readError
  case formatNotSupported
  /// Another control point holds the transport.
  case transportLocked
  case seekModeNotSupported
  case illegalSeekTarget
  case playModeNotSupported
  /// The device does not play this MIME type.
  case illegalMIMEType
  case contentBusy
  case resourceNotFound
  case playSpeedNotSupported
  /// OpenHome: there is no track or preset with this id.
  case noSuchTrack
  /// OpenHome: the playlist is full.
  case queueFull
  /// OpenHome: the current source does not support this.
  case notPossibleWithSource

  /// - Parameters:
  ///   - code: the errorCode of the UPnPError.
  ///   - service: the service that refused. OpenHome's services use the same codes for different reasons.
  public init?(code: Int, service: SpeakerCapabilities.Mechanism) {
    switch (service, code) {
    case (.avTransport, 701): self = .transitionNotAvailable
    case (.avTransport, 702): self = .noContents
    case (.avTransport, 703): self = .readError
    case (.avTransport, 704): self = .formatNotSupported
    case (.avTransport, 705): self = .transportLocked
    case (.avTransport, 710): self = .seekModeNotSupported
    case (.avTransport, 711): self = .illegalSeekTarget
    case (.avTransport, 712): self = .playModeNotSupported
    case (.avTransport, 714): self = .illegalMIMEType
    case (.avTransport, 715): self = .contentBusy
    case (.avTransport, 716): self = .resourceNotFound
    case (.avTransport, 717): self = .playSpeedNotSupported
    case (.playlist, 800), (.radio, 800): self = .noSuchTrack
    case (.playlist, 801): self = .queueFull
    case (.transport, 801): self = .notPossibleWithSource
    default: return nil
    }
  }
}

extension ControlPointError {
  /// The reason, if the device refused an action with a code of its service.
  /// - Parameter service: the service that was called, as `SpeakerCapabilities.mechanism(for:sourceType:)` returns it.
  public func transportFault(of service: SpeakerCapabilities.Mechanism) -> TransportFault? {
    guard case .fault(let code, _) = self else { return nil }
    return TransportFault(code: code, service: service)
  }
}

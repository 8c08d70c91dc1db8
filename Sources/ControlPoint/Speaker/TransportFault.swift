/// Why a device refused a verb, from the fault codes of AVTransport:1 §2.4 and of OpenHome's Playlist.
public enum TransportFault: Int, Sendable, Hashable {
  /// The device cannot do that in its present state, such as Pause while it is stopped.
  case transitionNotAvailable = 701
  case noContents = 702
  case readError = 703
  case formatNotSupported = 704
  /// Another control point holds the transport.
  case transportLocked = 705
  case seekModeNotSupported = 710
  case illegalSeekTarget = 711
  case playModeNotSupported = 712
  /// The device does not play this MIME type.
  case illegalMIMEType = 714
  case contentBusy = 715
  case resourceNotFound = 716
  case playSpeedNotSupported = 717
  /// OpenHome: the queue has no such track.
  case noSuchTrack = 800
  /// OpenHome Playlist: the queue is full. Transport: not possible with this source.
  case queueFull = 801
}

extension ControlPointError {
  /// The reason, if the device refused an AVTransport or Playlist action with a code of these services.
  public var transportFault: TransportFault? {
    guard case .fault(let code, _) = self else { return nil }
    return TransportFault(rawValue: code)
  }
}

import PlaybackModel
import UPnP

extension PlaylistTrack {
  /// The duration in the metadata (`res@duration`); nil without one.
  public var duration: Duration? { DIDLLite.duration(in: metadata, uri: uri) }
}

import Playback

extension PlaylistTrack {
  /// How long its metadata says that it is (`res@duration`); nil where it does not.
  public var duration: Duration? { DIDLLite.duration(in: metadata, uri: uri) }
}

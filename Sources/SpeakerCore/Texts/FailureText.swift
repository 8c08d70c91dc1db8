import PlaybackModel
import UPnP

extension TrackFailure {
  /// The track's title: from the stream or the list, else from the metadata, else the file name.
  public var shownTitle: String { title ?? DIDLLite.Title(in: metadata)?.text ?? DIDLLite.title(ofURI: uri) }

  /// One sentence for the user that names the track and its host. Failures of the audio device concern neither.
  public var text: String {
    if error.isDeviceFailure { return error.description }
    return "“\(shownTitle)”" + (host.map { " from \($0)" } ?? "") + ": \(error)"
  }
}

import Glibc
import PlaybackModel

extension PlaybackError {
  /// Why an ALSA device cannot be opened.
  init(alsa failure: ALSADevice.Failure) {
    switch failure.code {
    case EBUSY, EAGAIN: self = .deviceBusy
    // The last is a sound server's that does not run.
    case ENODEV, ENOENT, ENXIO, ECONNREFUSED: self = .deviceMissing
    case EACCES, EPERM: self = .deviceForbidden
    default: self = .deviceFailed(failure.sentence)
    }
  }
}

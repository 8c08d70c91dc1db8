import CGStreamer
import PlaybackModel

extension AudioFormat {
  /// Nil if the caps are not fixed caps of raw audio.
  init?(caps: UnsafePointer<GstCaps>) {
    var info = GstAudioInfo()
    gst_audio_info_init(&info)
    guard gst_audio_info_from_caps(&info, caps) != 0, let format = info.finfo, info.rate > 0, info.bpf > 0 else {
      return nil
    }
    let sides = (0..<info.channels).map { channel -> ChannelSide in
      switch swiftlet_channel_side(&info, channel) {
      case ..<0: .left
      case 0: .middle
      default: .right
      }
    }
    self.init(
      name: String(cString: format.pointee.name), depth: Int(format.pointee.depth), rate: Int(info.rate),
      channels: Int(info.channels), sides: sides, bytesPerFrame: Int(info.bpf))
  }
}

import CGStreamer
import PlaybackFormats
import PlaybackModel

extension BlockLayout {
  /// Layout of samples without a header, from their caps; nil for the caps of a file.
  init?(caps: UnsafeMutablePointer<GstCaps>) {
    guard gst_structure_has_field(gst_caps_get_structure(caps, 0), "format") != 0, let raw = gst_caps_copy(caps) else {
      return nil
    }
    defer { swiftlet_caps_unref(raw) }
    gst_structure_set_name(gst_caps_get_structure(raw, 0), "audio/x-raw")
    guard let format = AudioFormat(caps: raw) else { return nil }
    self.init(
      coding: .raw(format.name), rate: format.rate, channels: format.channels, bytesPerBlock: format.bytesPerFrame)
  }

  /// The caps of samples without a header; nil for other codings.
  var headerlessCaps: String? {
    guard case .raw(let format) = coding else { return nil }
    return "\(BlockDemuxerElement.streamType),format=\(format),layout=interleaved,\(form)"
  }

  /// The caps of the blocks on the source pad.
  var caps: String {
    switch coding {
    case .raw(let format): "audio/x-raw,format=\(format),layout=interleaved,\(form)"
    case .aLaw: "audio/x-alaw,\(form)"
    case .muLaw: "audio/x-mulaw,\(form)"
    case .imaADPCM: "audio/x-adpcm,layout=dvi,block_align=\(bytesPerBlock),\(form)"
    case .microsoftADPCM: "audio/x-adpcm,layout=microsoft,block_align=\(bytesPerBlock),\(form)"
    }
  }

  private var form: String {
    let mask =
      channels > 2 ? ",channel-mask=(bitmask)0x\(String(swiftlet_usual_channel_mask(gint(channels)), radix: 16))" : ""
    return "rate=\(rate),channels=\(channels)\(mask)"
  }

  /// The coding's name for the codec tag; nil for raw samples.
  var codecName: String? {
    switch coding {
    case .raw: nil
    case .aLaw: "A-law audio"
    case .muLaw: "Mu-law audio"
    case .imaADPCM: "DVI ADPCM audio"
    case .microsoftADPCM: "Microsoft ADPCM audio"
    }
  }
}

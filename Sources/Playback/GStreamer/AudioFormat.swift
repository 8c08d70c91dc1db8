import CGStreamer

/// The form of raw samples, as caps describe it.
struct AudioFormat: Sendable, Equatable {
  /// GStreamer's name, such as `S16LE`.
  var name: String
  /// Bits of a sample that carry sound.
  var depth: Int
  var rate: Int
  var channels: Int
  /// Where each channel is heard from.
  var sides: [GainStage.Side]
  /// Bytes of one sample of every channel.
  var bytesPerFrame: Int

  /// Whether samples are floating point.
  var isFloat: Bool { name.hasPrefix("F") }
  /// With how many bits an integer can tell all that decoders put into a sample.
  var precision: Int { isFloat ? 25 : depth }

  /// As a form for a device.
  var deviceForm: DeviceForm { DeviceForm(format: name, rate: rate, channels: channels) }

  var bytesPerSecond: Int64 { Int64(bytesPerFrame) * Int64(rate) }

  /// Nanoseconds, 36 years of them. Files may claim any time: beyond this all are the same, so that the sum of a few is
  /// still a number.
  static let longest: Int64 = 1 << 60

  /// How long so many frames last, in nanoseconds, rounded to the nearest.
  func nanoseconds(frames: Int64) -> Int64 {
    let (seconds, rest) = frames.quotientAndRemainder(dividingBy: Int64(rate))
    let most = Self.longest / 1_000_000_000
    guard -most..<most ~= seconds else { return seconds < 0 ? -Self.longest : Self.longest }
    return seconds * 1_000_000_000 + (rest * 1_000_000_000 + Int64(rate) / 2) / Int64(rate)
  }

  /// How many frames there are in so many nanoseconds, rounded to the nearest.
  func frames(nanoseconds: Int64) -> Int64 {
    let (seconds, rest) = min(max(nanoseconds, -Self.longest), Self.longest)
      .quotientAndRemainder(dividingBy: 1_000_000_000)
    return seconds * Int64(rate) + (rest * Int64(rate) + 500_000_000) / 1_000_000_000
  }
}

extension AudioFormat {
  /// Nil if the caps are not those of raw audio with every property fixed.
  init?(caps: UnsafePointer<GstCaps>) {
    var info = GstAudioInfo()
    gst_audio_info_init(&info)
    guard gst_audio_info_from_caps(&info, caps) != 0, let format = info.finfo, info.rate > 0, info.bpf > 0 else {
      return nil
    }
    name = String(cString: format.pointee.name)
    depth = Int(format.pointee.depth)
    rate = Int(info.rate)
    channels = Int(info.channels)
    sides = (0..<info.channels).map { channel in
      switch swiftlet_channel_side(&info, channel) {
      case ..<0: .left
      case 0: .middle
      default: .right
      }
    }
    bytesPerFrame = Int(info.bpf)
  }
}

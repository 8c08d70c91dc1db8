import CALSA
import Glibc
import PlaybackModel

/// Probes an ALSA device for its formats, rates and channels. GStreamer's element reports only the lowest and highest
/// rate.
enum ALSADevice {
  /// An errno from opening a device.
  struct Failure: Error, Equatable {
    let code: Int32
    /// ALSA's description.
    var sentence: String { String(cString: snd_strerror(-code)) }
  }

  private static let sampleFormats: [(name: String, format: snd_pcm_format_t)] = [
    ("F64LE", SND_PCM_FORMAT_FLOAT64_LE), ("S32LE", SND_PCM_FORMAT_S32_LE), ("F32LE", SND_PCM_FORMAT_FLOAT_LE),
    ("S24_32LE", SND_PCM_FORMAT_S24_LE), ("S24LE", SND_PCM_FORMAT_S24_3LE), ("S16LE", SND_PCM_FORMAT_S16_LE),
    ("S8", SND_PCM_FORMAT_S8), ("U8", SND_PCM_FORMAT_U8),
  ]

  struct Abilities: Equatable {
    var formats: Set<DeviceFormat> = []
    /// Whether ALSA passes the samples to a card unchanged: it neither mixes nor converts them.
    var isDirect = false
    /// Whether it is a plugin of ALSA that passes the samples to a sound server.
    var isServer = false
  }

  /// Opens the device, tries each combination of format, rate and channels, and closes it. Rates that ALSA would
  /// resample are excluded, since our resampler is better.
  static func abilities(_ device: String) throws(Failure) -> Abilities {
    swiftlet_alsa_silence()
    var handle: OpaquePointer?
    let error = snd_pcm_open(&handle, device, SND_PCM_STREAM_PLAYBACK, Int32(SND_PCM_NONBLOCK))
    guard error >= 0, let handle else { throw Failure(code: -error) }
    defer { snd_pcm_close(handle) }
    // The devices `hdmi` and `iec958` are hooks, which only set the card's switches when they open it.
    let isDirect = [SND_PCM_TYPE_HW, SND_PCM_TYPE_HOOKS].contains(snd_pcm_type(handle)) || device.hasPrefix("hw:")
    let text = dump(of: handle)
    let isServer = ["PulseAudio", "PipeWire"].contains { text.contains($0) }
    guard let parameters = Parameters(of: handle) else { return Abilities(isDirect: isDirect, isServer: isServer) }
    var formats: Set<DeviceFormat> = []
    for (name, format) in sampleFormats {
      guard let ofFormat = parameters.narrowed({ snd_pcm_hw_params_set_format($0, $1, format) }) else { continue }
      for rate in DeviceFormat.rates {
        let ofRate = ofFormat.narrowed { snd_pcm_hw_params_set_rate($0, $1, UInt32(rate), 0) }
        guard let ofRate else { continue }
        for channels in 1...DeviceFormat.maximumChannels where ofRate.allows(channels: channels) {
          formats.insert(DeviceFormat(format: name, rate: rate, channels: channels))
        }
      }
    }
    return Abilities(formats: formats, isDirect: isDirect, isServer: isServer)
  }

  /// How ALSA describes the device: the first line is that of its type, such as `ALSA <-> PulseAudio PCM I/O Plugin`.
  private static func dump(of device: OpaquePointer) -> String {
    var output: OpaquePointer?
    guard snd_output_buffer_open(&output) >= 0, let output else { return "" }
    defer { snd_output_close(output) }
    snd_pcm_dump(device, output)
    var text: UnsafeMutablePointer<CChar>?
    let length = snd_output_buffer_string(output, &text)
    return text.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: Int(length)), as: UTF8.self) } ?? ""
  }

  static func formats(_ device: String) throws(Failure) -> Set<DeviceFormat> { try abilities(device).formats }

  /// The device's formats, rates and channels as text, or why it cannot be opened.
  static func summary(_ device: String) -> String {
    let formats: Set<DeviceFormat>
    do throws(Failure) { formats = try Self.formats(device) } catch { return PlaybackError(alsa: error).description }
    let supported = sampleFormats.filter { name, _ in formats.contains { $0.format == name } }
    let names = supported.map { String(cString: snd_pcm_format_name($0.format)) }.joined(separator: " ")
    let rates = Set(formats.map(\.rate)).sorted().map(String.init).joined(separator: " ")
    let channels = Set(formats.map(\.channels)).sorted().map(String.init).joined(separator: " ")
    return "\(names); \(rates) Hz; \(channels) channels"
  }

  /// The configurations of a device that remain after some parameters were set.
  private final class Parameters {
    private let device: OpaquePointer
    private let parameters: OpaquePointer

    /// All configurations of the device.
    convenience init?(of device: OpaquePointer) {
      self.init(of: device) { device, parameters in
        let error = snd_pcm_hw_params_any(device, parameters)
        guard error >= 0 else { return error }
        snd_pcm_hw_params_set_rate_resample(device, parameters, 0)
        return snd_pcm_hw_params_set_access(device, parameters, SND_PCM_ACCESS_RW_INTERLEAVED)
      }
    }

    private init?(of device: OpaquePointer, _ fill: (OpaquePointer, OpaquePointer) -> Int32) {
      var parameters: OpaquePointer?
      guard snd_pcm_hw_params_malloc(&parameters) >= 0, let parameters else { return nil }
      self.device = device
      self.parameters = parameters
      guard fill(device, parameters) >= 0 else { return nil }
    }

    deinit { snd_pcm_hw_params_free(parameters) }

    /// The configurations that remain after setting one more parameter; nil for none.
    func narrowed(_ set: (OpaquePointer, OpaquePointer) -> Int32) -> Parameters? {
      Parameters(of: device) { device, copy in
        snd_pcm_hw_params_copy(copy, parameters)
        return set(device, copy)
      }
    }

    func allows(channels: Int) -> Bool {
      snd_pcm_hw_params_test_channels(device, parameters, UInt32(channels)) >= 0
    }
  }
}

extension PlaybackError {
  init(alsa failure: ALSADevice.Failure) {
    switch failure.code {
    case EBUSY, EAGAIN: self = .deviceBusy
    // ECONNREFUSED: the device's sound server is not running.
    case ENODEV, ENOENT, ENXIO, ECONNREFUSED: self = .deviceMissing
    case EACCES, EPERM: self = .deviceForbidden
    default: self = .deviceFailed(failure.sentence)
    }
  }
}

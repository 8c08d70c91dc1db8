import UPnP

/// A format that can be generated, with the MIME types that renderers list for it.
struct MediaFormat: Sendable {
  /// The format's name in the ids of checks.
  var id: String
  var name: String
  /// In lower case, the usual one first.
  var mimeTypes: [String]
  /// Makes a file of a duration in seconds. The MIME type is a listed one with its parameters, such as the rate.
  private var make: @Sendable (Double, ProtocolInfo) -> (file: String, bytes: [UInt8], duration: Double)?

  /// - Returns: nil if the parameters of the type describe no sound that can be generated.
  func generate(seconds: Double, as type: ProtocolInfo) -> GeneratedMedia? {
    make(seconds, type).map { made in
      GeneratedMedia(name: made.file, bytes: made.bytes, mimeType: type.contentFormat, duration: made.duration)
    }
  }

  /// The entries of Sink that name this format, without duplicates.
  func listed(in sink: [ProtocolInfo]) -> [ProtocolInfo] {
    var seen: Set<String> = []
    return sink.filter { entry in
      entry.transport == "http-get" && mimeTypes.contains(entry.mimeType) && seen.insert(entry.contentFormat).inserted
    }
  }

  static let wav = MediaFormat(
    id: "wav", name: "WAV", mimeTypes: ["audio/wav", "audio/x-wav", "audio/wave", "audio/vnd.wave"]
  ) { seconds, _ in pcm("tone.wav", PCM(seconds: seconds)) { $0.wav } }

  static let flac = MediaFormat(id: "flac", name: "FLAC", mimeTypes: ["audio/flac", "audio/x-flac"]) { seconds, _ in
    pcm("tone.flac", PCM(seconds: seconds)) { FLAC.stream($0) }
  }

  static let aiff = MediaFormat(id: "aiff", name: "AIFF", mimeTypes: ["audio/aiff", "audio/x-aiff"]) { seconds, _ in
    pcm("tone.aiff", PCM(seconds: seconds)) { $0.aiff }
  }

  static let linear = MediaFormat(
    id: "linear", name: "linear PCM", mimeTypes: ["audio/l16", "audio/l24"]
  ) { seconds, type in
    // Without a rate, a receiver cannot know it (RFC 2586 §4).
    guard let rate = type.parameters["rate"].flatMap({ Int($0) }), (8000...192_000).contains(rate) else { return nil }
    let channels = type.parameters["channels"].flatMap { Int($0) } ?? 1
    guard (1...2).contains(channels) else { return nil }
    let bits = type.mimeType == "audio/l24" ? 24 : 16
    return pcm("tone.l\(bits)", PCM(seconds: seconds, rate: rate, bits: bits, channels: channels)) { $0.linear }
  }

  static let mp3 = MediaFormat(
    id: "mp3", name: "MP3", mimeTypes: ["audio/mpeg", "audio/mp3", "audio/x-mp3", "audio/x-mpeg"]
  ) { seconds, _ in frames("silence.mp3", seconds, MP3.rate, MP3.frameLength) { MP3.stream(frames: $0) } }

  static let aac = MediaFormat(
    id: "aac", name: "AAC in ADTS", mimeTypes: ["audio/aac", "audio/x-aac", "audio/aacp", "audio/vnd.dlna.adts"]
  ) { seconds, _ in frames("silence.aac", seconds, AAC.rate, AAC.frameLength) { AAC.adts(frames: $0) } }

  static let mp4 = MediaFormat(
    id: "mp4", name: "AAC in MP4", mimeTypes: ["audio/mp4", "audio/x-m4a", "audio/m4a"]
  ) { seconds, _ in frames("silence.m4a", seconds, AAC.rate, AAC.frameLength) { MP4.file(frames: $0) } }

  static let vorbis = MediaFormat(
    id: "vorbis", name: "Ogg Vorbis",
    mimeTypes: ["audio/ogg", "audio/x-ogg", "application/ogg", "audio/vorbis", "audio/x-vorbis+ogg"]
  ) { seconds, _ in frames("silence.ogg", seconds, Vorbis.rate, 1) { Vorbis.stream(frames: $0) } }

  static let opus = MediaFormat(
    id: "opus", name: "Opus in Ogg", mimeTypes: ["audio/opus", "audio/x-opus", "audio/x-opus+ogg"]
  ) { seconds, _ in frames("silence.opus", seconds, Opus.rate, 1) { Opus.stream(frames: $0) } }

  static let all = [wav, flac, mp3, aac, mp4, vorbis, opus, aiff, linear]

  private static func pcm(
    _ file: String, _ pcm: PCM, _ bytes: (PCM) -> [UInt8]
  ) -> (file: String, bytes: [UInt8], duration: Double) {
    (file, bytes(pcm), pcm.duration)
  }

  private static func frames(
    _ file: String, _ seconds: Double, _ rate: Int, _ frameLength: Int, _ bytes: (Int) -> [UInt8]
  ) -> (file: String, bytes: [UInt8], duration: Double) {
    let count = Int((seconds * Double(rate)).rounded()) / frameLength
    return (file, bytes(count), Double(count * frameLength) / Double(rate))
  }

  private init(
    id: String, name: String, mimeTypes: [String],
    make: @escaping @Sendable (Double, ProtocolInfo) -> (file: String, bytes: [UInt8], duration: Double)?
  ) {
    self.id = id
    self.name = name
    self.mimeTypes = mimeTypes
    self.make = make
  }
}

extension GeneratedMedia {
  /// WAV or FLAC, with the type as Sink lists it.
  static func lossless(_ pcm: PCM, as type: ProtocolInfo) -> GeneratedMedia {
    let isFLAC = MediaFormat.flac.mimeTypes.contains(type.mimeType)
    return GeneratedMedia(
      name: isFLAC ? "tone.flac" : "tone.wav", bytes: isFLAC ? FLAC.stream(pcm) : pcm.wav,
      mimeType: type.contentFormat, duration: pcm.duration)
  }
}

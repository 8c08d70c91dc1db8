/// Derives the block layout from the header of a file: AU, Wave64, CAF, WAV with ADPCM, AIFF-C with A-law or µ-law.
///
/// All formats except AU are lists of chunks; they differ in the chunk header.
package struct BlockLayoutReader {
  package enum Result: Equatable {
    case layout(BlockLayout)
    /// Another file format or coding, or a damaged header.
    case unsupported
  }

  private enum Kind {
    case au(isLittleEndian: Bool)
    case aiff, wav, caf, wave64
  }

  private enum Part: Equatable {
    case signature, header
    case chunk
    case format, frames
    /// The bytes before the samples within their chunk.
    case data(size: UInt64)
  }

  /// Maximum number of bytes to read of a chunk.
  private static let longest = 64

  private var kind: Kind?
  private var part = Part.signature
  /// The bytes that are read next.
  private(set) var wanted = 0..<12
  private var pending: [UInt8] = []
  private var next = 0
  private var layout: BlockLayout?
  private var declaredFrames: Int?
  package private(set) var result: Result?

  package init() {}

  /// Whether the first bytes are those of a supported file whose coding GStreamer's own parsers do not play exactly.
  package static func recognizes(_ head: [UInt8]) -> Bool {
    var reader = BlockLayoutReader()
    head.withUnsafeBytes { reader.read($0, at: 0) }
    guard let layout = reader.layout else { return false }
    // GStreamer's parser plays all other WAV files.
    if case .wav = reader.kind { return layout.framesPerBlock > 1 }
    return true
  }

  /// Reads bytes as they arrive, until there is a result.
  /// - Parameter position: offset of the bytes in the stream.
  package mutating func read(_ bytes: UnsafeRawBufferPointer, at position: Int) {
    while result == nil {
      let index = wanted.lowerBound + pending.count - position
      guard bytes.indices.contains(index) else { return }
      pending += bytes[index..<min(bytes.count, index + wanted.count - pending.count)]
      guard pending.count == wanted.count else { return }
      let (complete, end) = (pending, wanted.upperBound)
      pending = []
      step(complete)
      // The bytes that identified the format may be part of the next item.
      if wanted.lowerBound < end { pending = Array(complete.suffix(end - wanted.lowerBound).prefix(wanted.count)) }
    }
  }

  private mutating func step(_ bytes: [UInt8]) {
    switch part {
    case .signature: readSignature(bytes)
    case .header:
      layout = BlockLayout(sun: numbers(bytes))
      result = layout.map { .layout($0) } ?? .unsupported
    case .chunk: readChunk(bytes)
    case .format:
      switch kind {
      case .aiff: layout = BlockLayout(companded: numbers(bytes))
      case .caf: layout = BlockLayout(coreAudio: numbers(bytes))
      default: layout = BlockLayout(waveFormat: numbers(bytes))
      }
      if layout == nil { result = .unsupported } else { want(.chunk, at: next) }
    case .frames:
      declaredFrames = numbers(bytes)[0, bytes.count]
      want(.chunk, at: next)
    case .data(let size): readDataHeader(bytes, size: size)
    }
  }

  private mutating func readSignature(_ bytes: [UInt8]) {
    let formType = String(decoding: bytes[8..<12], as: UTF8.self)
    switch String(decoding: bytes[..<4], as: UTF8.self) {
    case ".snd": kind = .au(isLittleEndian: false)
    case "dns.": kind = .au(isLittleEndian: true)
    case "FORM" where formType == "AIFC": kind = .aiff
    case "RIFF" where formType == "WAVE": kind = .wav
    case "caff" where bytes[4] == 0 && bytes[5] == 1: kind = .caf
    case "riff" where bytes[4] == 0x2E && bytes[5] == 0x91: kind = .wave64
    default: break
    }
    switch kind {
    case .au: want(.header, at: 4)
    case .aiff, .wav: want(.chunk, at: 12)
    case .caf: want(.chunk, at: 8)
    case .wave64: want(.chunk, at: 40)
    case nil: result = .unsupported
    }
  }

  private mutating func readChunk(_ bytes: [UInt8]) {
    let start = wanted.lowerBound
    guard var size = numbers(bytes).number(at: identifierSize, bytes.count - identifierSize) else { return }
    let body = start + bytes.count
    let type = String(decoding: bytes[..<4], as: UTF8.self).lowercased()
    if case .wave64 = kind {
      // The size includes the chunk header. A smaller one is unknown.
      guard size >= UInt64(bytes.count) || type == "data" else {
        result = .unsupported
        return
      }
      size -= min(size, UInt64(bytes.count))
    }
    if type == "data" || type == "ssnd" {
      guard layout != nil else {
        result = .unsupported
        return
      }
      let count = dataHeaderSize
      part = .data(size: size)
      wanted = body..<body + count
      if count == 0 { readDataHeader([], size: size) }
      return
    }
    let padding = (alignment - size % alignment) % alignment
    guard let length = Int(exactly: size), length < 1 << 50 else {
      result = .unsupported
      return
    }
    next = body + length + Int(padding)
    let count = min(length, Self.longest)
    switch type {
    case "fmt ", "desc", "comm":
      guard count >= 16, layout == nil else {
        result = .unsupported
        return
      }
      part = .format
    case "fact" where count >= 4:
      part = .frames
      wanted = body..<body + (isWave64 && count >= 8 ? 8 : 4)
      return
    default: return want(.chunk, at: next)
    }
    wanted = body..<body + count
  }

  /// Reads the bytes between the chunk header and the samples.
  private mutating func readDataHeader(_ bytes: [UInt8], size: UInt64) {
    guard var found = layout else {
      result = .unsupported
      return
    }
    found.start = wanted.lowerBound + bytes.count
    // AIFF may start the samples at an offset, to align them with disk blocks.
    if case .aiff = kind { found.start += numbers(bytes)[0, 4] ?? 0 }
    let before = found.start - wanted.lowerBound
    // CAF declares −1 if the samples extend to the end.
    if let length = Int(exactly: size), length > before, !UnknownSize.contains(length) {
      found.length = length - before
    }
    if let declaredFrames, declaredFrames > 0, !UnknownSize.contains(declaredFrames), found.framesPerBlock > 1 {
      found.declaredFrames = declaredFrames
    }
    layout = found
    result = .layout(found)
  }

  // MARK: Differences between the formats

  private mutating func want(_ part: Part, at offset: Int) {
    self.part = part
    let count: Int
    switch (part, kind) {
    case (.header, _): count = 20
    case (_, .wave64): count = 24
    case (_, .caf): count = 12
    default: count = 8
    }
    wanted = offset..<offset + count
  }

  private func numbers(_ bytes: [UInt8]) -> HeaderBytes {
    switch kind {
    case .au(let isLittleEndian): HeaderBytes(bytes[...], isLittleEndian: isLittleEndian)
    case .wav, .wave64: HeaderBytes(bytes[...], isLittleEndian: true)
    default: HeaderBytes(bytes[...], isLittleEndian: false)
    }
  }

  private var isWave64: Bool { if case .wave64 = kind { true } else { false } }
  private var identifierSize: Int { isWave64 ? 16 : 4 }

  private var alignment: UInt64 {
    switch kind {
    case .wave64: 8
    case .caf: 1
    default: 2
    }
  }

  private var dataHeaderSize: Int {
    switch kind {
    case .aiff: 8
    case .caf: 4
    default: 0
    }
  }
}

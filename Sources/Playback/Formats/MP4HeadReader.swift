/// Reads the encoder delay and padding that an MP4 file declares, in iTunes' comment, else in the sound track's edit
/// list; and the duration of fragmented files.
///
/// Hides three things from GStreamer's demuxer:
/// - Edit lists, by renaming the box: the demuxer cuts one sample too few at their beginning.
/// - iTunes' comment, by renaming it: the demuxer of GStreamer 1.26 cuts the declared delay, which would be cut twice.
/// - The movie duration, by setting it to 0, “unknown”: the demuxer ends the sound there even if the sound track is
///   longer. Edit lists shorten that duration by the parts that they leave out.
///
/// Workaround: qtdemux turns edit lists into segments in nanoseconds, which are a sample or up to two blocks off.
/// - Upstream: qtdemux_parse_segments and gst_qtdemux_clip_buffer in gst/isomp4/qtdemux.c; no issue known.
/// - Test: EncoderGapTests.twoHalvesJoinIntoOneSound.
///
/// Source: ISO/IEC 14496-12 sections 4.2 (boxes) and 8 (their contents).
struct MP4HeadReader: HeadReading {
  private static let headerSize = 8
  /// Larger boxes of the types in `bodies` are skipped: they contain something else, such as pictures.
  private static let largestBody = 4096
  /// A fragment index has 12 bytes per fragment.
  private static let largestIndex = 1 << 18
  private static let maximumBoxes = 100_000
  private static let containers: Set<String> = ["moov", "trak", "mdia", "edts", "mvex", "udta", "ilst", "----"]
  private static let bodies: Set<String> = ["mdhd", "hdlr", "elst", "mehd", "name", "data"]
  /// Larger edit start times are invalid: a value with all bits set means silence.
  private static let latest = (short: 1 << 31, long: 1 << 47)

  private struct Media {
    var isSound = false
    var timescale = 0
    var duration = 0
    var edit: (start: Int, duration: Int)?
    var edits = 0
  }

  private(set) var facts = HeadFacts()
  /// Total duration of all fragments.
  private var fragments: Duration?
  /// The type of the box whose body is read next; nil if a box header is next.
  private var box: String?
  private var end = Int.max
  private var boxes = 0
  private var movie = (timescale: 0, duration: 0)
  /// Number of remaining bytes of the movie duration to hide.
  private var bytesToHide = 0
  private var movieHeaderEnd = 0
  private var media: [Media] = []
  /// Whether the next data box belongs to iTunes' comment.
  private var isGapComment = false
  private var comment: ITunesGap?

  let firstSize = headerSize

  static func recognizes(_ head: [UInt8]) -> Bool {
    ["ftyp", "moov", "mdat", "free", "skip", "wide"].contains { head[4..<8].elementsEqual($0.utf8) }
  }

  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    if bytesToHide > 0 {
      bytesToHide -= 1
      movie.duration = movie.duration << 8 & .max | Int(bytes[0])
      let next = bytesToHide > 0 ? HeadStep.read(1, at: offset + 1) : .read(Self.headerSize, at: movieHeaderEnd)
      return .change(at: offset, to: 0, then: next)
    }
    if box == "mvhd" { return readMovieHeader(bytes, at: offset) }
    if let box {
      self.box = nil
      if box == "sidx" { return readIndex(bytes) }
      // QuickTime's `meta` has no version and flags: these four bytes are the size of the first box inside it.
      if box == "meta", bytes != [0, 0, 0, 0] { return next(at: offset) }
      read(box, bytes)
      let end = offset + bytes.count
      return box == "name" && isGapComment
        ? .change(at: end - 1, to: UInt8(ascii: "x"), then: next(at: end)) : next(at: end)
    }
    let type = String(decoding: bytes[4..<8], as: UTF8.self)
    var size = Self.number(bytes, 0, 4)
    if size == 1 {
      // The size does not fit in four bytes: eight bytes follow.
      guard bytes.count == 16 else { return .read(16, at: offset) }
      size = Self.number(bytes, 8, 8)
    }
    boxes += 1
    if offset >= end { return readAfterMovie(type, size: size, header: bytes.count, at: offset) }
    // A size of 0 means the rest of the file.
    guard size >= bytes.count, size < 1 << 48, boxes < Self.maximumBoxes else { return next(at: end) }
    if type == "moov" { end = offset + size }
    if type == "mvex" { facts.isFragmented = true }
    if type == "mvhd", size >= 32 + bytes.count {
      box = type
      movieHeaderEnd = offset + size
      return .read(16, at: offset + bytes.count)
    }
    if type == "trak" { media.append(Media()) }
    if type == "----" { isGapComment = false }
    if type == "edts", bytes.count == Self.headerSize {
      let body = offset + bytes.count
      return .change(at: body - 1, to: UInt8(ascii: "x"), then: .read(Self.headerSize, at: body))
    }
    if Self.containers.contains(type) { return next(at: offset + bytes.count) }
    if type == "meta" {
      box = type
      return .read(4, at: offset + bytes.count)
    }
    if Self.bodies.contains(type), size > bytes.count, size <= Self.largestBody {
      box = type
      return .read(size - bytes.count, at: offset + bytes.count)
    }
    return next(at: offset + size)
  }

  private mutating func next(at offset: Int) -> HeadStep {
    if offset < end { return .read(Self.headerSize, at: offset) }
    facts.gap = declaredGap
    facts.duration = declaredDuration
    return facts.isFragmented && facts.duration == nil ? .read(Self.headerSize, at: offset) : .done
  }

  /// A fragment index may be between the movie box and the first fragment.
  private mutating func readAfterMovie(_ type: String, size: Int, header: Int, at offset: Int) -> HeadStep {
    guard size > header, size < 1 << 48, boxes < Self.maximumBoxes else { return .done }
    switch type {
    case "sidx" where size <= Self.largestIndex:
      box = type
      return .read(size - header, at: offset + header)
    case "styp", "emsg", "prft", "free", "skip", "uuid": return .read(Self.headerSize, at: offset + size)
    default: return .done
    }
  }

  /// Adds up the durations of the fragments. An index of a single fragment covers only that one; the next fragment has
  /// its own.
  private mutating func readIndex(_ bytes: [UInt8]) -> HeadStep {
    let list = bytes[0] == 1 ? 28 : 20
    let count = Self.number(bytes, list + 2, 2)
    guard count > 1, list + 4 + 12 * count <= bytes.count else { return .done }
    let units = (0..<count).reduce(0) { $0 + Self.number(bytes, list + 8 + 12 * $1, 4) }
    fragments = Self.duration(units, Self.number(bytes, 8, 4))
    facts.gap = declaredGap
    facts.duration = declaredDuration
    return .done
  }

  private mutating func readMovieHeader(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    let isLong = bytes[0] == 1
    if isLong, bytes.count < 24 { return .read(24, at: offset) }
    movie.timescale = Self.number(bytes, isLong ? 20 : 12, 4)
    bytesToHide = isLong ? 8 : 4
    box = nil
    return .read(1, at: offset + bytes.count)
  }

  private mutating func read(_ box: String, _ bytes: [UInt8]) {
    let isLong = bytes[0] == 1
    switch box {
    case "hdlr":
      guard bytes.count >= 12, !media.isEmpty else { return }
      // Other handlers in the same track have other purposes.
      if bytes[8..<12].elementsEqual("soun".utf8) { media[media.count - 1].isSound = true }
    case "mdhd":
      guard !media.isEmpty else { return }
      media[media.count - 1].timescale = Self.number(bytes, isLong ? 20 : 12, 4)
      media[media.count - 1].duration = Self.number(bytes, isLong ? 24 : 16, isLong ? 8 : 4)
    case "elst":
      guard !media.isEmpty else { return }
      readEdits(bytes, isLong: isLong)
    case "mehd": fragments = Self.duration(Self.number(bytes, 4, isLong ? 8 : 4), movie.timescale)
    case "name": isGapComment = bytes.dropFirst(4).elementsEqual(ITunesGap.name)
    case "data":
      if isGapComment { comment = ITunesGap(String(decoding: bytes.dropFirst(8), as: UTF8.self)) }
    default: break
    }
  }

  private mutating func readEdits(_ bytes: [UInt8], isLong: Bool) {
    let width = isLong ? 8 : 4
    for entry in 0..<min(Self.number(bytes, 4, 4), 16) {
      let offset = 8 + entry * (2 * width + 4)
      guard offset + 2 * width <= bytes.count else { return }
      let start = Self.number(bytes, offset + width, width)
      guard start < (isLong ? Self.latest.long : Self.latest.short) else { continue }
      media[media.count - 1].edits += 1
      media[media.count - 1].edit = (start, Self.number(bytes, offset, width))
    }
  }

  private var sound: Media? { media.first(where: \.isSound) }

  private var declaredDuration: Duration? {
    if let duration = facts.gap?.duration { return duration }
    if facts.isFragmented {
      return fragments.map { max(.zero, $0 - (facts.gap?.start ?? .zero)) }.flatMap { $0 > .zero ? $0 : nil }
    }
    if let sound, sound.duration > 0 { return Self.duration(sound.duration, sound.timescale) }
    return movie.duration > 0 ? Self.duration(movie.duration, movie.timescale) : nil
  }

  private static func duration(_ units: Int, _ timescale: Int) -> Duration? {
    guard timescale > 0, units / timescale < 366 * 86_400 else { return nil }
    return .seconds(units / timescale) + .seconds(units % timescale) / timescale
  }

  private var declaredGap: EncoderGap? {
    // The limit of 1,000,000 samples per second prevents overflow in multiplications.
    guard let sound, (1...1_000_000).contains(sound.timescale) else { return nil }
    if let comment { return EncoderGap(delay: comment.delay, length: comment.length, rate: sound.timescale) }
    guard let edit = sound.edit, sound.edits == 1 else { return nil }
    let rest = sound.duration > edit.start ? sound.duration - edit.start : nil
    guard let rest, edit.duration > 0, movie.timescale > 0, edit.duration < 1 << 32 else {
      return EncoderGap(delay: edit.start, length: rest, rate: sound.timescale)
    }
    // The edit's duration is in the movie's timescale, which may be as coarse as milliseconds. If the medium ends
    // within that precision, use the medium's end, which is exact.
    let length = edit.duration * sound.timescale / movie.timescale
    let isSame = length >= rest || rest - length <= sound.timescale / movie.timescale + 1
    return EncoderGap(delay: edit.start, length: isSame ? rest : length, rate: sound.timescale)
  }

  /// The big-endian number at an offset; 0 beyond the end.
  private static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    guard offset + count <= bytes.count else { return 0 }
    return bytes[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) } & .max
  }
}

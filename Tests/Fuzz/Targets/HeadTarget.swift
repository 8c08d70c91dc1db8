@testable import PlaybackFormats

/// The first bytes of a media file.
enum HeadTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    for isEndless in [false, true] { test(input, HeadSource(isEndless: isEndless)) }
  }

  private static func test(_ input: UnsafeRawBufferPointer, _ source: HeadSource) {
    let whole = read(input, source, pieces: max(input.count, 1))
    check(whole.changed.count == input.count, "\(whole.changed.count) bytes of \(input.count)")
    let cut = read(input, source, pieces: 1 + Int(input.reduce(UInt8(0)) { $0 &+ $1 }) % 61)
    check(whole.changed == cut.changed, "other changes in pieces")
    check(whole.gap == cut.gap && whole.duration == cut.duration, "\(whole) in one piece, \(cut) in several")
    check(whole.flac == cut.flac, "\(whole) in one piece, \(cut) in several")
    for (place, next) in zip(whole.flac?.places ?? [], whole.flac?.places.dropFirst() ?? []) {
      check(place.sample < next.sample && place.offset < next.offset, "\(place), \(next)")
    }
    if let duration = whole.duration { check(duration >= .zero, "\(duration)") }
    guard let gap = whole.gap else { return }
    check(gap.start >= .zero && gap.start <= .seconds(1), "\(gap)")
    if let duration = gap.duration { check(duration >= .zero, "\(gap)") }
    for rate in [8_000, 44_100, 768_000] {
      check(gap.delay(at: rate) >= 0 && gap.sound(at: rate, from: 100).lowerBound >= 0, "\(gap) at \(rate)")
    }
  }

  private static func read(
    _ input: UnsafeRawBufferPointer, _ source: HeadSource, pieces: Int
  ) -> (changed: [UInt8], gap: EncoderGap?, duration: Duration?, flac: FLACLayout?) {
    var reader = HeadReader()
    reader.source = source
    var changed = Array(input)
    for start in stride(from: 0, to: input.count, by: pieces) {
      let piece = UnsafeRawBufferPointer(rebasing: input[start..<min(start + pieces, input.count)])
      for change in reader.read(piece, at: start) {
        check(piece.indices.contains(change.index), "changes \(change.index) of \(piece.count)")
        changed[start + change.index] = change.value
      }
    }
    return (changed, reader.facts.gap, reader.facts.duration, reader.facts.flac)
  }
}

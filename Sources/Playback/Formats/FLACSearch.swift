/// Searches a FLAC file for a sample by reading small parts of it. Each frame header has the number of its first
/// sample.
///
/// Workaround: without a seek table, flacparse reads everything before the target of an exact seek. The frame found
/// here is added to its index.
/// - Upstream: gst_base_parse_handle_seek in libs/gst/base/gstbaseparse.c; no issue known.
/// - Test: FLACSeekTests.aSeekIsExactAndReadsLittle.
package struct FLACSearch: Equatable {
  /// Maximum distance, in bytes of decoded sound, between the frame found and the target sample.
  static let nearBytes = 1 << 20
  private static let maximumTries = 12
  /// After this many tries by bit rate, every other guess is the middle: guesses by bit rate approach the target from
  /// one side only.
  private static let triesByRate = 3
  private static let largestPart = 256 << 10

  private let layout: FLACLayout
  private let target: Int
  private let near: Int
  /// The last known frame at or before the target. `after` is the first known frame after the target, or the end of the
  /// file.
  package private(set) var before: FLACPlace
  private var after: FLACPlace
  /// All frames found so far, in order.
  package private(set) var places: [FLACPlace]
  private var tries = 0

  /// - Parameters:
  ///   - layout: the header of the file.
  ///   - places: the known frames of the file, in order.
  ///   - end: number of samples and bytes in the file.
  ///   - target: the sample to search for.
  package init?(_ layout: FLACLayout, places: [FLACPlace], end: FLACPlace, for target: Int) {
    guard let before = places.last(where: { $0.sample <= target }), end.sample > target else { return nil }
    self.layout = layout
    self.target = target
    self.before = before
    self.places = places
    after = places.first { $0.sample > target } ?? end
    near = max(2 * layout.blockSize, Self.nearBytes / max(1, layout.bytesPerSample))
  }

  /// The bytes to read next; nil if `before` is near enough, or if no nearer frame can be found.
  package var wanted: Range<Int>? {
    let part = partSize
    guard target - before.sample > near, tries < Self.maximumTries, after.offset - before.offset > part else {
      return nil
    }
    let bytes = Double(after.offset - before.offset)
    let share = Double(target - near / 2 - before.sample) / Double(after.sample - before.sample)
    let isHalved = tries >= Self.triesByRate && tries % 2 == 1
    let guess = before.offset + Int(bytes * (isHalved ? 0.5 : share))
    let start = max(before.offset + 1, min(guess, after.offset - part))
    return start..<start + part
  }

  /// Size of a part that is certain to contain the beginning of a frame.
  private var partSize: Int {
    let frame = layout.largestFrame > 0 ? layout.largestFrame : layout.blockSize * layout.bytesPerSample + 64
    return min(frame + FLACFrame.longestHeader, Self.largestPart)
  }

  /// - Parameter bytes: the bytes read from `wanted`; empty if they cannot be read.
  package mutating func take(_ bytes: [UInt8]) {
    guard let wanted else { return }
    tries = bytes.isEmpty ? Self.maximumTries : tries + 1
    guard
      let found = FLACFrame.first(
        in: bytes, at: wanted.lowerBound, of: layout, among: before.sample + 1..<max(after.sample, before.sample + 1)),
      found.offset < after.offset
    else {
      // The part has no frame, or only frames that are known already.
      after.offset = wanted.lowerBound
      return
    }
    if found.sample <= target { before = found } else { after = found }
    places.insert(found, at: places.firstIndex { $0.sample > found.sample } ?? places.count)
  }
}

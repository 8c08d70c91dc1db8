/// Finds a sample in a FLAC file by reading small parts of it: each frame says which sample it begins with.
///
/// Workaround: without a seek table, flacparse reads everything before the place of an exact seek. What is found here is
/// added to its index.
/// - Affected: GStreamer 1.22.
/// - Upstream: gst_base_parse_handle_seek in libs/gst/base/gstbaseparse.c; no issue known.
/// - Test: FLACSeekTests.aSeekIsExactAndReadsLittle.
/// - GStreamer 1.26: not checked.
package struct FLACSearch: Equatable {
  /// So many bytes of sound may lie between the place that is found and the sample.
  static let nearBytes = 1 << 20
  private static let mostTries = 12
  /// From then on every other guess is the middle: by the bit rate one comes near from one side only.
  private static let triesByRate = 3
  private static let largestPart = 256 << 10

  private let layout: FLACLayout
  private let target: Int
  private let near: Int
  /// The last frame that is known to begin before the target, and the first one after it, or the end.
  package private(set) var before: FLACPlace
  private var after: FLACPlace
  /// All that have been found so far, in their order.
  package private(set) var places: [FLACPlace]
  private var tries = 0

  /// - Parameters:
  ///   - layout: what the file says of itself.
  ///   - places: what is known of the file, in its order.
  ///   - end: how many samples and bytes there are.
  ///   - target: the sample that is looked for.
  package init?(_ layout: FLACLayout, places: [FLACPlace], end: FLACPlace, for target: Int) {
    guard let before = places.last(where: { $0.sample <= target }), end.sample > target else { return nil }
    self.layout = layout
    self.target = target
    self.before = before
    self.places = places
    after = places.first { $0.sample > target } ?? end
    near = max(2 * layout.blockSize, Self.nearBytes / max(1, layout.bytesPerSample))
  }

  /// Which bytes are wanted next; nil when `before` is near enough, or no nearer one is to be found.
  package var wanted: Range<Int>? {
    let part = partSize
    guard target - before.sample > near, tries < Self.mostTries, after.offset - before.offset > part else { return nil }
    let bytes = Double(after.offset - before.offset)
    let share = Double(target - near / 2 - before.sample) / Double(after.sample - before.sample)
    let isHalved = tries >= Self.triesByRate && tries % 2 == 1
    let guess = before.offset + Int(bytes * (isHalved ? 0.5 : share))
    let start = max(before.offset + 1, min(guess, after.offset - part))
    return start..<start + part
  }

  /// As much as must hold the beginning of a frame.
  private var partSize: Int {
    let frame = layout.largestFrame > 0 ? layout.largestFrame : layout.blockSize * layout.bytesPerSample + 64
    return min(frame + FLACFrame.longestHeader, Self.largestPart)
  }

  /// - Parameter bytes: what came of those that were wanted; none if they cannot be had.
  package mutating func take(_ bytes: [UInt8]) {
    guard let wanted else { return }
    tries = bytes.isEmpty ? Self.mostTries : tries + 1
    guard
      let found = FLACFrame.first(
        in: bytes, at: wanted.lowerBound, of: layout, among: before.sample + 1..<max(after.sample, before.sample + 1)),
      found.offset < after.offset
    else {
      // No sound, or no frame that is not known already.
      after.offset = wanted.lowerBound
      return
    }
    if found.sample <= target { before = found } else { after = found }
    places.insert(found, at: places.firstIndex { $0.sample > found.sample } ?? places.count)
  }
}

import PlaybackTestKit
import Testing

@testable import PlaybackFormats
@testable import PlaybackModel

/// Searches synthetic files. Each frame is a valid header, padded to a realistic frame size.
@Suite struct FLACSearchTests {
  static let layout = FLACLayout(
    blockSize: 4096, rate: 44_100, channels: 2, depth: 16, samples: 4096 * 5_000, largestFrame: 16_000,
    places: [FLACPlace(sample: 0, offset: 8_000)])

  struct File {
    var bytes: [UInt8]
    var places: [FLACPlace] = []

    /// - Parameter size: returns the size of a frame in bytes by its number.
    init(frames: Int, size: (Int) -> Int) {
      var generator = SplitMix(state: 1)
      bytes = (0..<8_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
      for frame in 0..<frames {
        places.append(FLACPlace(sample: frame * 4096, offset: bytes.count))
        let header = FLACSearchTests.header(number: frame)
        bytes += header
        // Padding that contains false sync codes.
        for index in header.count..<size(frame) {
          switch index % 97 {
          case 0: bytes.append(0xFF)
          case 1: bytes.append(0xF8)
          default: bytes.append(UInt8(index & 0x7F))
          }
        }
      }
    }
  }

  /// The header of a frame of 4096 samples: 16 bits, two channels, 44.1 kHz.
  static func header(number: Int) -> [UInt8] {
    var rest: [UInt8] = []
    var number = number
    var coded = [UInt8(truncatingIfNeeded: number)]
    if number >= 0x80 {
      while number >= 1 << (6 - rest.count) {
        rest.insert(0x80 | UInt8(number & 0x3F), at: 0)
        number >>= 6
      }
      coded = [UInt8(truncatingIfNeeded: ~(0x7F >> rest.count) | number)] + rest
    }
    let header = [0xFF, 0xF8, 0xC9, 0x18] + coded
    return header + [FLACFrame.crc8(header)]
  }

  /// - Returns: the frame found, the number of parts read, and their size in bytes.
  static func search(
    _ file: File, for target: Int, places: [FLACPlace] = layout.places, layout: FLACLayout = layout
  ) throws -> (place: FLACPlace, parts: Int, bytes: Int) {
    var layout = layout
    layout.samples = file.places.count * 4096
    let end = FLACPlace(sample: layout.samples, offset: file.bytes.count)
    var search = try #require(FLACSearch(layout, places: places, end: end, for: target))
    var (parts, bytes) = (0, 0)
    while let wanted = search.wanted, parts < 100 {
      search.take(Array(file.bytes[wanted]))
      parts += 1
      bytes += wanted.count
    }
    return (search.before, parts, bytes)
  }

  @Test func aFrameIsFoundJustBeforeThePlace() throws {
    // Small frames, large ones, small ones again, then a mixture.
    let file = File(frames: 5_000) { frame in
      switch frame {
      case ..<1_500: 700 + frame % 13
      case ..<2_500: 12_000 + frame % 501
      case ..<3_500: 900
      default: 500 + frame * 7919 % 12_000
      }
    }
    var all: [Int] = []
    for target in stride(from: 0, to: file.places.count * 4096, by: 251_003) {
      let (place, parts, bytes) = try Self.search(file, for: target)
      all.append(parts)
      #expect(file.places.contains(place), "\(target)")
      #expect(place.sample <= target && (target - place.sample) * 4 <= FLACSearch.nearBytes, "\(target): \(place)")
      #expect(bytes <= 200_000, "\(target): \(parts) parts")
    }
    #expect(all.reduce(0, +) <= 5 * all.count, "\(all)")
  }

  @Test func knownPlacesAreNotReadAgain() throws {
    let file = File(frames: 2_000) { 9_000 + $0 % 300 }
    let target = 1_500 * 4096
    let known = [file.places[0], file.places[1_490], file.places[1_700]]
    let (place, parts, _) = try Self.search(file, for: target, places: known)
    #expect(place == known[1])
    #expect(parts == 0)
  }

  /// Reading a file of a few hundred kilobytes takes less time than searching it.
  @Test func aNearTargetIsNotSearched() throws {
    let file = File(frames: 60) { _ in 9_000 }
    #expect(try Self.search(file, for: 59 * 4096).parts == 0)
  }

  @Test func theSearchSkipsDataAfterTheLastFrame() throws {
    var file = File(frames: 2_000) { _ in 9_000 }
    // Tags and pictures after the last frame.
    file.bytes += [UInt8](repeating: 0, count: 30_000_000)
    let target = 1_900 * 4096
    let (place, parts, _) = try Self.search(file, for: target)
    #expect(file.places.contains(place) && target - place.sample < FLACSearch.nearBytes / 4 + 4096, "\(place)")
    #expect(parts <= 12)
  }

  @Test func anEmptyReadEndsTheSearch() throws {
    var search = try #require(
      FLACSearch(
        Self.layout, places: Self.layout.places, end: FLACPlace(sample: 4096 * 5_000, offset: 50_000_000),
        for: 4096 * 3_000))
    #expect(search.wanted != nil)
    search.take([])
    #expect(search.wanted == nil)
    #expect(search.before == Self.layout.places[0])
  }

  /// Regression: a frame may declare sample 2³⁶ and a file 1 Hz, and the time in nanoseconds overflowed.
  @Test(arguments: [
    (0, 44_100, 0), (44_099, 44_100, 999_977_324), (44_100, 44_100, 1_000_000_000),
    (1 << 36 - 1, 655_350, 104_859_200_022_888),
    (1 << 36 - 1, 1, nil), (1, 0, nil),
  ])
  func aSampleHasATimeUnlessTheRateIsInvalid(sample: Int, rate: Int, nanoseconds: Int?) {
    var layout = Self.layout
    layout.rate = rate
    #expect(layout.nanoseconds(ofSample: sample) == nanoseconds)
  }

  @Test func noFrameIsFoundInNoise() {
    var generator = SplitMix(state: 9)
    let bytes = (0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
    #expect(FLACFrame.first(in: bytes, at: 0, of: Self.layout, among: 0..<Self.layout.samples) == nil)
  }

  @Test func framesThatDoNotMatchTheStreamAreIgnored() {
    let frame = Self.header(number: 70_000) + [UInt8](repeating: 1, count: 16)
    var layout = Self.layout
    let all = 0..<1 << 36
    #expect(
      FLACFrame.first(in: [0xFF] + frame, at: 10, of: layout, among: all)
        == FLACPlace(sample: 70_000 * 4096, offset: 11))
    #expect(FLACFrame.first(in: frame, at: 0, of: layout, among: 0..<4096) == nil)
    for index in frame.indices.prefix(frame.count - 16) {
      var wrong = frame
      wrong[index] ^= 4
      #expect(FLACFrame.first(in: wrong, at: 0, of: layout, among: all) == nil, "byte \(index)")
    }
    layout.depth = 24
    #expect(FLACFrame.first(in: frame, at: 0, of: layout, among: all) == nil)
  }
}

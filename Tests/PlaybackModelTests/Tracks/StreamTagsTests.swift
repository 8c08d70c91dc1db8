import Testing

@testable import PlaybackModel

@Suite struct StreamTagsTests {
  @Test func laterTagsAreMerged() {
    var tags = StreamTags(codec: "FLAC", bitRate: 1000)
    tags.add(StreamTags(nominalBitRate: 900, texts: TrackTags(title: "One", artist: "Ana")))
    tags.add(StreamTags(texts: TrackTags(title: "Two", album: "Leaves")))
    #expect(
      tags
        == StreamTags(
          codec: "FLAC", bitRate: 1000, nominalBitRate: 900,
          texts: TrackTags(title: "Two", artist: "Ana", album: "Leaves")))
  }

  @Test func aFurtherLinkReplacesTheTexts() {
    var tags = StreamTags(codec: "FLAC", texts: TrackTags(title: "One", artist: "Ana"))
    tags.add(StreamTags(texts: TrackTags(title: "Two"), linksBefore: 1))
    #expect(tags == StreamTags(codec: "FLAC", texts: TrackTags(title: "Two"), linksBefore: 1))
    tags.add(StreamTags(codec: "FLAC", linksBefore: 1))
    #expect(tags == StreamTags(codec: "FLAC", linksBefore: 2))
  }

  @Test func aMeasuredBitRateIsDampedToo() {
    var tags = StreamTags(bitRate: 1)
    let reported = [500_000, 540_000, 560_000].map { rate in
      tags.add(StreamTags(measuredBitRate: rate))
      return tags.measuredBitRate
    }
    #expect(reported == [500_000, 500_000, 560_000])
    #expect(tags.bitRate == 1)
  }

  /// Some decoders report a new bit rate every second.
  @Test func smallChangesOfTheBitRateAreIgnored() {
    var tags = StreamTags()
    let reported = [1_298_353, 1_261_260, 1_245_911, 1_180_000, 1_167_000, 1_290_000, 320_000].map { rate in
      tags.add(StreamTags(bitRate: rate))
      return tags.bitRate
    }
    #expect(reported == [1_298_353, 1_298_353, 1_298_353, 1_298_353, 1_167_000, 1_290_000, 320_000])
  }
}

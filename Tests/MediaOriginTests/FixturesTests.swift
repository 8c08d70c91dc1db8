import Glibc
import MediaOrigin
import TestFixtures
import Testing

@Suite struct FixturesTests {
  @Test func everyFixtureExistsWithItsFormat() throws {
    let all = try Fixtures.all()
    #expect(all.count > 20)
    for fixture in all {
      // A segment list is small.
      let least = fixture.name.hasSuffix(".m3u8") ? 50 : 1000
      #expect(try bytes(of: fixture.path).count > least, "\(fixture.name)")
    }
    let fixture = try Fixtures.named("noise10-96000-24-2-3s.flac")
    #expect(fixture.rate == 96_000)
    #expect(fixture.bits == 24)
    #expect(fixture.channels == 2)
    #expect(fixture.duration == .seconds(3))
  }

  @Test(arguments: ["noise1-44100-16-2-3s.wav", "noise8-44100-24-2-3s.wav"])
  func samplesMatchFile(name: String) throws {
    let fixture = try Fixtures.named(name)
    let samples = try fixture.samples()
    #expect(samples.count == fixture.frames * fixture.channels)
    // The WAV fixtures have a header of 44 bytes.
    let file = try bytes(of: fixture.path)
    #expect(try fixture.pcm(fixture.bits == 16 ? .s16LE : .s24LE) == Array(file.dropFirst(44)))
  }

  @Test func layoutsAgree() throws {
    let fixture = try Fixtures.named("noise9-48000-24-1-3s.flac")
    let sample = try #require(try fixture.samples().first { $0 < 0 })
    let index = try #require(try fixture.samples().firstIndex(of: sample))
    let wide = UInt32(bitPattern: sample)
    let byte = { (shift: UInt32) in UInt8(truncatingIfNeeded: wide >> shift) }
    #expect(try fixture.pcm(.s32LE)[(index * 4)..<(index * 4 + 4)] == [0, byte(8), byte(16), byte(24)])
    #expect(try fixture.pcm(.s24In32LE)[(index * 4)..<(index * 4 + 4)] == [byte(8), byte(16), byte(24), 0xFF])
    #expect(try fixture.pcm(.s24LE)[(index * 3)..<(index * 3 + 3)] == [byte(8), byte(16), byte(24)])
    #expect(try fixture.pcm(.s16LE)[(index * 2)..<(index * 2 + 2)] == [byte(16), byte(24)])
  }

  @Test func lossyFilesHaveNoSamples() throws {
    let fixture = try Fixtures.named("cbr.mp3")
    #expect(throws: Fixtures.Failure.missing("cbr.mp3")) { try fixture.samples() }
    #expect(throws: Fixtures.Failure.missing("none.flac")) { try Fixtures.named("none.flac") }
  }

  private func bytes(of path: String) throws -> [UInt8] {
    let file = try #require(fopen(path, "rb"))
    defer { fclose(file) }
    fseek(file, 0, SEEK_END)
    return [UInt8](unsafeUninitializedCapacity: ftell(file)) { buffer, count in
      rewind(file)
      count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
  }
}

import Glibc
import MediaOrigin
import PlaybackTestKit
import PlayerTestKit
import Testing

/// Tones on a device that runs at another rate.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ResamplingTests {
  @Test(arguments: [(44_100, 48_000), (48_000, 44_100), (88_200, 48_000)], [1_000.0, 15_000, 19_900])
  func tonesKeepTheirLevelUpToTwentyKilohertz(_ rates: (from: Int, to: Int), hertz: Double) async throws {
    let amplitude = 0.5
    let server = try await MediaServer.start()
    defer { server.close() }
    let url = server.serve("a.wav", Sound(hertz: hertz, amplitude: amplitude, seconds: 1, rate: rates.from).wav)
    let folder = try TemporaryFolder()
    let device = "capsfilter caps=audio/x-raw,rate=\(rates.to),format=S24LE ! filesink location=\(folder.path)/out"
    try await withPlayer(.bin(device)) { test in
      try await test.play(url)
      await test.wait(for: .stopped)
      #expect(await test.player.error == nil)
    }
    var heard = Sound(seconds: 0, rate: rates.to, depth: 24, seed: 0)
    heard.samples = try folder.read("out")
    #expect(abs(heard.frames - rates.to) <= 2, "\(heard.frames) frames")
    // The beginning and the end are transients.
    let samples = Array(heard.channel(0).dropFirst(rates.to / 10).dropLast(rates.to / 10))
    let tone = samples.tone(hertz, rate: rates.to)
    #expect(abs(20 * log10(tone.amplitude / amplitude)) < 0.1, "\(20 * log10(tone.amplitude / amplitude)) dB")
    #expect(20 * log10(tone.rest / amplitude) < -110, "\(20 * log10(tone.rest / amplitude)) dB beside the tone")
  }
}

extension Sound {
  /// A 24-bit tone in two channels.
  fileprivate init(hertz: Double, amplitude: Double, seconds: Double, rate: Int) {
    self.init(seconds: 0, rate: rate, depth: 24, seed: 0)
    for frame in 0..<Int(seconds * Double(rate)) {
      let value = Int((amplitude * sin(2 * .pi * hertz * Double(frame) / Double(rate)) * 8_388_607).rounded())
      for _ in 0..<2 { for byte in 0..<3 { samples.append(UInt8(truncatingIfNeeded: value >> (8 * byte))) } }
    }
  }
}

extension [Double] {
  /// The amplitude of a tone in the samples, and the root mean square of the remainder.
  fileprivate func tone(_ hertz: Double, rate: Int) -> (amplitude: Double, rest: Double) {
    let step = 2 * .pi * hertz / Double(rate)
    // The best fit of a cosine and a sine, which are not quite orthogonal over an arbitrary length.
    var (cc, ss, cs, cx, sx) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for (index, sample) in enumerated() {
      let (c, s) = (cos(step * Double(index)), sin(step * Double(index)))
      cc += c * c
      ss += s * s
      cs += c * s
      cx += c * sample
      sx += s * sample
    }
    let determinant = cc * ss - cs * cs
    let (a, b) = ((cx * ss - sx * cs) / determinant, (sx * cc - cx * cs) / determinant)
    var rest = 0.0
    for (index, sample) in enumerated() {
      let difference = sample - a * cos(step * Double(index)) - b * sin(step * Double(index))
      rest += difference * difference
    }
    return ((a * a + b * b).squareRoot(), (rest / Double(count)).squareRoot())
  }
}

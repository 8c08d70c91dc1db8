import Testing

@testable import PlaybackFormats

@Suite struct ALACCookieTests {
  /// Settings of two channels at 44.1 kHz.
  private static func settings(_ bitDepth: UInt8) -> [UInt8] {
    [0, 0, 16, 0, 0, bitDepth, 40, 10, 14, 2, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 172, 68]
  }
  private static let header: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0]

  @Test(arguments: [16, 20, 24, 32] as [UInt8])
  func theDepthIsReadWithAndWithoutTheBox(_ depth: UInt8) {
    #expect(ALACCookie(Self.settings(depth))?.bitDepth == Int(depth))
    #expect(ALACCookie(Self.header + Self.settings(depth))?.bitDepth == Int(depth))
  }

  @Test(arguments: [
    [], Array(settings(24).dropLast()), header, header + settings(24).dropLast(), settings(0), settings(255),
  ])
  func otherBytesAreNoSettings(_ bytes: [UInt8]) {
    #expect(ALACCookie(bytes) == nil)
  }
}

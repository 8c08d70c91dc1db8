import Testing

@Suite struct ConnectionManagerTests {
  @Test func connectionZeroAlwaysExists() async throws {
    try await RendererUnderTest.run { renderer in
      #expect(try await renderer.call("ConnectionManager", "GetCurrentConnectionIDs")["ConnectionIDs"] == "0")
      let info = try await renderer.call("ConnectionManager", "GetCurrentConnectionInfo", ["ConnectionID": "0"])
      #expect(info.results.map(\.value) == ["0", "0", "", "", "-1", "Input", "OK"])
      let other = try await renderer.call("ConnectionManager", "GetCurrentConnectionInfo", ["ConnectionID": "1"])
      #expect(other.fault == 706)
    }
  }

  /// BubbleUPnP compares types letter by letter, so each one is listed in both spellings
  /// (hzeller/gmrender-resurrect#231).
  @Test func sinkListsEveryTypeOverHTTP() async throws {
    try await RendererUnderTest.run { renderer in
      let info = try await renderer.call("ConnectionManager", "GetProtocolInfo")
      #expect(info.results.map(\.value) == ["", "http-get:*:audio/flac:*,http-get:*:audio/x-flac:*"])
    }
  }

  @Test func prepareForConnectionIsMissing() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await renderer.call("ConnectionManager", "PrepareForConnection")
      #expect(answer.fault == 401)
    }
  }
}

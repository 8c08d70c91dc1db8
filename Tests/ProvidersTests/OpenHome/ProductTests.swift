import Testing

@testable import PlaybackModel
@testable import Providers

@Suite struct ProductTests {
  private func value(_ renderer: RendererUnderTest, _ action: String) async throws -> String? {
    try await renderer.call("Product", action)["Value"]
  }

  @Test func initialEventIsComplete() async throws {
    try await RendererUnderTest.run { renderer in
      let event = try await renderer.initialEvent("Product")
      #expect(event.names == (try DeclaredVariables.of(service: "Product")).evented)
      #expect(
        [event["ProductRoom"], event["ProductName"], event["Attributes"]] == ["Kitchen", "Shelf", "Info Time"])
      #expect([event["Standby"], event["SourceIndex"], event["SourceCount"]] == ["0", "0", "4"])
      #expect(event["SourceXml"] == (try await value(renderer, "SourceXml")))
    }
  }

  @Test func sourceXMLListsSources() async throws {
    try await RendererUnderTest.run { renderer in
      let xml = try #require(try await value(renderer, "SourceXml"))
      let leaves = try XMLText.leaves(of: xml)
      #expect(leaves.allSatisfy { $0.path.dropLast() == ["SourceList", "Source"] })
      #expect(
        leaves.map { "\($0.path[2]) \($0.text)" } == [
          "Name Playlist", "Type Playlist", "Visible true", "SystemName Playlist", "Name Radio", "Type Radio",
          "Visible true", "SystemName Radio", "Name UPnP AV", "Type UpnpAv", "Visible false", "SystemName UPnP AV",
          "Name Songcast", "Type Receiver", "Visible true", "SystemName Songcast",
        ])
      #expect(try await value(renderer, "SourceCount") == "4")
      let source = try await renderer.call("Product", "Source", ["Index": "2"])
      #expect(
        source.results.map { "\($0.name) \($0.value)" } == [
          "SystemName UPnP AV", "Type UpnpAv", "Name UPnP AV", "Visible 0",
        ])
    }
  }

  @Test(
    arguments: [
      ("SetSourceIndex", "1", "1"), ("SetSourceIndexByName", "Radio", "1"), ("SetSourceBySystemName", "UPnP AV", "2"),
      ("SetSourceIndexByName", "Songcast", "3"), ("SetSourceIndex", "4", nil), ("SetSourceIndex", "-1", nil),
      ("SetSourceIndexByName", "radio", nil),
      ("SetSourceBySystemName", "", nil),
    ] as [(String, String, String?)])
  func setSourceSelectsSource(action: String, value: String, index: String?) async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await renderer.call("Product", action, ["Value": value])
      #expect(answer.fault == (index == nil ? 801 : nil))
      #expect(try await self.value(renderer, "SourceIndex") == index ?? "0")
      let evented = try await renderer.takeEvents("Product").map(\.values)
      #expect(evented == (index.map { [[.init(name: "SourceIndex"): $0]] } ?? []))
    }
  }

  /// OpenHome's own player starts counting at 1.
  @Test func sourceXMLChangesAreCounted() async throws {
    try await RendererUnderTest.run { renderer in
      func count() async throws -> String? { try await value(renderer, "SourceXmlChangeCount") }
      func update(_ sources: [Source], name: String = "Shelf") async throws {
        try await renderer.onLoop { services, _ in
          services.product.update(ServicesUnderTest.description(room: "Kitchen", name: name), sources: sources)
        }
      }
      #expect(try await count() == "1")
      try await update(Source.builtIn, name: "Other")
      #expect(try await count() == "1")
      _ = try await renderer.takeEvents("Product")
      try await update([.playlist, .upnpAV])
      #expect(try await count() == "2")
      let event = try #require(try await renderer.takeEvents("Product").first)
      #expect(event["SourceCount"] == "2")
      #expect(event["SourceXml"] == (try await value(renderer, "SourceXml")))
      #expect(try await renderer.call("Product", "Source", ["Index": "1"])["Type"] == "UpnpAv")
      #expect(try await renderer.call("Product", "Source", ["Index": "2"]).fault == 801)
      try await update(Source.builtIn)
      #expect(try await count() == "3")
    }
  }

  @Test func unknownSourceIsRefused() async throws {
    try await RendererUnderTest.run { renderer in
      let answer = try await renderer.call("Product", "Source", ["Index": "4"])
      #expect(answer.fault == 801)
    }
  }

  @Test func sourceIndexFollowsPlayback() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.setURI("http://host/a.flac")
      #expect(try await value(renderer, "SourceIndex") == "0")
      try await renderer.play()
      #expect(try await value(renderer, "SourceIndex") == "2")
      #expect(try await renderer.takeEvents("Product").map { $0["SourceIndex"] } == ["2"])
    }
  }

  @Test func standbyStopsAndEndsWithPlay() async throws {
    try await RendererUnderTest.run { renderer in
      try await renderer.playUntilPlaying("http://host/a.flac")
      _ = try await renderer.takeEvents("Product")
      #expect(try await renderer.call("Product", "SetStandby", ["Value": "true"]).fault == nil)
      #expect(try await value(renderer, "Standby") == "1")
      #expect(try await renderer.state() == "STOPPED")
      try await renderer.play()
      #expect(try await value(renderer, "Standby") == "0")
      #expect(try await renderer.takeEvents("Product").map { $0["Standby"] } == ["1", "0"])
      #expect(try await value(renderer, "StandbyTransitioning") == "0")
    }
  }

  /// The address at which the caller reached the server. For events, see `EventSourceTests`.
  @Test func imagesUseServerAddress() async throws {
    try await RendererUnderTest.run { renderer in
      let (url, page) = ("http://192.0.2.7:40000/icon.png", "http://192.0.2.7:40000/description.xml")
      for resolution in ["Low", "High"] {
        let image = try await renderer.call("Product", "GetImageUri", ["Resolution": resolution])
        #expect(image["ImageUri"] == url)
      }
      #expect(try await renderer.call("Product", "GetImageUri", ["Resolution": "Huge"]).fault == 601)
      let product = try await renderer.call("Product", "Product")
      #expect(
        product.results.map { "\($0.name) \($0.value)" } == [
          "Room Kitchen", "Name Shelf", "Info Box 1", "Url \(page)", "ImageUri \(url)", "ImageHiresUri \(url)",
        ])
      for (action, name) in [("Model", "Box"), ("Manufacturer", "Maker")] {
        let answer = try await renderer.call("Product", action)
        #expect(
          answer.results.map { "\($0.name) \($0.value)" } == [
            "Name \(name)", "Info A box that plays", "Url \(page)", "ImageUri \(url)",
          ])
      }
      // The host completes these paths for each subscriber.
      let event = try await renderer.initialEvent("Product")
      for name in ["ManufacturerImageUri", "ModelImageUri", "ProductImageUri", "ProductImageHiresUri"] {
        #expect(event[name] == "/icon.png")
      }
      for name in ["ManufacturerUrl", "ModelUrl", "ProductUrl"] { #expect(event[name] == "/description.xml") }
    }
  }

  @Test(arguments: [
    ("Kitchen", "Kitchen", "Kitchen"),
    ("A room with a name that has exactly 40..", "A room with a name that has exactly 40..", "A room with a name t"),
    ("Wohnzimmer im Gästehaus über der Remise am See", "Wohnzimmer im Gästehaus über der Remis", "Wohnzimmer im Gäste"),
    ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦", ""),
  ])
  func namesAreTruncatedAtACharacter(text: String, room: String, name: String) {
    let description = ServicesUnderTest.description(room: text, name: text)
    #expect(description.room == room)
    #expect(description.name == name)
  }
}

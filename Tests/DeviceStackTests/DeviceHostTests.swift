import Foundation
import Logging
import NIOCore
import NIOPosix
import NetworkTesting
import Testing
import UPnP

@testable import DeviceStack

/// The complete device stack over loopback, tested with literal wire text.
@Suite struct DeviceHostTests {
  /// A second root device next to the lamp.
  private final class Other: SwitchPower1.Provider {
    let variables = SwitchPower1.Variables(.init(status: true))

    var device: RootDevice {
      var info = DeviceInfo(
        deviceType: URN(domain: "schemas-upnp-org", kind: .device, name: "BinaryLight", version: 1),
        udn: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d02", friendlyName: "Desk & <chair>", manufacturer: "Example",
        modelName: "Other")
      info.icons = [
        Icon(mimeType: "image/png", width: 48, height: 48, depth: 24, fileName: "small.png", data: [1, 2, 3])
      ]
      return RootDevice(info: info, services: [SwitchPower1.hosted(by: self, variables)], folder: "other")
    }

    func setTarget(_ input: SwitchPower1.SetTargetInput) throws(ActionFault) { throw ActionFault(899, "Stuck") }
    func getTarget() -> SwitchPower1.GetTargetOutput { .init(retTargetValue: true) }
    func getStatus() -> SwitchPower1.GetStatusOutput { .init(resultStatus: true) }
  }

  private static func settings() -> DeviceHostSettings {
    var settings = DeviceHostSettings(product: "Linux/6.1 UPnP/1.1 Test/1.0", bootID: 1)
    settings.interfaces = InterfacePolicy(names: ["lo"])
    return settings
  }

  /// Runs a host with two devices until the body returns.
  private static func with(_ body: (Int) async throws -> Void) async throws {
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let host = DeviceHost(
      settings: settings(), logger: Logger(label: "test"),
      onEvent: { _, event in if case .listening(let number) = event { port.yield(number) } },
      devices: { _ in [Lamp().device, Other().device] })
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      let port = try #require(await ports.first { _ in true })
      try await waitUntil { await !host.interfaces.isEmpty }
      try await body(port)
      group.cancelAll()
    }
  }

  private static func request(_ method: String, _ path: String, port: Int, _ headers: String = "", body: String = "")
    -> String
  {
    "\(method) \(path) HTTP/1.1\r\nHOST: 127.0.0.1:\(port)\r\n\(headers)CONTENT-LENGTH: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func action(_ name: String, _ arguments: String, path: String, port: Int) -> String {
    let body = """
      <s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"><s:Body>\
      <u:\(name) xmlns:u="urn:schemas-upnp-org:service:SwitchPower:1">\(arguments)</u:\(name)></s:Body></s:Envelope>
      """
    let soapAction = "SOAPACTION: \"urn:schemas-upnp-org:service:SwitchPower:1#\(name)\"\r\n"
    return request("POST", path, port: port, soapAction, body: body)
  }

  private static func ask(_ text: String, port: Int) async throws -> WireClient.Answer {
    try await WireClient.with(port: port) { client in
      try await client.send(text)
      return try await client.answer()
    }
  }

  @Test func twoRootDevicesAreDescribedSideBySide() async throws {
    try await Self.with { port in
      for (folder, name) in [("lamp", "Lamp"), ("other", "Desk &amp; &lt;chair&gt;")] {
        let answer = try await Self.ask(Self.request("GET", "/\(folder)/description.xml", port: port), port: port)
        let text = String(buffer: answer.body)
        #expect(answer.status == 200)
        #expect(text.contains("<friendlyName>\(name)</friendlyName>"))
        #expect(text.contains("<controlURL>/\(folder)/SwitchPower/control</controlURL>"))
        let scpd = try await Self.ask(Self.request("GET", "/\(folder)/SwitchPower/scpd.xml", port: port), port: port)
        #expect(SwitchPower1.scpd.withUTF8Buffer { Array($0) } == Array(buffer: scpd.body))
      }
      let icon = try await Self.ask(Self.request("GET", "/other/small.png", port: port), port: port)
      #expect(Array(buffer: icon.body) == [1, 2, 3])
      #expect(icon.header("CONTENT-TYPE") == "image/png")
      #expect(try await Self.ask(Self.request("GET", "/lamp/small.png", port: port), port: port).status == 404)
    }
  }

  @Test func bothAreFoundBySearch() async throws {
    try await Self.with { port in
      let controlPoint = try await SSDPProbe(on: MultiThreadedEventLoopGroup.singleton.any(), device: "lo")
      try await controlPoint.search("urn:schemas-upnp-org:device:BinaryLight:1")
      let lamps = ["4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d01", "4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d02"]
      let locations = ["lamp", "other"].map { "http://127.0.0.1:\(port)/\($0)/description.xml" }
      try await controlPoint.wait { heard in
        zip(lamps, locations).allSatisfy { udn, location in
          heard.answers.contains {
            $0.field("USN") == "uuid:\(udn)::urn:schemas-upnp-org:device:BinaryLight:1"
              && $0.field("LOCATION") == location
          }
        }
      }
      try await controlPoint.close()
    }
  }

  @Test func anActionChangesItsOwnDeviceAndIsEvented() async throws {
    try await Self.with { port in
      let subscriber = try await RawListener()
      let headers = "CALLBACK: <\(subscriber.url())>\r\nNT: upnp:event\r\nTIMEOUT: Second-300\r\n"
      let answer = try await Self.ask(
        Self.request("SUBSCRIBE", "/lamp/SwitchPower/events", port: port, headers), port: port)
      #expect(answer.status == 200)
      try await waitUntil { subscriber.received.count == 1 }
      #expect(subscriber.received[0].seq == 0)
      #expect(subscriber.received[0].body.contains("<Status>0</Status>"))

      let on = Self.action(
        "SetTarget", "<newTargetValue>1</newTargetValue>", path: "/lamp/SwitchPower/control", port: port)
      #expect(try await Self.ask(on, port: port).status == 200)
      try await waitUntil { subscriber.received.count == 2 }
      #expect(subscriber.received[1].seq == 1)
      #expect(subscriber.received[1].body.contains("<Status>1</Status>"))
      let status = Self.action("GetStatus", "", path: "/lamp/SwitchPower/control", port: port)
      #expect(String(buffer: try await Self.ask(status, port: port).body).contains("<ResultStatus>1</ResultStatus>"))
      try await subscriber.close()
    }
  }

  @Test func aProvidersFaultReachesTheController() async throws {
    try await Self.with { port in
      let on = Self.action(
        "SetTarget", "<newTargetValue>1</newTargetValue>", path: "/other/SwitchPower/control", port: port)
      let answer = try await Self.ask(on, port: port)
      #expect(answer.status == 500)
      #expect(
        String(buffer: answer.body).contains("<errorCode>899</errorCode><errorDescription>Stuck</errorDescription>"))
    }
  }

  @Test func cancellationEndsTheRunWithByebye() async throws {
    let controlPoint = try await SSDPProbe(on: MultiThreadedEventLoopGroup.singleton.any(), device: "lo")
    try await Self.with { _ in
      try await controlPoint.wait { !$0.notifications("ssdp:alive").isEmpty }
      controlPoint.forget()
    }
    try await controlPoint.wait { !$0.notifications("ssdp:byebye").isEmpty }
    try await controlPoint.close()
  }

  @Test func aPortThatIsTakenIsSkipped() async throws {
    try await Self.with { taken in
      var settings = Self.settings()
      settings.ports = [taken]
      let refused = DeviceHost(settings: settings, logger: Logger(label: "test")) { _ in [Lamp().device] }
      await #expect(throws: DeviceHostError.cannotListen(port: taken, reason: "address already in use")) {
        try await refused.run()
      }
      settings.ports = [taken, 0]
      let (ports, port) = AsyncStream.makeStream(of: Int.self)
      let host = DeviceHost(
        settings: settings, logger: Logger(label: "test"),
        onEvent: { _, event in if case .listening(let number) = event { port.yield(number) } },
        devices: { _ in [Lamp().device] })
      try await withThrowingTaskGroup { group in
        group.addTask { try await host.run() }
        let other = try #require(await ports.first { _ in true })
        #expect(other != taken)
        group.cancelAll()
      }
    }
  }

  /// A task started in the closure that creates the devices runs on the host and may use them.
  @Test func changesFromOutsideReachSubscribers() async throws {
    let (presses, press) = AsyncStream.makeStream(of: Bool.self)
    let (ports, port) = AsyncStream.makeStream(of: Int.self)
    let host = DeviceHost(
      settings: Self.settings(), logger: Logger(label: "test"),
      onEvent: { _, event in if case .listening(let number) = event { port.yield(number) } },
      devices: { host in
        let lamp = Lamp()
        Task {
          _ = host
          for await isOn in presses { lamp.setTarget(.init(newTargetValue: isOn)) }
        }
        return [lamp.device]
      })
    try await withThrowingTaskGroup { group in
      group.addTask { try await host.run() }
      let port = try #require(await ports.first { _ in true })
      try await waitUntil { await !host.interfaces.isEmpty }
      let subscriber = try await RawListener()
      let headers = "CALLBACK: <\(subscriber.url())>\r\nNT: upnp:event\r\nTIMEOUT: Second-300\r\n"
      _ = try await Self.ask(Self.request("SUBSCRIBE", "/lamp/SwitchPower/events", port: port, headers), port: port)
      try await waitUntil { subscriber.received.count == 1 }
      press.yield(true)
      try await waitUntil { subscriber.received.count == 2 }
      #expect(subscriber.received[1].body.contains("<Status>1</Status>"))
      try await subscriber.close()
      press.finish()
      group.cancelAll()
    }
  }

  /// The documentation quotes the example, which stays within the length that the documentation states.
  @Test(arguments: ["docs/device-stack.md", "Sources/DeviceStack/DeviceStack.docc/HostingADevice.md"])
  func theDocumentationShowsTheExample(path: String) throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let page = try String(contentsOf: root.appending(path: path), encoding: .utf8)
    var lines = 0
    for name in ["Lamp", "Main"] {
      let source = root.appending(path: "Examples/Lamp/Sources/Lamp/\(name).swift")
      let text = try String(contentsOf: source, encoding: .utf8)
      #expect(page.contains("```swift\n\(text)```\n"))
      lines += text.split(separator: "\n").count
    }
    #expect(lines <= 45)
  }
}

import Logging
import Testing

@testable import ControlPoint

@Suite(.timeLimit(.minutes(1))) struct DeviceSequenceTests {
  @Test func endsWhenTheControlPointStops() async {
    let controlPoint = UPnPControlPoint(settings: .init(product: "Test/1"), logger: Logger(label: "test"))
    let changes = await controlPoint.devices()
    await controlPoint.stop()
    for await _ in changes {}
    for await _ in await controlPoint.devices() {}
  }

  @Test func doesNotStartOrAskAgainOnceItIsStopped() async throws {
    let controlPoint = UPnPControlPoint(settings: .init(product: "Test/1"), logger: Logger(label: "test"))
    await controlPoint.stop()
    await #expect(throws: ControlPointError.stopped) { try await controlPoint.start() }
    let url = try #require(HTTPURL("http://192.0.2.1/d.xml"))
    await #expect(throws: ControlPointError.stopped) { _ = try await controlPoint.description(at: url) }
  }
}

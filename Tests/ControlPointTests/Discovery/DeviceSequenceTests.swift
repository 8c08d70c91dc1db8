import Logging
import Testing

@testable import ControlPoint

@Suite(.timeLimit(.minutes(1))) struct DeviceSequenceTests {
  @Test func endsWhenTheControlPointStops() async {
    let controlPoint = ControlPoint(settings: .init(product: "Test/1"), logger: Logger(label: "test"))
    let changes = await controlPoint.devices()
    await controlPoint.stop()
    for await _ in changes {}
    for await _ in await controlPoint.devices() {}
  }
}

import Testing

@testable import Renderer

@Suite struct HookSlotsTests {
  private static func job(_ name: String, _ event: String = "button", key: String = "KEY_A") -> HookSlots.Job {
    HookSlots.Job(command: [name], variables: ["SWIFTLET_EVENT": event, "SWIFTLET_BUTTON_KEY": key])
  }

  /// A dial that is turned while its program runs.
  @Test func aRepeatedCommandIsCoalesced() {
    var slots = HookSlots()
    let dial = Self.job("lamp")
    #expect(slots.request(dial) == .start)
    for _ in 0..<1000 { #expect(slots.request(dial) == .wait) }
    #expect(slots.request(Self.job("lamp", key: "KEY_B")) == .start)
    #expect(slots.end(dial) == .runAgain)
    #expect(slots.request(dial) == .wait)
    #expect(slots.end(dial) == .runAgain)
    #expect(slots.end(dial) == .free(refused: 0))
    #expect(slots.request(dial) == .start)
  }

  @Test func onlyTheFirstRefusalIsLogged() {
    var slots = HookSlots()
    for number in 0..<HookSlots.maximumPerGroup { #expect(slots.request(Self.job("\(number)")) == .start) }
    #expect(slots.request(Self.job("more")) == .refuse(isFirst: true))
    for _ in 0..<100 { #expect(slots.request(Self.job("more")) == .refuse(isFirst: false)) }
    // Presence has slots of its own.
    #expect(slots.request(Self.job("lamp", "arrive")) == .start)
    #expect(slots.end(Self.job("lamp", "arrive")) == .free(refused: 0))
    #expect(slots.end(Self.job("0")) == .free(refused: 100))
    #expect(slots.request(Self.job("more")) == .start)
    #expect(slots.request(Self.job("0")) == .refuse(isFirst: true))
    #expect(slots.end(Self.job("more")) == .free(refused: 0))
  }
}

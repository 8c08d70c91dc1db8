import Testing

@testable import Companion

@Suite struct ButtonBankTests {
  private static let start = ContinuousClock.now

  private static func binding(
    _ key: String?, _ trigger: ButtonTrigger, _ action: CompanionAction
  ) -> ButtonBinding {
    ButtonBinding(device: DeviceName("Remote"), key: key.flatMap { ButtonKey($0) }, trigger: trigger, action: action)
  }

  private static func change(_ kind: InputChange.Kind, after time: Duration = .zero) -> InputChange {
    InputChange(time: start + time, kind: kind)
  }

  @Test func aKeysOwnBindingComesBeforeThatOfAnyKey() {
    var bank = ButtonBank([
      Self.binding(nil, .click, .command(.toggle)), Self.binding("KEY_NEXTSONG", .click, .command(.next)),
      Self.binding("KEY_NEXTSONG", .click, .hook(["lamp"])),
    ])
    #expect(
      bank.change(Self.change(.key(163, isDown: true))) == [
        .init(key: .key(163), trigger: .click, actions: [.command(.next), .hook(["lamp"])])
      ])
    #expect(
      bank.change(Self.change(.key(164, isDown: true))) == [
        .init(key: .key(164), trigger: .click, actions: [.command(.toggle)])
      ])
  }

  @Test func twoKeysAreNoDoubleClick() {
    var bank = ButtonBank([Self.binding(nil, .double, .command(.next))])
    for (code, time) in [(1, 0), (2, 100), (1, 200)] as [(UInt16, Int)] {
      let fired = bank.change(Self.change(.key(code, isDown: true), after: .milliseconds(time)))
      #expect(fired.map(\.key) == (time == 200 ? [.key(1)] : []))
      #expect(bank.change(Self.change(.key(code, isDown: false), after: .milliseconds(time + 50))).isEmpty)
    }
  }

  @Test(arguments: [
    (ButtonKey("REL_DIAL+"), 3, 3), (ButtonKey("REL_DIAL+"), -3, 0), (ButtonKey("REL_DIAL-"), -1, 1),
    (nil, 2, 2), (ButtonKey("REL_DIAL-"), Int32.min, ButtonBank.maximumSteps),
  ])
  func eachStepOfADialIsAClick(key: ButtonKey?, count: Int32, clicks: Int) {
    var bank = ButtonBank([Self.binding(key?.description, .click, .command(.changeVolume(by: 1)))])
    #expect(bank.change(Self.change(.steps(axis: 7, count: count))).count == clicks)
  }

  @Test func pointersMustBeNamed() {
    var bank = ButtonBank([Self.binding(nil, .click, .command(.next))])
    #expect(bank.change(Self.change(.steps(axis: 0, count: 5))).isEmpty)
    bank = ButtonBank([Self.binding("REL_X+", .click, .command(.next))])
    #expect(bank.change(Self.change(.steps(axis: 0, count: 5))).count == 5)
  }

  @Test func lostEventsAreMadeUpFor() {
    var bank = ButtonBank([
      Self.binding(nil, .down, .command(.mute(true))), Self.binding(nil, .up, .command(.mute(false))),
    ])
    _ = bank.change(Self.change(.key(1, isDown: true)))
    _ = bank.change(Self.change(.key(2, isDown: true)))
    let fired = bank.synchronize(down: [2, 3], at: Self.start + .seconds(1))
    #expect(fired.map { "\($0.key) \($0.trigger)" } == ["KEY_ESC up", "KEY_2 down"])
    #expect(bank.reset().map { "\($0.key) \($0.trigger)" } == ["KEY_1 up", "KEY_2 up"])
    #expect(bank.reset().isEmpty)
  }

  @Test func theEarliestDeadlineCounts() {
    var bank = ButtonBank([Self.binding(nil, .hold, .command(.standby(nil)))])
    #expect(bank.deadline == nil)
    _ = bank.change(Self.change(.key(1, isDown: true), after: .milliseconds(100)))
    _ = bank.change(Self.change(.key(2, isDown: true)))
    #expect(bank.deadline == Self.start + .milliseconds(600))
    #expect(bank.advance(to: Self.start + .milliseconds(600)).map(\.key) == [.key(2)])
    #expect(bank.deadline == Self.start + .milliseconds(700))
  }

  @Test(arguments: [
    ("KEY_PLAYPAUSE", ButtonKey.key(164)), ("164", .key(164)), ("BTN_0", .key(256)), ("BTN_A", .key(304)),
    ("KEY_1", .key(2)), ("KEY_OK", .key(0x160)), ("BTN_TRIGGER_HAPPY40", .key(0x2E7)),
    ("KEY_MACRO1", .key(0x290)), ("REL_WHEEL-", .step(axis: 8, isUp: false)),
  ])
  func keysHaveTheKernelsNames(text: String, key: ButtonKey) {
    #expect(ButtonKey(text) == key)
  }

  @Test(arguments: ["", "KEY_", "768", "-1", "REL_WHEEL", "REL_WHEEL_HI_RES+", "key_playpause"])
  func otherTextsAreNoKeys(text: String) { #expect(ButtonKey(text) == nil) }

  @Test(arguments: [
    ("Wall Button", true), ("Wall*", true), ("Wall", false), ("wall button", false), ("00:00:5E:00:53:01", true),
    ("00:00:5e:00:53:01", true), ("usb-1/input0", true), ("", false), ("*", true),
  ])
  func devicesAreFoundByNameOrAddress(text: String, isFound: Bool) {
    let device = InputIdentity(name: "Wall Button", address: "00:00:5e:00:53:01", place: "usb-1/input0")
    #expect(DeviceName(text).matches(device) == isFound)
    #expect(!DeviceName("").matches(InputIdentity(name: "Other")))
  }
}

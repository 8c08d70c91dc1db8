import CLinux
import Glibc
import Logging
import Synchronization
import Testing

@testable import Companion

/// Buttons with socket pairs as devices.
@Suite struct ButtonsTests {
  @Test @CompanionActor func pressesPerformActionsWithVariables() async throws {
    let room = Room([Room.binding("Remote", "KEY_PLAYPAUSE", .click, .command(.toggle))])
    let remote = try room.plug("Remote", at: 1)
    room.buttons.start()
    remote.press(KEY_PLAYPAUSE)
    let (action, variables) = try #require(await room.nextAction())
    #expect(action == .command(.toggle))
    #expect(
      variables == [
        "SWIFTLET_EVENT": "button", "SWIFTLET_BUTTON_DEVICE": "Remote", "SWIFTLET_BUTTON_KEY": "KEY_PLAYPAUSE",
        "SWIFTLET_BUTTON_TRIGGER": "click",
      ])
    let report = try #require(room.board.report.buttons)
    #expect(report.count == 1 && report.devices.map(\.isConnected) == [true])
    await room.buttons.stop()
    #expect(!remote.isOpen)
  }

  @Test @CompanionActor func onlyListedDevicesAreOpened() async throws {
    let room = Room([Room.binding("00:00:5E:00:53:01", nil, .click, .command(.next))])
    let keyboard = try room.plug("Keyboard", at: 1)
    let remote = try room.plug("Remote", address: "00:00:5e:00:53:01", at: 2)
    room.buttons.start()
    remote.press(KEY_A)
    #expect(await room.nextAction()?.0 == .command(.next))
    #expect(room.source.opened == [remote.device])
    withExtendedLifetime(keyboard) {}
    await room.buttons.stop()
  }

  @Test @CompanionActor func devicesMayComeAndGo() async throws {
    let room = Room([
      Room.binding("Remote", nil, .click, .command(.next)), Room.binding("Knob", "REL_DIAL-", .click, .command(.stop)),
      Room.binding("Remote", nil, .up, .command(.pause)),
    ])
    room.buttons.start()
    #expect(room.board.report.buttons?.devices.map(\.isConnected) == [false, false])
    let knob = try room.plug("Knob", at: 1)
    for round in 1...2 {
      let remote = try room.plug("Remote", at: 1 + round)
      remote.press(KEY_A)
      #expect(await room.nextAction()?.0 == .command(.next))
      // Unplugging a device releases its keys.
      room.unplug(remote)
      #expect(await room.nextAction()?.0 == .command(.pause))
      #expect(room.board.report.buttons?.devices.map(\.isConnected) == [false, true])
      knob.send(InputRecords.bytes(InputRecords.now(), EV_REL, REL_DIAL, -1))
      #expect(await room.nextAction()?.0 == .command(.stop))
    }
    await room.buttons.stop()
  }

  @Test @CompanionActor func holdsFireWhileTheKeyIsDown() async throws {
    let room = Room([
      Room.binding("Remote", nil, .hold, .command(.standby(nil))), Room.binding("Remote", nil, .click, .command(.next)),
    ])
    let remote = try room.plug("Remote", at: 1)
    room.buttons.start()
    remote.press(KEY_A)
    #expect(await room.nextAction()?.0 == .command(.standby(nil)))
    await room.buttons.stop()
  }

  @Test @CompanionActor func lostEventsAreReadFromTheDevice() async throws {
    let room = Room([Room.binding("Remote", nil, .down, .command(.next))])
    let remote = try room.plug("Remote", at: 1, downKeys: [30])
    room.buttons.start()
    let now = InputRecords.now()
    remote.send(InputRecords.bytes(now, EV_SYN, SYN_DROPPED, 0) + InputRecords.bytes(now, EV_SYN, SYN_REPORT, 0))
    #expect(await room.nextAction()?.1["SWIFTLET_BUTTON_KEY"] == "KEY_A")
    await room.buttons.stop()
  }

  @Test @CompanionActor func aDeviceThatMayNotBeReadIsReportedOnceAndUsedLater() async throws {
    let room = Room([Room.binding("Remote", nil, .click, .command(.next))])
    let remote = try room.plug("Remote", at: 1)
    room.source.error = .busy
    room.buttons.start()
    room.source.changed()
    #expect(room.log.lines.count == 1)
    #expect(room.board.report.buttons?.devices.first?.problem == InputError.busy.sentence)
    room.source.error = nil
    room.source.changed()
    remote.press(KEY_A)
    #expect(await room.nextAction()?.0 == .command(.next))
    #expect(room.board.report.buttons?.devices.first?.problem == nil)
    await room.buttons.stop()
  }

  @Test @CompanionActor func aDeviceThatEndsAtOnceIsNotOpenedAgainAndAgain() async throws {
    let room = Room([Room.binding("Remote", nil, .click, .command(.next))])
    let remote = try room.plug("Remote", at: 1)
    room.buttons.start()
    let opened = room.source.opened.count
    let end = ContinuousClock.now
    remote.end()
    try await eventually { room.board.report.buttons?.devices.first?.isConnected != true }
    for _ in 0..<100 { await Task.yield() }
    // Attempts are at least a second apart, and a busy machine may have taken that long.
    let attempts = room.source.opened.count - opened
    #expect(.seconds(attempts) <= .now - end)
    await room.buttons.stop()
  }
}

/// Buttons with simulated devices. Records the performed actions.
@CompanionActor private final class Room {
  let source = Sockets()
  let board = CompanionBoard()
  let log = Lines()
  let buttons: Buttons
  private let actions: AsyncStream<(CompanionAction, [String: String])>
  private let noAction: @Sendable () -> Void

  init(_ bindings: [ButtonBinding]) {
    let (actions, action) = AsyncStream.makeStream(of: (CompanionAction, [String: String]).self)
    self.actions = actions
    noAction = { action.finish() }
    let log = log
    let logger = Logger(label: "buttons") { _ in log }
    buttons = Buttons(bindings, board: board, source: source, logger: logger) { action.yield(($0, $1)) }
  }

  static func binding(
    _ device: String, _ key: String?, _ trigger: ButtonTrigger, _ action: CompanionAction
  ) -> ButtonBinding {
    ButtonBinding(device: DeviceName(device), key: key.flatMap { ButtonKey($0) }, trigger: trigger, action: action)
  }

  func plug(_ name: String, address: String = "", at number: Int, downKeys: Set<UInt16> = []) throws -> Plug {
    let device = InputDevice(
      path: "/dev/input/event\(number)", identity: InputIdentity(name: name, address: address))
    let plug = try Plug(device, downKeys)
    source.plugs.append(plug)
    source.changed()
    return plug
  }

  func unplug(_ plug: Plug) {
    source.plugs.removeAll { $0 === plug }
    plug.end()
    source.changed()
  }

  /// The next performed action with its variables; nil if there is none within 30 s.
  func nextAction() async -> (CompanionAction, [String: String])? {
    let limit = CompanionTimer(after: .seconds(30), noAction)
    defer { limit.cancel() }
    var iterator = actions.makeAsyncIterator()
    return await iterator.next()
  }
}

/// Unchecked Sendable, because `Buttons` and the tests use it on the companions' thread only.
private final class Sockets: InputSource, @unchecked Sendable {
  var plugs: [Plug] = []
  var opened: [InputDevice] = []
  var error: InputError?
  private var body: (@CompanionActor @Sendable () -> Void)?

  func list() -> [InputDevice] { plugs.map(\.device) }

  func open(_ device: InputDevice, grabs: Bool) throws(InputError) -> InputNode {
    if let error { throw error }
    guard let plug = plugs.first(where: { $0.device == device }) else { throw .gone }
    opened.append(device)
    guard plug.isPlugged else { throw .gone }
    let keys = plug.downKeys
    return InputNode(descriptor: plug.take(), clock: CLOCK_MONOTONIC) { keys }
  }

  func watch(_ body: @escaping @CompanionActor @Sendable () -> Void) -> AnyObject? {
    self.body = body
    return self
  }

  @CompanionActor func changed() { body?() }
}

/// The hardware's end of a device.
private final class Plug {
  let device: InputDevice
  let downKeys: Set<UInt16>
  private var reader: Int32
  private var writer: Int32

  struct Failure: Error {}

  init(_ device: InputDevice, _ downKeys: Set<UInt16>) throws {
    var ends: [Int32] = [0, 0]
    // Programs that other tests start must not hold the writing end open.
    let kind = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
    guard socketpair(AF_UNIX, Int32(kind), 0, &ends) == 0 else { throw Failure() }
    (reader, writer) = (ends[0], ends[1])
    (self.device, self.downKeys) = (device, downKeys)
  }

  deinit {
    end()
    if reader >= 0 { close(reader) }
  }

  var isPlugged: Bool { writer >= 0 }

  /// The descriptor, which the caller closes.
  func take() -> Int32 {
    defer { reader = -1 }
    return reader
  }

  func press(_ key: Int32) { send(InputRecords.key(key, 1, InputRecords.now())) }

  func send(_ bytes: [UInt8]) { _ = transmit(bytes) }

  private func transmit(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBytes { Glibc.send(writer, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Closes the writing end, like an unplugged device.
  func end() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// Whether the reader still has the device open. Sends it a byte.
  var isOpen: Bool { transmit([0]) > 0 }
}

private final class Lines: LogHandler {
  private let texts = Mutex<[String]>([])
  var lines: [String] { texts.withLock { $0 } }
  var metadata: Logger.Metadata {
    get { [:] }
    set {}
  }
  var logLevel: Logger.Level {
    get { .warning }
    set {}
  }
  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { nil }
    set {}
  }

  func log(event: LogEvent) { texts.withLock { $0.append("\(event.message)") } }
}

import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Pins:1: the pins of the device. Account pins are not supported, so AccountMax is 0.
public final class PinsProvider: Pins1.Provider {
  private let board: PinBoard
  private let commands: ControllerCommands
  private let variables: Pins1.Variables

  /// Call it on the player's executor, like all members of this class.
  package init(control: SpeakerControl, board: PinBoard) {
    self.board = board
    commands = ControllerCommands(control: control, origin: .openHome)
    variables = Pins1.Variables(Self.values(board.pins, control.pinInvoker))
    board.observe { [weak self] in self?.apply() }
    control.pinInvoker.onModes = { [weak self] in self?.apply() }
  }

  private func apply() { variables.apply(Self.values(board.pins, commands.control.pinInvoker)) }

  private static func values(_ pins: PinSet, _ invoker: PinInvoker) -> Pins1.Values {
    Pins1.Values(
      deviceMax: UInt32(PinSet.count), accountMax: 0, modes: modes(invoker), idArray: PinJSON.ids(of: pins),
      cloudConnected: false)
  }

  /// The service for a device to host.
  public var service: HostedService { Pins1.hosted(by: self, variables) }

  private static func modes(_ invoker: PinInvoker) -> String {
    JSONText.array(invoker.modes.map { JSONText.string($0.rawValue) })
  }

  // MARK: Reads

  public func getDeviceMax() -> Pins1.GetDeviceMaxOutput { Pins1.GetDeviceMaxOutput(deviceMax: UInt32(PinSet.count)) }

  public func getAccountMax() -> Pins1.GetAccountMaxOutput { Pins1.GetAccountMaxOutput(accountMax: 0) }

  public func getModes() -> Pins1.GetModesOutput {
    Pins1.GetModesOutput(modes: Self.modes(commands.control.pinInvoker))
  }

  public func getIdArray() -> Pins1.GetIdArrayOutput {
    Pins1.GetIdArrayOutput(idArray: PinJSON.ids(of: board.pins))
  }

  public func getCloudConnected() -> Pins1.GetCloudConnectedOutput {
    Pins1.GetCloudConnectedOutput(cloudConnected: false)
  }

  public func readList(_ input: Pins1.ReadListInput) throws(ActionFault) -> Pins1.ReadListOutput {
    guard let list = PinJSON.list(ids: input.ids, of: board.pins) else { throw PinFault.invalidIDs.actionFault }
    return Pins1.ReadListOutput(list: list)
  }

  // MARK: Changes

  public func setDevice(_ input: Pins1.SetDeviceInput) throws(ActionFault) {
    let pin = Pin(
      mode: input.mode, type: input.type, uri: input.uri, title: input.title, description: input.description,
      artworkURI: input.artworkUri, shuffles: input.shuffle)
    try perform(.set(pin, at: input.index))
  }

  /// Always fails: account pins are not supported.
  public func setAccount(_ input: Pins1.SetAccountInput) throws(ActionFault) {
    throw PinFault.indexOutOfRange.actionFault
  }

  public func clear(_ input: Pins1.ClearInput) throws(ActionFault) {
    // Empty places have the id 0.
    if input.id == 0 { return }
    try perform(.clear(input.id))
  }

  public func swap(_ input: Pins1.SwapInput) throws(ActionFault) {
    try perform(.swap(input.index1, input.index2))
  }

  private func perform(_ command: PinCommand) throws(ActionFault) {
    try commands.perform(.pins(command), fault: Self.fault)
  }

  private static func fault(_ error: CommandError) -> ActionFault {
    if case .pin(let fault) = error { fault.actionFault } else { .actionFailed }
  }

  // MARK: Playing

  public func invokeId(
    _ input: Pins1.InvokeIdInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard let pin = board.pins[input.id] else { throw PinFault.idNotFound.actionFault }
    commands.perform(.pins(.play(pin)), fault: Self.fault, reply)
  }

  public func invokeIndex(
    _ input: Pins1.InvokeIndexInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard input.index < PinSet.count else { throw PinFault.indexOutOfRange.actionFault }
    guard let pin = try? board.pins.pin(at: input.index) else { throw PinFault.nothingToPlay.actionFault }
    commands.perform(.pins(.play(pin)), fault: Self.fault, reply)
  }

  public func invokeUri(
    _ input: Pins1.InvokeUriInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) {
    let pin = Pin(mode: input.mode, type: input.type, uri: input.uri, shuffles: input.shuffle)
    commands.perform(.pins(.play(pin)), fault: Self.fault, reply)
  }
}

/// The JSON of Pins:1, with the member names of OpenHome's own player.
enum PinJSON {
  /// Limit for the ids of a ReadList; IdArray has fewer.
  private static let maximumIDs = 64

  /// The pins with these ids. Unknown ids are skipped. Each 0 gives an empty pin: controllers ask for the whole IdArray
  /// and expect as many pins.
  /// - Parameter ids: a JSON array of numbers.
  /// - Returns: nil if `ids` is anything else.
  static func list(ids: String, of pins: PinSet) -> String? {
    guard let ids = JSONText.numbers(ids, limit: maximumIDs) else { return nil }
    return JSONText.array(ids.compactMap { id in id == 0 ? object(0, nil) : pins[id].map { object(id, $0) } })
  }

  static func ids(of pins: PinSet) -> String { JSONText.array(pins.ids.map { "\($0)" }) }

  private static func object(_ id: UInt32, _ pin: Pin?) -> String {
    JSONText.object([
      "id": "\(id)", "mode": JSONText.string(pin?.mode ?? ""), "type": JSONText.string(pin?.type ?? ""),
      "uri": JSONText.string(pin?.uri ?? ""), "title": JSONText.string(pin?.title ?? ""),
      "description": JSONText.string(pin?.description ?? ""),
      "artworkUri": JSONText.string(pin?.artworkURI ?? ""), "shuffle": "\(pin?.shuffles ?? false)",
    ])
  }
}

/// The codes are those of OpenHome's own player.
extension PinFault {
  var actionFault: ActionFault {
    switch self {
    case .indexOutOfRange: ActionFault(801, "Pin index out of range")
    case .invalidIDs: ActionFault(801, "Pin ids invalid")
    case .idNotFound: ActionFault(802, "Pin id not found")
    case .modeNotSupported: ActionFault(803, "Pin mode not supported")
    case .nothingToPlay: ActionFault(805, "Nothing to play")
    case .failed(let reason): ActionFault(805, reason)
    case .uriNotSupported: ActionFault(806, "Pin uri not supported")
    case .textTooLong: ActionFault(605)
    }
  }
}

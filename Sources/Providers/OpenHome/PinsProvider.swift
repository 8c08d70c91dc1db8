import DeviceStack
import Playback
import PlaybackModel
import SpeakerCore
import UPnP

/// Pins:1: the pins of the device. Account pins are not supported, so AccountMax is 0.
public final class PinsProvider: Pins1.Provider {
  /// Limit for each text of a pin, in bytes.
  private static let maximumBytes = 4096

  private let board: PinBoard
  /// Shared with the page, so that a newer invocation cancels an older one.
  package let invoker: PinInvoker
  private let variables: Pins1.Variables

  /// Call it on the player's executor, like all members of this class.
  /// - Parameter sources: the sources of this device.
  public init(
    player: Player, board: PinBoard, radio: RadioSource, playlist: PlaylistSource, sources: [Source]
  ) {
    self.board = board
    invoker = PinInvoker(
      player: player, radio: radio, playlist: playlist, sources: sources)
    variables = Pins1.Variables(Self.values(board.pins, invoker))
    let apply = { [weak self] in
      guard let self else { return }
      variables.apply(Self.values(self.board.pins, invoker))
    }
    board.observe(apply)
    invoker.onModes = apply
  }

  private static func values(_ pins: PinSet, _ invoker: PinInvoker) -> Pins1.Values {
    Pins1.Values(
      deviceMax: UInt32(PinSet.count), accountMax: 0, modes: modes(invoker), idArray: PinJSON.ids(of: pins),
      cloudConnected: false)
  }

  /// The service for a device to host.
  public var service: HostedService { Pins1.hosted(by: self, variables) }

  /// Continues an invocation that waits for the player.
  public func update(_ changes: PlayerChanges) { invoker.update(changes) }

  private static func modes(_ invoker: PinInvoker) -> String {
    JSONText.array(invoker.modes.map { JSONText.string($0.rawValue) })
  }

  // MARK: Reads

  public func getDeviceMax() -> Pins1.GetDeviceMaxOutput { Pins1.GetDeviceMaxOutput(deviceMax: UInt32(PinSet.count)) }

  public func getAccountMax() -> Pins1.GetAccountMaxOutput { Pins1.GetAccountMaxOutput(accountMax: 0) }

  public func getModes() -> Pins1.GetModesOutput { Pins1.GetModesOutput(modes: Self.modes(invoker)) }

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
    do throws(PinFault) {
      try Self.checkLength(pin)
      _ = try invoker.target(of: pin)
      try PinTarget.checkVersion(of: pin)
    } catch {
      throw error.actionFault
    }
    try change { pins throws(PinError) in try pins.set(pin, at: input.index) }
  }

  /// Always fails: account pins are not supported.
  public func setAccount(_ input: Pins1.SetAccountInput) throws(ActionFault) {
    throw PinFault.indexOutOfRange.actionFault
  }

  public func clear(_ input: Pins1.ClearInput) throws(ActionFault) {
    // Empty places have the id 0.
    if input.id == 0 { return }
    try change { pins throws(PinError) in try pins.clear(input.id) }
  }

  public func swap(_ input: Pins1.SwapInput) throws(ActionFault) {
    try change { pins throws(PinError) in try pins.swap(input.index1, input.index2) }
  }

  private func change(_ step: (inout PinSet) throws(PinError) -> Void) throws(ActionFault) {
    do throws(PinError) {
      try board.change(step)
    } catch {
      throw PinFault(error).actionFault
    }
  }

  private static func checkLength(_ pin: Pin) throws(PinFault) {
    let texts = [pin.type, pin.uri, pin.title, pin.description, pin.artworkURI]
    guard texts.allSatisfy({ $0.utf8.count <= maximumBytes }) else { throw .textTooLong }
  }

  // MARK: Playing

  public func invokeId(
    _ input: Pins1.InvokeIdInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    guard let pin = board.pins[input.id] else { throw PinFault.idNotFound.actionFault }
    try invoke(pin, reply)
  }

  public func invokeIndex(
    _ input: Pins1.InvokeIndexInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    let pin: Pin?
    do throws(PinError) {
      pin = try board.pins.pin(at: input.index)
    } catch {
      throw PinFault(error).actionFault
    }
    guard let pin else { throw PinFault.nothingToPlay.actionFault }
    try invoke(pin, reply)
  }

  public func invokeUri(
    _ input: Pins1.InvokeUriInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    try invoke(Pin(mode: input.mode, type: input.type, uri: input.uri, shuffles: input.shuffle), reply)
  }

  private func invoke(
    _ pin: Pin, _ reply: @escaping (Result<Void, ActionFault>) -> Void
  ) throws(ActionFault) {
    do throws(PinFault) {
      try invoker.invoke(pin) { result in reply(result.map { _ in }.mapError(\.actionFault)) }
    } catch {
      throw error.actionFault
    }
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
  init(_ error: PinError) {
    switch error {
    case .indexOutOfRange: self = .indexOutOfRange
    case .idNotFound: self = .idNotFound
    }
  }

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

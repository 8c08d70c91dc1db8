import DeviceStack
import UPnP

/// Pins:1 of the stand-in speaker.
final class StandInPinsService: Pins1.Provider {
  private static let invalidIndex = ActionFault(801, "Index invalid")
  private static let idNotFound = ActionFault(802, "Id not found")
  private static let modeNotSupported = ActionFault(803, "Mode not supported")
  private static let nothingToPlay = ActionFault(805, "Nothing to play")
  private static let uriNotSupported = ActionFault(806, "Uri not supported")
  private static let modeList = #"["url"]"#

  private let speaker: StandInSpeaker
  private lazy var variables = Pins1.Variables(values)

  init(_ speaker: StandInSpeaker) {
    self.speaker = speaker
    speaker.observe { [weak self] in self?.update() }
  }

  var service: HostedService { Pins1.hosted(by: self, variables) }

  private func update() { variables.apply(values) }

  private var values: Pins1.Values {
    .init(
      deviceMax: UInt32(StandInPinBoard.places), accountMax: 0, modes: Self.modeList,
      idArray: speaker.pins.idArray, cloudConnected: false)
  }

  func getDeviceMax() -> Pins1.GetDeviceMaxOutput { .init(deviceMax: values.deviceMax) }

  func getAccountMax() -> Pins1.GetAccountMaxOutput { .init(accountMax: values.accountMax) }

  func getModes() -> Pins1.GetModesOutput { .init(modes: values.modes) }

  func getIdArray() -> Pins1.GetIdArrayOutput { .init(idArray: values.idArray) }

  func getCloudConnected() -> Pins1.GetCloudConnectedOutput { .init(cloudConnected: false) }

  func readList(_ input: Pins1.ReadListInput) throws(ActionFault) -> Pins1.ReadListOutput {
    guard input.ids.hasPrefix("["), input.ids.hasSuffix("]") else { throw Self.invalidIndex }
    let words = input.ids.dropFirst().dropLast().split(separator: ",")
    let ids = words.compactMap { UInt32($0.filter { $0 != " " }) }
    guard ids.count == words.count else { throw Self.invalidIndex }
    return .init(list: speaker.pins.json(ids))
  }

  // MARK: Changes

  func setDevice(_ input: Pins1.SetDeviceInput) throws(ActionFault) {
    try checkIndex(input.index)
    try check(input.mode, input.uri)
    let pin = StandInPinBoard.Pin(
      mode: input.mode, type: input.type, uri: input.uri, title: input.title, description: input.description,
      artworkURI: input.artworkUri, shuffles: input.shuffle)
    speaker.change { $0.pins.set(pin, at: Int(input.index)) }
  }

  func setAccount(_ input: Pins1.SetAccountInput) throws(ActionFault) { throw Self.invalidIndex }

  func clear(_ input: Pins1.ClearInput) throws(ActionFault) {
    guard let index = speaker.pins.index(of: input.id) else { throw Self.idNotFound }
    speaker.change { $0.pins.set(nil, at: index) }
  }

  func swap(_ input: Pins1.SwapInput) throws(ActionFault) {
    try checkIndex(input.index1)
    try checkIndex(input.index2)
    speaker.change { $0.pins.swap(Int(input.index1), Int(input.index2)) }
  }

  // MARK: Playing

  func invokeId(_ input: Pins1.InvokeIdInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void)
    throws(ActionFault)
  {
    guard let index = speaker.pins.index(of: input.id) else { throw Self.idNotFound }
    try invoke(speaker.pins[index])
    reply(.success(()))
  }

  func invokeIndex(_ input: Pins1.InvokeIndexInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void)
    throws(ActionFault)
  {
    try checkIndex(input.index)
    try invoke(speaker.pins[Int(input.index)])
    reply(.success(()))
  }

  func invokeUri(_ input: Pins1.InvokeUriInput, _ reply: @escaping (Result<Void, ActionFault>) -> Void)
    throws(ActionFault)
  {
    try check(input.mode, input.uri)
    try invoke(StandInPinBoard.Pin(mode: input.mode, type: input.type, uri: input.uri))
    reply(.success(()))
  }

  private func invoke(_ pin: StandInPinBoard.Pin?) throws(ActionFault) {
    guard let pin else { throw Self.nothingToPlay }
    guard let path = pin.uri.firstRange(of: "&path="), let uri = pin.uri[path.upperBound...].percentDecoded else {
      throw Self.uriNotSupported
    }
    speaker.change { speaker in
      speaker.setChannel(0, uri, "")
      speaker.play(.radio)
    }
  }

  private func checkIndex(_ index: UInt32) throws(ActionFault) {
    guard index < StandInPinBoard.places else { throw Self.invalidIndex }
  }

  private func check(_ mode: String, _ uri: String) throws(ActionFault) {
    guard mode == "url" else { throw Self.modeNotSupported }
    guard !uri.isEmpty else { throw Self.uriNotSupported }
  }
}

/// The device pins of the stand-in speaker.
struct StandInPinBoard {
  struct Pin {
    var mode: String
    var type: String
    var uri: String
    var title = ""
    var description = ""
    var artworkURI = ""
    var shuffles = false
  }

  static let places = 6

  private var pins: [(id: UInt32, pin: Pin)?] = Array(repeating: nil, count: places)
  private var lastID: UInt32 = 0

  subscript(index: Int) -> Pin? { pins[index]?.pin }

  func index(of id: UInt32) -> Int? { pins.firstIndex { $0?.id == id } }

  var idArray: String { "[" + pins.map { "\($0?.id ?? 0)" }.joined(separator: ",") + "]" }

  mutating func set(_ pin: Pin?, at index: Int) {
    lastID += 1
    pins[index] = pin.map { (lastID, $0) }
  }

  mutating func swap(_ one: Int, _ other: Int) { pins.swapAt(one, other) }

  /// The pins with these ids as JSON. The id 0 means an empty pin.
  func json(_ ids: [UInt32]) -> String {
    let empty = Pin(mode: "", type: "", uri: "")
    let objects = ids.compactMap { id -> String? in
      guard let pin = id == 0 ? empty : index(of: id).flatMap({ self[$0] }) else { return nil }
      let texts: KeyValuePairs = [
        "mode": pin.mode, "type": pin.type, "uri": pin.uri, "title": pin.title, "description": pin.description,
        "artworkUri": pin.artworkURI,
      ]
      let members = texts.map { "\"\($0.key)\":\(Self.quoted($0.value))" }.joined(separator: ",")
      return "{\"id\":\(id),\(members),\"shuffle\":\(pin.shuffles)}"
    }
    return "[" + objects.joined(separator: ",") + "]"
  }

  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }
}

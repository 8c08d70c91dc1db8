import PlaybackModel

/// A section of the settings in the state database: named values in order. A name may occur more than once.
public struct StateText: Sendable, Equatable {
  struct Line: Sendable, Equatable {
    var key: String
    var value: String
  }

  private(set) var lines: [Line] = []

  public init() {}

  public mutating func add(_ key: String, _ value: some LosslessStringConvertible) {
    lines.append(Line(key: key, value: value.description))
  }

  /// The first value with the name; nil if there is none.
  public subscript(key: String) -> String? { lines.first { $0.key == key }?.value }

  /// The first value with the name, as a number or a Bool; nil if there is none or it is not one.
  public func value<T: LosslessStringConvertible>(_ key: String, as type: T.Type = T.self) -> T? {
    self[key].flatMap(T.init)
  }

  /// All values with the name, in order.
  public func values(_ key: String) -> [String] { lines.filter { $0.key == key }.map(\.value) }
}

extension SavedSpeaker {
  /// Reads saved settings; nil if they are invalid. Unknown keys, such as those of a later version, are ignored.
  public init?(_ text: StateText) {
    guard let volume = text.value("volume", as: Int.self), (0...100).contains(volume),
      let balance = text.value("balance", as: Int.self), BalanceScale.range.contains(balance),
      let isMuted = text.value("muted", as: Bool.self), let isStandby = text.value("standby", as: Bool.self),
      let source = text["source"].flatMap(Self.source)
    else { return nil }
    self.init(volume: volume, isMuted: isMuted, balance: balance, source: source, isStandby: isStandby)
  }

  public var text: StateText {
    var text = StateText()
    text.add("volume", volume)
    text.add("muted", isMuted)
    text.add("balance", balance)
    text.add("source", Self.text(of: source))
    text.add("standby", isStandby)
    return text
  }

  private static let program = "program "

  private static func text(of source: Source) -> String {
    if case .program(let name) = source { program + name.text } else { "\(source)" }
  }

  private static func source(_ text: String) -> Source? {
    guard text.hasPrefix(program) else { return Source.builtIn.first { "\($0)" == text } }
    return ProgramName(String(text.dropFirst(program.count))).map { .program($0) }
  }
}

extension RadioState {
  /// Reads a saved channel; nil if it is invalid. Unknown keys are ignored.
  public init?(_ text: StateText) {
    guard let uri = text["uri"], let metadata = text["metadata"], let presetID = text.value("preset", as: UInt32.self)
    else { return nil }
    self.init(uri: uri, metadata: metadata, presetID: presetID)
  }

  public var text: StateText {
    var text = StateText()
    text.add("uri", uri)
    text.add("metadata", metadata)
    text.add("preset", presetID)
    return text
  }
}

extension ReceiverState {
  /// Reads a saved sender; nil if it is invalid. Unknown keys are ignored.
  public init?(_ text: StateText) {
    guard let uri = text["uri"], let metadata = text["metadata"] else { return nil }
    self.init(uri: uri, metadata: metadata, isJoined: text.value("joined", as: Bool.self) ?? false)
  }

  public var text: StateText {
    var text = StateText()
    text.add("uri", uri)
    text.add("metadata", metadata)
    text.add("joined", isJoined)
    return text
  }
}

extension [RadioPreset] {
  /// Reads the presets that were added at run time; nil if they are invalid. Unknown keys are ignored.
  public init?(_ text: StateText) {
    let columns = ["title", "uri", "artwork"].map(text.values)
    guard columns.allSatisfy({ $0.count == columns[0].count }) else { return nil }
    self = columns[0].indices.map { row in
      RadioPreset(
        title: columns[0][row], uri: columns[1][row], artwork: columns[2][row].isEmpty ? nil : columns[2][row])
    }
  }

  public var text: StateText {
    reduce(into: StateText()) { text, preset in
      text.add("title", preset.title)
      text.add("uri", preset.uri)
      text.add("artwork", preset.artwork ?? "")
    }
  }
}

extension PinSet {
  /// Margin for ids assigned in the last second before a kill, which were not saved.
  private static let reserve: UInt32 = 100

  /// The keys of each pin, in order.
  private static let keys = ["place", "id", "mode", "type", "uri", "title", "description", "artwork", "shuffle"]

  /// Reads saved pins; nil if they are invalid. Unknown keys are ignored.
  public init?(_ text: StateText) {
    guard let nextID = text.value("next", as: UInt32.self), nextID > 0 else { return nil }
    let columns = Self.keys.map(text.values)
    guard let count = columns.first?.count, columns.allSatisfy({ $0.count == count }) else { return nil }
    self.init()
    for row in 0..<count {
      let values = columns.map { $0[row] }
      guard let index = Int(values[0]), places.indices.contains(index), places[index] == nil,
        let id = UInt32(values[1]), id > 0, self[id] == nil, let shuffles = Bool(values[8])
      else { return nil }
      let pin = Pin(
        mode: values[2], type: values[3], uri: values[4], title: values[5], description: values[6],
        artworkURI: values[7], shuffles: shuffles)
      places[index] = Place(id: id, pin: pin)
    }
    self.nextID = nextID
    skipUsedIDs()
  }

  /// The next id is saved with a margin, so that no id is reused after a kill.
  public var text: StateText {
    var text = StateText()
    text.add("next", nextID > .max - Self.reserve ? 1 : nextID + Self.reserve)
    for (index, place) in places.enumerated() {
      guard let place else { continue }
      let pin = place.pin
      let values = [
        "\(index)", "\(place.id)", pin.mode, pin.type, pin.uri, pin.title, pin.description, pin.artworkURI,
        "\(pin.shuffles)",
      ]
      for (key, value) in zip(Self.keys, values) { text.add(key, value) }
    }
    return text
  }
}

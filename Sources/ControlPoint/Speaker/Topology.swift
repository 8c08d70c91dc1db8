import UPnP

/// A source of an OpenHome player, such as its playlist, radio or an input (Product's SourceXml).
public struct SpeakerSource: Sendable, Hashable {
  /// The index for Product's SetSourceIndex.
  public var index: Int
  /// The name that the user has given it.
  public var name: String
  /// The name that stays the same when the user renames the source; empty on older players.
  public var systemName: String
  /// `Playlist`, `Radio`, `UpnpAv`, `Receiver`, `NetAux`, …
  public var type: String
  /// Whether controllers should show it.
  public var isVisible: Bool

  public init(index: Int, name: String, systemName: String = "", type: String, isVisible: Bool = true) {
    self.index = index
    self.name = name
    self.systemName = systemName
    self.type = type
    self.isVisible = isVisible
  }
}

/// The sources of a player.
public struct SpeakerSources: Sendable, Hashable {
  /// Number of sources; further ones are ignored.
  static let maximumSources = 256

  public var sources: [SpeakerSource]
  public var deviations: [Deviation]

  /// Reads Product's SourceXml leniently. A source that cannot be used keeps its index and is invisible.
  /// - Throws: `.malformed` if the text is not XML.
  public init(xml: String) throws(ControlPointError) {
    var log = DeviationLog(place: "SourceXml", source: "OpenHome Product:1")
    let root: XMLElement
    do throws(XMLReadingError) {
      let reading = try XMLDocument.read(Array(xml.utf8))
      for repair in reading.repairs { log.add(repair, source: "XML 1.0 §2.4") }
      root = reading.root
    } catch {
      throw .malformed("The list of sources is \(error).")
    }
    if root.name != "SourceList" { log.add("The document element is <\(root.name)> instead of <SourceList>.") }
    let elements = root.all("Source")
    if elements.count > Self.maximumSources { log.add("Sources after the first \(Self.maximumSources) are ignored.") }
    var sources: [SpeakerSource] = []
    for (index, element) in elements.prefix(Self.maximumSources).enumerated() {
      let place = "The source \(index)"
      let type = log.required(element.text("Type"), "Type", in: place)
      let systemName = element.text("SystemName") ?? ""
      let name = element.text("Name") ?? ""
      if name.isEmpty { log.add("\(place) has no Name.") }
      sources.append(
        SpeakerSource(
          index: index, name: name.isEmpty ? (systemName.isEmpty ? type : systemName) : name, systemName: systemName,
          type: type, isVisible: Self.isVisible(element.text("Visible"), place, &log) && !type.isEmpty))
    }
    self.sources = sources
    deviations = log.deviations
  }

  /// Whether a source is visible; true if the text is missing.
  private static func isVisible(_ text: String?, _ place: String, _ log: inout DeviationLog) -> Bool {
    switch text?.lowercased() {
    case "true", "1", "yes": return true
    case "false", "0", "no": return false
    default:
      log.add("\(place) has the visibility \"\(text ?? "")\" instead of true or false.")
      return true
    }
  }
}

/// The properties by which a user looks for a speaker: its room, its name and its sources.
public struct SpeakerProfile: Sendable, Hashable {
  /// The UDN.
  public var id: String
  public var room: String
  public var name: String
  public var sources: [SpeakerSource]
  /// Nil without sources, and if the player names one that it does not list.
  public var currentSource: SpeakerSource?
  /// Nil if the speaker has no standby.
  public var isInStandby: Bool?

  public init(
    id: String, room: String, name: String, sources: [SpeakerSource] = [], currentSource: SpeakerSource? = nil,
    isInStandby: Bool? = nil
  ) {
    self.id = id
    self.room = room
    self.name = name
    self.sources = sources
    self.currentSource = currentSource
    self.isInStandby = isInStandby
  }
}

/// The speakers that share a room.
public struct SpeakerRoom: Sendable, Hashable {
  public var name: String
  public var speakers: [SpeakerProfile]

  /// A room is in standby if all its speakers are.
  public var isInStandby: Bool { speakers.allSatisfy { $0.isInStandby ?? false } }

  /// Groups speakers by room, both in alphabetical order. Case and blanks around a room's name do not matter. A speaker
  /// without a room is a room of its own, with the speaker's name.
  public static func rooms(of speakers: [SpeakerProfile]) -> [SpeakerRoom] {
    func room(_ speaker: SpeakerProfile) -> String {
      let room = String(speaker.room.trimmingBlanks)
      return room.isEmpty ? speaker.name : room
    }
    func precedes(_ a: String, _ b: String) -> Bool { (a.lowercased(), a) < (b.lowercased(), b) }
    let rooms = Dictionary(grouping: speakers) { room($0).lowercased() }.values.map { members in
      let sorted = members.sorted { a, b in a.name == b.name ? a.id < b.id : precedes(a.name, b.name) }
      return SpeakerRoom(name: members.map(room).min(by: precedes) ?? "", speakers: sorted)
    }
    return rooms.sorted { precedes($0.name, $1.name) }
  }
}

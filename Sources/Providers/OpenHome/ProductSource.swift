import PlaybackModel
import UPnP

/// A source in Product's list. Types are those of OpenHome's own player: controllers recognise sources by them.
struct ProductSource {
  let source: Source
  let type: String
  /// Name and SystemName. Only those of programs are configurable.
  let name: String
  /// Whether controllers offer it for selection. UPnP AV is selected by the controller that plays through it.
  let isVisible: Bool

  init(_ source: Source) {
    self.source = source
    name = source.name
    switch source {
    case .playlist: (type, isVisible) = ("Playlist", true)
    case .radio: (type, isVisible) = ("Radio", true)
    case .upnpAV: (type, isVisible) = ("UpnpAv", false)
    case .receiver: (type, isVisible) = ("Receiver", true)
    // Sound that comes from elsewhere than the network's media servers.
    case .program: (type, isVisible) = ("NetAux", true)
    }
  }

  /// An element of SourceXml. Controllers compare Visible with `true`.
  fileprivate var xml: String {
    let name = XMLEscape.text(name)
    return "<Source><Name>\(name)</Name><Type>\(type)</Type><Visible>\(isVisible)</Visible>"
      + "<SystemName>\(name)</SystemName></Source>"
  }
}

/// The sources that Product lists, with SourceXml and its change count.
struct ProductSourceList {
  private(set) var sources: [ProductSource] = []
  private(set) var xml = ""
  /// SourceXmlChangeCount: 1 for the first list, as in OpenHome's own player.
  private(set) var changeCount: UInt32 = 0

  init(_ sources: [ProductSource]) { set(sources) }

  /// Replaces the list. The change counts only if SourceXml differs.
  mutating func set(_ sources: [ProductSource]) {
    let xml = "<SourceList>" + sources.map(\.xml).joined() + "</SourceList>"
    self.sources = sources
    guard xml != self.xml else { return }
    self.xml = xml
    changeCount &+= 1
  }
}

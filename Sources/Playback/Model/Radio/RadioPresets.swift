/// A stored station, from the configuration or added at run time.
public struct RadioPreset: Sendable, Hashable {
  public var title: String
  /// The address of the stream or of a playlist with it.
  public var uri: String
  public var artwork: String?

  public init(title: String, uri: String, artwork: String? = nil) {
    self.title = title
    self.uri = uri
    self.artwork = artwork
  }
}

/// The presets in order, each with an id.
///
/// Controllers cache presets by id, so the id is a hash of the preset: it survives restarts and changes with the
/// preset.
public struct RadioPresets: Sendable, Equatable {
  /// Radio's ChannelsMax.
  public static let maximumCount = 100

  private let presets: [UInt32: RadioPreset]
  /// The ids, in the order of the presets.
  public let ids: [UInt32]
  /// Changes with the ids.
  public let token: UInt32

  /// - Parameter presets: cut to `maximumCount`.
  public init(_ presets: [RadioPreset] = []) {
    var byID: [UInt32: RadioPreset] = [:]
    ids = presets.prefix(Self.maximumCount).map { preset in
      var id = Self.id(of: [preset.title, preset.uri, preset.artwork ?? ""])
      // A duplicate preset or a hash collision.
      while byID[id] != nil { id = id % Self.largestID + 1 }
      byID[id] = preset
      return id
    }
    self.presets = byID
    token = Self.id(of: ids.map { "\($0)" })
  }

  public var count: Int { ids.count }

  public subscript(id: UInt32) -> RadioPreset? { presets[id] }

  /// The id at an index from 0; nil beyond the end.
  public func id(at index: Int) -> UInt32? { ids.indices.contains(index) ? ids[index] : nil }

  /// The id of the preset at an offset from another one; nil beyond either end and for an unknown id.
  package func id(offset: Int, from id: UInt32) -> UInt32? {
    ids.firstIndex(of: id).flatMap { self.id(at: $0 + offset) }
  }

  /// The id of the first preset with the address.
  public func id(ofURI uri: String) -> UInt32? { ids.first { presets[$0]?.uri == uri } }

  /// Radio's IdArray: the ids as big-endian 32-bit numbers, padded with zeros to `maximumCount`.
  public var idArray: [UInt8] {
    let padded = ids + Array(repeating: 0, count: Self.maximumCount - ids.count)
    return padded.map(\.bigEndian).withUnsafeBytes { Array($0) }
  }

  /// Some controllers read ids as signed numbers.
  private static let largestID = UInt32(Int32.max)

  /// The 32-bit FNV-1a hash of the texts, separated by NUL; never 0.
  private static func id(of texts: [String]) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in texts.joined(separator: "\0").utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash % largestID + 1
  }
}

/// The radio's channel, which survives a restart.
public struct RadioState: Sendable, Equatable {
  /// Address of the channel; empty for none.
  public var uri: String
  public var metadata: String
  /// Id of the selected preset; 0 if the channel was not selected as a preset.
  public var presetID: UInt32

  public init(uri: String = "", metadata: String = "", presetID: UInt32 = 0) {
    self.uri = uri
    self.metadata = metadata
    self.presetID = presetID
  }
}

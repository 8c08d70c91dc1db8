/// The presets in their order, each with an id.
///
/// Controllers remember what they were told of an id. So an id is made of what the preset says: it is the same after a
/// restart, and another one as soon as the preset is another.
public struct RadioPresets: Sendable, Equatable {
  /// How many there may be.
  public static let maximumCount = 100

  private let presets: [UInt32: RadioPreset]
  /// In the order of the presets, as many as there are.
  public let ids: [UInt32]
  /// Another one whenever the ids are others.
  public let token: UInt32

  /// - Parameter presets: those beyond `maximumCount` are left out.
  public init(_ presets: [RadioPreset] = []) {
    var byID: [UInt32: RadioPreset] = [:]
    ids = presets.prefix(Self.maximumCount).map { preset in
      var id = Self.id(of: [preset.title, preset.uri, preset.artwork ?? ""])
      // The same preset twice, or the one chance in millions.
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

  /// The preset so many places behind another; nil beyond either end, and for what is no preset.
  package func id(_ step: Int, from id: UInt32) -> UInt32? {
    ids.firstIndex(of: id).flatMap { self.id(at: $0 + step) }
  }

  /// The first preset with the address; nil if there is none.
  public func id(ofURI uri: String) -> UInt32? { ids.first { presets[$0]?.uri == uri } }

  /// The ids, four bytes each, the highest first, and zeros in place of those that are missing: the service's IdArray.
  public var idArray: [UInt8] {
    let padded = ids + Array(repeating: 0, count: Self.maximumCount - ids.count)
    return padded.map(\.bigEndian).withUnsafeBytes { Array($0) }
  }

  /// So that they are numbers with and without a sign.
  private static let largestID = UInt32(Int32.max)

  /// FNV-1a, 32 bits, of the texts and where they end; never 0.
  private static func id(of texts: [String]) -> UInt32 {
    var hash: UInt32 = 2_166_136_261
    for byte in texts.joined(separator: "\0").utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash % largestID + 1
  }
}

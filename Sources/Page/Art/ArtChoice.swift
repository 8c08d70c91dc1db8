import ControlPoint
import UPnP

/// Chooses among the pictures of an object by their DLNA profile (DLNA guidelines part 1, 7.3.61). A pure decision.
package enum ArtChoice {
  package enum Use {
    /// A line of a list, some 100 pixels.
    case list
    /// The whole screen.
    case full
  }

  /// The longest edge that a profile allows, in pixels. Pictures without a profile count as `unknownEdge`, a usual size
  /// of covers.
  private static let edges = [
    "JPEG_TN": 160, "PNG_TN": 160, "GIF_LRG": 1600, "JPEG_SM": 640, "JPEG_MED": 1024, "JPEG_LRG": 4096,
    "PNG_LRG": 4096,
  ]
  private static let unknownEdge = 600
  /// The longest edge of pictures that are too small for the whole screen.
  private static let smallEdge = 160
  /// The smallest edge that looks sharp in a list on a high-density screen.
  private static let sufficientEdge = 120

  /// The URL of the picture that suits a use; nil if there is none.
  static func url(_ artworks: [MediaObject.Artwork], for use: Use) -> String? {
    let sized = artworks.map { (uri: $0.uri, edge: $0.profile.flatMap { edges[$0] } ?? unknownEdge) }
    // Of equal sizes, the first one in the server's order is chosen.
    switch use {
    case .list:
      let sufficient = sized.filter { $0.edge >= sufficientEdge }
      return (sufficient.isEmpty ? sized : sufficient).min { $0.edge < $1.edge }?.uri
    case .full: return sized.max { $0.edge < $1.edge }?.uri
    }
  }

  /// The track whose own picture may be sharper than all that the server offers; nil if one of these is large enough.
  /// The track is a file, because a station would be opened a second time.
  static func track(_ object: MediaObject) -> MediaResource? {
    guard isSmall(object) else { return nil }
    return object.resources.first { $0.protocolInfo.mimeType.hasPrefix("audio/") && $0.size != nil }
  }

  /// Whether the server offers nothing larger than a line of a list needs.
  static func isSmall(_ object: MediaObject) -> Bool {
    object.artworks.allSatisfy { $0.profile.flatMap { edges[$0] } ?? unknownEdge <= smallEdge }
  }

  /// The icon of a device that suits a list.
  static func url(_ icons: [DeviceDescription.Icon]) -> String? {
    let usable = icons.filter {
      ["image/png", "image/jpeg", "image/jpg", "image/gif"].contains($0.mimeType.lowercased())
    }
    let sufficient = usable.filter { $0.width >= sufficientEdge }
    return (sufficient.min { $0.width < $1.width } ?? usable.max { $0.width < $1.width })?.url.description
  }
}

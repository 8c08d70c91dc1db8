import PlaybackModel

/// A pin, for display.
package struct PinItem: Encodable, Sendable, Equatable {
  package var index: Int
  package var id: UInt32
  package var title: String
  package var description: String
  package var art: String?
  package var mode: String
  package var type: String

  /// All pins, in the order of their places.
  package static func list(_ pins: PinSet, art: ArtLinks) -> [PinItem] {
    pins.ids.enumerated().compactMap { index, id in
      pins[id].map { pin in
        PinItem(
          index: index, id: id, title: pin.title, description: pin.description, art: art.path(for: pin.artworkURI),
          mode: pin.mode, type: pin.type)
      }
    }
  }
}

import PlaybackModel

/// A radio preset, for display.
package struct PresetItem: Encodable, Sendable, Equatable {
  package var id: UInt32
  package var title: String
  package var uri: String
  package var art: String?
  /// The address of the picture, for changing it.
  package var artUri: String?
  /// Whether it comes from the configuration file.
  package var readOnly: Bool

  /// All presets in order.
  package static func list(_ list: PresetList, art: ArtLinks) -> [PresetItem] {
    list.presets.ids.compactMap { id in
      list.presets[id].map { preset in
        PresetItem(
          id: id, title: preset.title, uri: preset.uri, art: art.path(for: preset.artwork),
          artUri: preset.artwork, readOnly: list.isReadOnly(id))
      }
    }
  }
}

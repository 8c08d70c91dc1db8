import Page
import PlaybackModel
import PlaybackStore

extension TrackLists.Storage {
  private static let index = "lists"

  /// The lists in the speaker's state: their names in one section, each list in a section of its own.
  init(_ store: StateStore) {
    var names = store.load(Self.index)?.values("name") ?? []
    self.init(saved: names.map { ($0, Self.tracks(store.load(Self.section($0)))) }) { name, tracks in
      store.keep(
        tracks.reduce(into: StateText()) { text, track in
          text.add("uri", track.uri)
          text.add("metadata", track.metadata)
        }, as: Self.section(name))
      guard names.contains(name) == tracks.isEmpty else { return }
      if tracks.isEmpty { names.removeAll { $0 == name } } else { names.append(name) }
      store.keep(names.reduce(into: StateText()) { $0.add("name", $1) }, as: Self.index)
    }
  }

  private static func section(_ name: String) -> String { "list: \(name)" }

  private static func tracks(_ text: StateText?) -> [PlaylistTrack] {
    zip(text?.values("uri") ?? [], text?.values("metadata") ?? []).map { PlaylistTrack(uri: $0, metadata: $1) }
  }
}

import ControlPoint

/// The discs of albums whose server does not number them, by the folders in which their tracks are.
enum Discs {
  /// The containers of tracks that have the same number on the same album, and no disc.
  static func containers(of tracks: [MediaObject]) -> [String] {
    albums(in: tracks).flatMap { containers(ofAlbum: $0) }
  }

  /// Numbers the discs by the titles of their containers. Albums with a container that has no title stay as they are.
  static func numbered(_ tracks: [MediaObject], _ titles: [String: String]) -> [MediaObject] {
    var discs: [String: [String: Int]] = [:]
    for album in albums(in: tracks) {
      let containers = containers(ofAlbum: album)
      let keys = containers.compactMap { id in titles[id].map { (id: id, key: key($0)) } }
      guard keys.count == containers.count, Set(keys.map(\.key)).count == keys.count else { continue }
      let order = keys.sorted { $0.key < $1.key }.map(\.id)
      discs[album.first.map(name) ?? ""] = Dictionary(
        uniqueKeysWithValues: order.enumerated().map { ($0.element, $0.offset + 1) })
    }
    return tracks.map { track in
      var track = track
      track.originalDiscNumber = track.originalDiscNumber ?? discs[name(track)]?[track.parentID]
      return track
    }
  }

  private static func name(_ track: MediaObject) -> String {
    "\(FoldedText.folded(track.album ?? "")) \(FoldedText.folded(track.artist ?? ""))"
  }

  private static func albums(in tracks: [MediaObject]) -> [[MediaObject]] {
    Array(Dictionary(grouping: tracks.filter { $0.album != nil }, by: name).values)
  }

  private static func containers(ofAlbum tracks: [MediaObject]) -> [String] {
    let numbers = tracks.map { $0.originalTrackNumber }
    guard tracks.allSatisfy({ $0.originalDiscNumber == nil }), Set(numbers).count < numbers.count else { return [] }
    let containers = Set(tracks.map(\.parentID))
    return containers.count > 1 ? containers.sorted() : []
  }

  /// The title with numbers of equal length, so that CD 10 follows CD 9.
  private static func key(_ title: String) -> String {
    var key = ""
    var digits = ""
    for character in FoldedText.folded(title) + "." {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else {
        if !digits.isEmpty { key += String(repeating: "0", count: max(0, 9 - digits.count)) + digits }
        digits = ""
        key.append(character)
      }
    }
    return key
  }
}

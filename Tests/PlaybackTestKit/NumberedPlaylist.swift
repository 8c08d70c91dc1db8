import PlaybackModel

package enum NumberedPlaylist {
  /// A list of tracks 1, 2, … with a current one.
  package static func list(_ count: Int, current: UInt32 = 1, repeats: Bool = false) -> Playlist {
    var list = Playlist()
    for number in 0..<count { _ = try? list.insert(track(number), after: UInt32(number)) }
    if count > 0 { try? list.select(current) }
    list.setRepeats(repeats)
    return list
  }

  package static func track(_ number: Int) -> PlaylistTrack {
    PlaylistTrack(uri: "http://host/\(number)", metadata: "<m>\(number)</m>")
  }
}

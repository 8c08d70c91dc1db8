import ControlPoint
import Glibc
import MediaFiles
import UPnP

/// A track with the address and metadata that a renderer needs.
package struct ServedTrack: Sendable, Hashable {
  /// The local file; nil for a URL in a playlist.
  package var path: String?
  package var url: String
  /// Its `didlLite` is the metadata for SetAVTransportURI and a playlist's Insert.
  package var object: MediaObject
}

extension FileServer {
  /// Serves the files of a folder and their covers.
  ///
  /// Reads the tags of all files, which takes about a millisecond for each, and blocks.
  /// - Returns: the tracks in the order in which to play them: by disc and track for an album, otherwise by name.
  package func publish(_ folder: MediaFolder) -> [ServedTrack] {
    let entries = folder.entries.map { entry in
      if case .file(let path) = entry { (entry, AudioTags(path: path) ?? AudioTags()) } else { (entry, AudioTags()) }
    }
    let ordered =
      folder.isPlaylist ? entries : TrackOrder.sorted(entries, name: { Self.name($0.0) }, tags: { $0.1 })
    return ordered.compactMap { entry, tags in
      switch entry {
      case .file(let path): track(path, tags, cover: folder.cover)
      case .url(let url, let title): Self.track(url, title: title)
      }
    }
  }

  /// The tracks of a playlist file with nothing but URLs; nil if it has files to serve.
  package static func links(_ folder: MediaFolder) -> [ServedTrack]? {
    var tracks: [ServedTrack] = []
    for entry in folder.entries {
      guard case .url(let url, let title) = entry else { return nil }
      tracks.append(track(url, title: title))
    }
    return tracks
  }

  private static func name(_ entry: MediaFolder.Entry) -> String {
    switch entry {
    case .file(let path): FileType.name(path)
    case .url(let url, _): url
    }
  }

  private static func track(_ url: String, title: String?) -> ServedTrack {
    let title = title.flatMap { $0.isEmpty ? nil : $0 } ?? DIDLLite.title(ofURI: url)
    return ServedTrack(
      path: nil, url: url, object: MediaObject(title: title, resources: [MediaResource(uri: url)]))
  }

  /// - Returns: nil if the file is not known as audio.
  private func track(_ path: String, _ tags: AudioTags, cover: String?) -> ServedTrack? {
    guard let mimeType = FileType.audio(path), let url = url(ofFile: path) else { return nil }
    let resource = MediaResource(
      uri: url, protocolInfo: ProtocolInfo("http-get:*:\(mimeType):\(DLNAFeatures(mimeType: mimeType).text)"),
      duration: tags.duration, size: Self.size(path), bytesPerSecond: tags.bitRate.map { $0 / 8 },
      sampleFrequency: tags.sampleRate, bitsPerSample: tags.bitsPerSample, channels: tags.channels)
    var artists: [MediaObject.Artist] = []
    if let artist = tags.artist { artists.append(.init(artist)) }
    if let artist = tags.albumArtist { artists.append(.init(artist, role: "AlbumArtist")) }
    let picture =
      tags.pictureType.map { self.url(ofPictureIn: path, mimeType: $0) } ?? cover.flatMap { self.url(ofFile: $0) }
    let object = MediaObject(
      title: tags.title ?? FileType.stem(path), creator: tags.artist, artists: artists, album: tags.album,
      genres: tags.genre.map { [$0] } ?? [], date: tags.year.map { "\(Self.fourDigits($0))-01-01" },
      originalTrackNumber: tags.track, originalDiscNumber: tags.disc, albumArtURIs: picture.map { [$0] } ?? [],
      resources: [resource])
    return ServedTrack(path: path, url: url, object: object)
  }

  private static func fourDigits(_ number: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 4 - text.count)) + text
  }

  /// The size in bytes; nil if the file has vanished.
  private static func size(_ path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_size) : nil
  }
}

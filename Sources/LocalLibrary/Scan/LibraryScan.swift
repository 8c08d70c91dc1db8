import Glibc
import MediaFiles
import SQLite

/// One pass through folders that makes the index match the files.
final class LibraryScan {
  /// A folder that is being scanned.
  private struct Place {
    var folder: OpenFolder
    /// As configured and shown.
    var path: String
    /// Without links in the path of the configured folder: as in the table of mounts.
    var realPath: String
    var id: Int64
    var parent: Int64
    var depth: Int
    var mountPoint: String
    var volume: Int64
    /// The folder with the cover.
    var art: Int64?
    /// Whether to scan all folders in it, not only new ones.
    var isDeep: Bool
  }

  private static let maximumProblems = 20
  private static let maximumPlaylistEntries = 500_000

  private(set) var problemCount = 0
  private(set) var problems: [String] = []
  private(set) var isTruncated = false
  private(set) var scanned = 0
  /// Whether folders are on other machines.
  var hasRemoteFolders: Bool { volumes.keys.contains { mounts.isRemote($0) } }

  private let index: LibraryIndex
  private let settings: LibrarySettings
  private let mounts: MountTable
  private let watch: FolderWatch
  /// Called after each file; whether to go on.
  private let progress: (LibraryScan) throws(DatabaseError) -> Bool
  private var volumes: [String: Int64] = [:]
  /// Disks that the index knew before.
  private let knownVolumes: Set<Int64>
  private var playlistEntries: Int
  private var isStopped = false

  init(
    index: LibraryIndex, settings: LibrarySettings, mounts: MountTable, watch: FolderWatch,
    progress: @escaping (LibraryScan) throws(DatabaseError) -> Bool
  ) throws(DatabaseError) {
    self.index = index
    self.settings = settings
    self.mounts = mounts
    self.watch = watch
    self.progress = progress
    knownVolumes = Set(try index.database.rows("SELECT DISTINCT volume FROM folder") { $0.integer(0) })
    playlistEntries = try index.playlistEntryCount()
  }

  // MARK: Where to scan

  func scanEverything() throws(DatabaseError) {
    for old in try index.subfolders(of: 0)
    where !settings.folders.contains(where: { LibrarySettings.isBelow(old.path, $0) }) {
      try index.forget(old.path)
    }
    for root in settings.folders { try scan(root, isDeep: true) }
  }

  /// Scans a folder, or the nearest one above that exists.
  /// - Parameter isDeep: whether to scan all folders in it, not only new ones.
  func scan(_ path: String, isDeep: Bool) throws(DatabaseError) {
    guard let root = settings.folders.first(where: { LibrarySettings.isBelow(path, $0) }) else { return }
    let rootFolder: OpenFolder
    do throws(FileFailure) {
      rootFolder = try OpenFolder(root: root)
    } catch {
      report("\(root): \(error)")
      // The disk with it may return.
      return try index.vanish(root, volume: nil)
    }
    let realRoot = Self.realPath(root)
    var candidate = path
    while candidate != root {
      let parent = String(candidate[..<(candidate.lastIndex(of: "/") ?? candidate.startIndex)])
      if let above = try index.folder(Self.id(parent)),
        let folder = try? rootFolder.folder(at: candidate.dropFirst(root.count))
      {
        let real = realRoot + candidate.dropFirst(root.count)
        return try scan(
          place(
            folder, path: candidate, realPath: real, parent: above.id,
            depth: candidate.dropFirst(root.count).count { $0 == "/" }, art: above.art,
            isDeep: isDeep && candidate == path))
      }
      candidate = parent
    }
    try scan(
      place(rootFolder, path: root, realPath: realRoot, parent: 0, depth: 0, art: nil, isDeep: isDeep && root == path))
  }

  private func place(
    _ folder: OpenFolder, path: String, realPath: String, parent: Int64, depth: Int, art: Int64?, isDeep: Bool
  ) -> Place {
    let mountPoint = mounts.mountPoint(of: realPath)
    let volume = volumes[mountPoint] ?? mounts.volume(at: mountPoint, blocks: folder.blocks)
    volumes[mountPoint] = volume
    return Place(
      folder: folder, path: path, realPath: realPath, id: Self.id(path), parent: parent, depth: depth,
      mountPoint: mountPoint, volume: volume, art: art, isDeep: isDeep)
  }

  static func id(_ path: String) -> Int64 { LibraryID.hash("folder", path) }

  private static func realPath(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  // MARK: Folders

  private func scan(_ place: Place) throws(DatabaseError) {
    guard !isStopped else { return }
    // Watched before it is read, so that no change is lost.
    watch.add(place.folder, id: place.id)
    var listing = place.folder.entries(limit: settings.maximumEntries)
    // The first spelling of a name is shown, so that the order must not depend on the file system.
    listing.entries.sort { $0.name < $1.name }
    if listing.unreadable > 0 { report("\(place.path): names that are not UTF-8: \(listing.unreadable)") }
    if listing.isTooLarge { truncate("\(place.path): more than \(settings.maximumEntries) entries") }
    var place = place
    let cover = FileType.cover(among: listing.entries.filter { $0.kind != .folder }.map(\.name))
    if cover != nil { place.art = place.id }
    try index.put(
      LibraryIndex.Folder(
        id: place.id, parent: place.parent, volume: place.volume, path: place.path, cover: cover, art: place.art))
    var tracks = try index.tracks(in: place.id)
    var playlists = try index.playlists(in: place.id)
    var subfolders: Set<String> = []
    for entry in listing.entries {
      guard !isStopped else { return }
      if entry.kind == .folder {
        subfolders.insert(entry.name)
        continue
      }
      let isAudio = FileType.audio(entry.name) != nil
      let format = FileType.playlist(entry.name)
      if entry.kind == .file, !isAudio, format == nil { continue }
      switch place.folder.status(of: entry.name) {
      case .folder: subfolders.insert(entry.name)
      case .file(let facts):
        if isAudio {
          try scanTrack(entry.name, facts, known: tracks.removeValue(forKey: entry.name), in: place)
        } else if let format {
          try scanPlaylist(entry.name, format, facts, known: playlists.removeValue(forKey: entry.name), in: place)
        }
      case .other: break
      case .failure(let failure):
        if failure.isMissing { continue }
        report("\(place.path)/\(entry.name): \(failure)")
        listing.isIncomplete = true
      }
    }
    // A file that was not seen may still exist.
    if !listing.isIncomplete { try removeMissing(tracks, playlists, in: place) }
    try scanSubfolders(subfolders, of: place, isComplete: !listing.isIncomplete)
  }

  private func removeMissing(
    _ tracks: [String: LibraryIndex.KnownFile], _ playlists: [String: LibraryIndex.KnownFile], in place: Place
  ) throws(DatabaseError) {
    for file in tracks.values {
      if file.volume == place.volume {
        try index.remove(.id(file.id))
      } else if file.isPresent {
        try index.setPresent(false, .id(file.id))
      }
    }
    for file in playlists.values {
      if file.volume == place.volume {
        try index.remove(playlist: file.id, in: place.id)
      } else if file.isPresent {
        try index.setPresent(false, playlist: file.id, in: place.id)
      }
    }
  }

  private func scanSubfolders(_ names: Set<String>, of place: Place, isComplete: Bool) throws(DatabaseError) {
    let known = try index.subfolders(of: place.id)
    if isComplete {
      for folder in known where !names.contains(FileType.name(folder.path)) {
        try index.vanish(folder.path, volume: place.volume)
      }
    }
    let knownPaths = Set(known.map(\.path))
    for name in names.sorted() {
      let path = "\(place.path)/\(name)"
      if !place.isDeep, knownPaths.contains(path) { continue }
      guard place.depth < settings.maximumDepth else {
        truncate("\(path): more than \(settings.maximumDepth) folders deep")
        continue
      }
      let folder: OpenFolder
      do throws(FileFailure) {
        folder = try place.folder.folder(named: name)
      } catch {
        if !error.isMissing { report("\(path): \(error)") }
        continue
      }
      var sub = self.place(
        folder, path: path, realPath: "\(place.realPath)/\(name)", parent: place.id, depth: place.depth + 1,
        art: place.art, isDeep: true)
      // The cover of a disk does not come from the folder in which it is mounted.
      if sub.mountPoint != place.mountPoint { sub.art = nil }
      try scan(sub)
      guard !isStopped else { return }
    }
  }

  // MARK: Files

  private func scanTrack(
    _ name: String, _ facts: OpenFolder.Facts, known: LibraryIndex.KnownFile?, in place: Place
  ) throws(DatabaseError) {
    try countFile()
    if let known, known.size == facts.size, known.modified == facts.modified, known.volume == place.volume {
      if !known.isPresent { try index.setPresent(true, .id(known.id)) }
      return
    }
    guard known != nil || index.trackCount < settings.maximumTracks else {
      return truncate("more than \(settings.maximumTracks) tracks")
    }
    guard let mimeType = FileType.audio(name), facts.size > 0 else { return }
    var tags = AudioTags()
    var size = facts.size
    do throws(FileFailure) {
      let file = try place.folder.file(named: name)
      defer { close(file.descriptor) }
      size = file.facts.size
      // A file without readable tags may still be playable.
      tags = AudioTags(descriptor: file.descriptor, name: name) ?? tags
    } catch {
      if !error.isMissing { report("\(place.path)/\(name): \(error)") }
      return
    }
    // The first look at a disk finds old files.
    let now = Int64(time(nil))
    let added = knownVolumes.contains(place.volume) ? now : min(now, facts.modified / 1_000_000_000)
    try index.put(
      ScannedTrack(
        name: name, folder: place.id, path: place.path, volume: place.volume, size: size, modified: facts.modified,
        added: added, mimeType: mimeType, tags: tags))
  }

  private func scanPlaylist(
    _ name: String, _ format: PlaylistFile.Format, _ facts: OpenFolder.Facts, known: LibraryIndex.KnownFile?,
    in place: Place
  ) throws(DatabaseError) {
    try countFile()
    if let known, known.size == facts.size, known.modified == facts.modified, known.volume == place.volume {
      if !known.isPresent { try index.setPresent(true, playlist: known.id, in: place.id) }
      return
    }
    guard let file = try? place.folder.file(named: name) else { return }
    defer { close(file.descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: PlaylistFile.maximumBytes + 1) { buffer, count in
      count = max(read(file.descriptor, buffer.baseAddress, buffer.count), 0)
    }
    var entries = PlaylistFile.entries(bytes, format: format).compactMap { Self.entry($0, folder: place.path) }
    if entries.count > PlaylistFile.maximumEntries {
      entries.removeLast(entries.count - PlaylistFile.maximumEntries)
      report("\(place.path)/\(name): more than \(PlaylistFile.maximumEntries) entries; the rest is left out")
    } else if bytes.count > PlaylistFile.maximumBytes {
      report("\(place.path)/\(name): more than \(PlaylistFile.maximumBytes >> 20) MiB; the rest is left out")
    }
    guard playlistEntries + entries.count <= Self.maximumPlaylistEntries else {
      return truncate("more than \(Self.maximumPlaylistEntries) entries in playlists")
    }
    playlistEntries += entries.count
    try index.put(
      ScannedPlaylist(
        folder: place.id, path: place.path, volume: place.volume, name: name, size: facts.size,
        modified: facts.modified, title: FileType.stem(name), entries: entries))
  }

  private static func entry(_ entry: PlaylistFile.Entry, folder: String) -> ScannedPlaylist.Entry? {
    if PlaylistFile.isURL(entry.location) {
      return .link(entry.location, title: entry.title.flatMap { $0.isEmpty ? nil : $0 } ?? entry.location)
    }
    guard let path = PlaylistFile.path(entry.location, folder: folder), FileType.audio(path) != nil else { return nil }
    var parts: [Substring] = []
    // Backslashes are those of Windows.
    for part in path.split(whereSeparator: { $0 == "/" || $0 == "\\" }) where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return .file("/" + parts.joined(separator: "/"))
  }

  // MARK: Reports

  private func countFile() throws(DatabaseError) {
    scanned += 1
    if try !progress(self) { isStopped = true }
  }

  private func truncate(_ problem: String) {
    if !isTruncated { report("\(problem); the rest is left out") }
    isTruncated = true
  }

  private func report(_ problem: String) {
    problemCount += 1
    if problems.count < Self.maximumProblems { problems.append(problem) }
  }
}

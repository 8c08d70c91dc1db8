import MediaFiles
import Testing

@testable import LocalLibrary

/// Decisions without files.
@Suite struct DecisionTests {
  // MARK: Albums

  @Test(arguments: [
    ("Album", "Album", nil), ("Album (Disc 2)", "Album", 2), ("Album [CD3]", "Album", 3),
    ("Album, Disk 1", "Album", 1), ("Album - CD 12", "Album", 12), ("Album CD 2", "Album CD 2", nil),
    ("(Disc 1)", "(Disc 1)", nil), ("Abcd 2", "Abcd 2", nil), ("Album (Live 2)", "Album (Live 2)", nil),
    ("Album (Disc 0)", "Album (Disc 0)", nil), ("Album (Disc 2]", "Album (Disc 2]", nil), ("", "", nil),
  ])
  func discsInTitles(title: String, album: String, disc: Int?) {
    let result = AlbumIdentity.withoutDisc(title)
    #expect(result.title == album)
    #expect(result.disc == disc)
  }

  @Test(arguments: [
    ("/m/Album/CD1", "/m/Album", 1), ("/m/Album/Disc 02", "/m/Album", 2), ("/m/Album/disk_3", "/m/Album", 3),
    ("/m/Album", "/m/Album", nil), ("/m/Album/ABCD 2", "/m/Album/ABCD 2", nil), ("/CD1", "/CD1", nil),
    ("/m/Album/CD", "/m/Album/CD", nil),
  ])
  func discsInFolders(path: String, album: String, disc: Int?) {
    let result = AlbumIdentity.withoutDiscFolder(path)
    #expect(result.path == album)
    #expect(result.disc == disc)
  }

  private func identity(
    _ album: String?, by albumArtist: String? = nil, in folder: String = "/m", release: String? = nil,
    isCompilation: Bool = false
  ) -> AlbumIdentity? {
    var tags = AudioTags()
    tags.album = album
    tags.albumArtists = albumArtist.map { [$0] } ?? []
    tags.albumID = release
    tags.isCompilation = isCompilation
    return AlbumIdentity(tags, folder: folder)
  }

  @Test func whichTracksAreOneAlbum() {
    #expect(identity(nil) == nil)
    // Without an album artist, by folder.
    #expect(identity("A", in: "/m/x")?.id == identity("a", in: "/m/x/CD2")?.id)
    #expect(identity("A", in: "/m/x")?.id != identity("A", in: "/m/y")?.id)
    // With one, in any folder.
    #expect(identity("A", by: "B", in: "/m/x")?.id == identity("Ä (Disc 1)", by: "b", in: "/m/y")?.id)
    #expect(identity("A", by: "B")?.id != identity("A", by: "C")?.id)
    #expect(identity("A", in: "/m/x", isCompilation: true)?.id == identity("A", by: "various artists", in: "/m/y")?.id)
    #expect(identity("A", by: "B", release: "X")?.id == identity("A+", by: "C", release: "x")?.id)
  }

  // MARK: Texts

  @Test(arguments: [
    ("Beyoncé", "beyonce"), ("BEYONCE\u{301}", "beyonce"), ("Straße", "strasse"), ("Œuvre", "oeuvre"),
    ("日本", "日本"), ("Łódź", "lodz"), ("", ""),
  ])
  func foldedTexts(text: String, folded: String) { #expect(SortText.folded(text) == folded) }

  @Test func keysSortNaturally() {
    let sorted = ["01 a", "2", "10", "Äpfel", "apple 2", "Apple 10", "b", "日本"]
    #expect(sorted.shuffled().sorted { SortText.key($0) < SortText.key($1) } == sorted)
    #expect(SortText.key(" The") == SortText.key("the"))
  }

  @Test func hashesNeverChange() {
    #expect(LibraryID.hash("file", "/srv/music/a.flac") == 0xFC_E353_3C66_436F)
    #expect(LibraryID.hash("file", "") != LibraryID.hash("", "file"))
  }

  // MARK: Disks

  private static let table = """
    22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
    40 22 8:17 / /media/USB\\040Disk rw - vfat /dev/sdb1 rw
    41 22 0:50 /music /srv/nas rw,relatime - nfs4 nas:/export rw
    garbage
    """

  @Test func mountPoints() {
    let table = MountTable(Self.table)
    #expect(table.mounts.count == 3)
    #expect(table.mountPoint(of: "/media/USB Disk/Album") == "/media/USB Disk")
    #expect(table.mountPoint(of: "/media/USB Disk 2") == "/")
    #expect(table.isRemote("/srv/nas"))
    #expect(!table.isRemote("/"))
    let volume = table.volume(at: "/media/USB Disk", blocks: 1000)
    // The name of the device may change, its size does not.
    let other = MountTable(Self.table.replacing("/dev/sdb1", with: "/dev/sdc1"))
    #expect(other.volume(at: "/media/USB Disk", blocks: 1000) == volume)
    #expect(table.volume(at: "/media/USB Disk", blocks: 2000) != volume)
    #expect(table.volume(at: "/srv/nas", blocks: 1) == table.volume(at: "/srv/nas", blocks: 2))
    #expect(other.changes(from: table, near: "/media") == ["/media/USB Disk"])
    #expect(other.changes(from: table, near: "/srv").isEmpty)
    #expect(MountTable("").changes(from: table, near: "/srv/nas/x") == ["/srv/nas", "/"])
  }

  // MARK: Times

  @Test func changesAreScannedAfterAPause() {
    var schedule = ScanSchedule()
    #expect(schedule.due == nil)
    schedule.filesChanged(1, now: .seconds(100))
    schedule.filesChanged(1, now: .seconds(100.5))
    schedule.folderChanged("/a", now: .seconds(101))
    #expect(schedule.take(now: .seconds(101.5)) == nil)
    #expect(schedule.take(now: .seconds(102)) == .parts(files: [1], folders: ["/a"]))
    #expect(schedule.due == nil)
  }

  @Test func endlessChangesDoNotDelayForever() {
    var schedule = ScanSchedule()
    for tenth in 0..<100 { schedule.filesChanged(1, now: .milliseconds(tenth * 100)) }
    #expect(schedule.due == .seconds(10))
  }

  @Test func lostEventsAndUnwatchedFolders() {
    var schedule = ScanSchedule()
    schedule.filesChanged(1, now: .zero)
    schedule.everythingChanged(now: .zero)
    #expect(schedule.take(now: .seconds(1)) == .everything)
    schedule.scanned(isWatched: false, now: .seconds(2))
    #expect(schedule.due == .seconds(3602))
    schedule.filesChanged(1, now: .seconds(10))
    #expect(schedule.take(now: .seconds(11)) == .parts(files: [1], folders: []))
    #expect(schedule.take(now: .seconds(3602)) == .everything)
    schedule.scanned(isWatched: true, now: .seconds(3603))
    #expect(schedule.due == nil)
    for folder in 1...1001 { schedule.filesChanged(Int64(folder), now: .zero) }
    #expect(schedule.take(now: .seconds(1)) == .everything)
  }
}

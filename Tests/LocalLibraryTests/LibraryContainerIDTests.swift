import LocalLibrary
import Testing

@Suite struct LibraryContainerIDTests {
  @Test(arguments: [
    ("0", LibraryContainerID.root), ("albums", .list(.albums)), ("albums/1f", .entry(.albums, 0x1F)),
    ("artists/a/ff", .album(.artists, 0xA, album: 0xFF)), ("years/7cf", .entry(.years, 1999)),
    ("folders/7fffffffffffffff", .entry(.folders, .max)),
  ])
  func texts(text: String, id: LibraryContainerID) {
    #expect(LibraryContainerID(text) == id)
    #expect(id.text == text)
  }

  @Test(arguments: [
    "", "1", "00", "album", "albums/", "albums/0", "albums/01", "albums/A", "albums/-1", "albums/+1", "albums/1/2",
    "tracks/1", "artists/1/2/3", "artists/1/", "/artists", "../etc", "albums/8000000000000000", "albums/ 1",
  ])
  func otherTexts(text: String) { #expect(LibraryContainerID(text) == nil) }

  @Test func covers() {
    #expect(LibraryCoverID("t1f") == .embedded(0x1F))
    #expect(LibraryCoverID("f2") == .folder(2))
    for text in ["", "t", "x1", "t0", "f-1"] { #expect(LibraryCoverID(text) == nil) }
  }
}

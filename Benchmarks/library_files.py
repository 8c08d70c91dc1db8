"""Makes many small FLAC files with tags, for measurements and tests of the library."""

import pathlib
import struct

#: Words of names; every album and artist has another combination.
WORDS = (
    "amber birch cedar delta ember frost grove harbor island jade kindle lunar meadow north ocean pine quiet river stone "
    "timber umber velvet willow xenon yellow zephyr"
).split()


def flac(tags, picture=b"", seconds=180, rate=44100):
    """A FLAC file without sound: its header, the tags, a list of pairs, and a cover."""
    total = seconds * rate
    info = struct.pack(">HH", 4096, 4096) + bytes(6) + struct.pack(">Q", rate << 44 | 1 << 41 | 15 << 36 | total) + bytes(16)
    comments = [f"{name}={value}".encode() for name, value in tags]
    comment = struct.pack("<I", 4) + b"test" + struct.pack("<I", len(comments))
    comment += b"".join(struct.pack("<I", len(text)) + text for text in comments)
    blocks = [(0, info), (4, comment)]
    if picture:
        kind = b"image/jpeg"
        blocks.append((
            6, struct.pack(">II", 3, len(kind)) + kind + struct.pack(">IIIIII", 0, 1, 1, 24, 0, len(picture)) + picture,
        ))
    last = len(blocks) - 1
    head = b"".join(
        struct.pack(">I", (index == last) << 31 | kind << 24 | len(block)) + block
        for index, (kind, block) in enumerate(blocks)
    )
    # One frame's sync code, then zeros, so that readers find where the sound begins.
    return b"fLaC" + head + b"\xff\xf8\xc9\x18" + bytes(400)


def name(number):
    """Two words for a number."""
    return f"{WORDS[number % 26].title()} {WORDS[number // 26 % 26].title()}"


def make(folder, count, per_album=12, picture=b"\xff\xd8\xff" + bytes(20_000)):
    """Writes files of `count` tracks: an album each dozen, an artist each five albums, every third with an embedded cover."""
    folder = pathlib.Path(folder)
    for number in range(0, count, per_album):
        album = number // per_album
        artist = f"{name(album // 5)} {album // 5}"
        title = f"{name(album * 7)} {album}"
        path = folder / artist / title
        path.mkdir(parents=True, exist_ok=True)
        if album % 3 == 1:
            (path / "cover.jpg").write_bytes(picture)
        for track in range(1, min(per_album, count - number) + 1):
            tags = [
                ("TITLE", f"{name(number + track)} No. {track}"), ("ARTIST", artist), ("ALBUM", title),
                ("ALBUMARTIST", artist), ("COMPOSER", f"{name(album)} Composer"),
                ("GENRE", WORDS[album % 20].title()), ("DATE", str(1960 + album % 60)), ("TRACKNUMBER", str(track)),
            ]
            data = flac(tags, picture if album % 3 == 0 else b"")
            (path / f"{track:02} {WORDS[track % 26]}.flac").write_bytes(data)


if __name__ == "__main__":
    import sys

    make(sys.argv[1], int(sys.argv[2]))

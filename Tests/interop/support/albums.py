"""Albums of generated tones with tags and covers, and MiniDLNA for them."""

import pathlib
import subprocess

from processes import Process


def make_album(folder: pathlib.Path, title, artist, movements, cover=None, rate=44100, bits=16, seconds=lambda track: 20):
    """Writes an album as FLAC files. `cover` is a JPEG, also within the files; by default, the folder has a plain one."""
    album = folder / title
    album.mkdir(parents=True)
    pictures = []
    if cover:
        pictures = ["-i", str(album / "cover.jpg"), "-map", "0:a", "-map", "1:v", "-c:v", "copy", "-disposition:v", "attached_pic"]
        (album / "cover.jpg").write_bytes(cover)
    else:
        _ffmpeg("-f", "lavfi", "-i", "color=c=teal:s=160x160", "-frames:v", "1", str(album / "cover.jpg"))
    for track, movement in enumerate(movements, 1):
        tone = f"sine=frequency={200 + 40 * track}:duration={seconds(track)}:sample_rate={rate}"
        tags = {"title": movement, "artist": artist, "album": title, "track": track, "genre": "Classical"}
        metadata = [part for name, value in tags.items() for part in ("-metadata", f"{name}={value}")]
        depth = ["-sample_fmt", "s16"] if bits == 16 else ["-sample_fmt", "s32", "-bits_per_raw_sample", str(bits)]
        _ffmpeg("-f", "lavfi", "-i", tone, *pictures, "-ac", "2", *depth, "-compression_level", "0", *metadata, str(album / f"{track:02} {movement}.flac"))


def _ffmpeg(*arguments):
    subprocess.run(["ffmpeg", "-v", "error", *arguments], check=True, stdin=subprocess.DEVNULL)


def serve_albums(machine, folder: pathlib.Path, music: pathlib.Path, name="Music on the NAS", port=8200):
    """MiniDLNA on a machine, with its files below `folder`."""
    settings = folder / "minidlna.conf"
    settings.write_text(
        f"media_dir=A,{music}\nfriendly_name={name}\ndb_dir={folder}/minidlna\nlog_dir={folder}\n"
        f"album_art_names=cover.jpg\nnetwork_interface=eth0\nport={port}\n"
        # MiniDLNA would derive it from the network card, and two servers on one machine would share it.
        f"uuid=4d696e69-444c-164e-9d41-00000000{port}\ninotify=no\nnotify_interval=2\nroot_container=M\n"
    )
    return Process(*machine.command("minidlnad", "-S", "-f", str(settings), "-P", str(folder / "minidlna.pid")))

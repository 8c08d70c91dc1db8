"""Measures the music library: the time and memory of the first scan, and how fast lists are answered.

The files are made by `library_files`. Reading them takes little time in this measurement: they are in the page cache, and small.
"""

import argparse
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import library_files

QUERIES = [
    "--browse", "0", "--browse", "albums", "--browse", "artists", "--browse", "genres", "--browse", "recent",
    "--browse", "tracks", "--browse", "folders",
    "--search", 'upnp:class derivedfrom "object.item.audioItem" and dc:title contains "amber"',
    "--search", 'upnp:class derivedfrom "object.container.album" and upnp:artist contains "ow"',
    "--search", '(dc:title contains "stone" or upnp:artist contains "stone") and upnp:class derivedfrom "object.item"',
]  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=".build-release/run-library", help="run-library")
    parser.add_argument("--tracks", type=int, default=50_000)
    parser.add_argument("--folder", help="keeps the files here for the next run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        music = pathlib.Path(options.folder or temporary) / f"music-{options.tracks}"
        if not music.exists():
            library_files.make(music, options.tracks)
        index = pathlib.Path(temporary) / "index"
        index.mkdir()
        command = [options.program, "--index", str(index), str(music), "--limit", "100", *QUERIES]
        begin = time.monotonic()
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        print(f"first scan    {time.monotonic() - begin:.1f} s with the queries")
        print(f"processor     {usage.ru_utime + usage.ru_stime:.1f} s")
        print(f"peak memory   {usage.ru_maxrss / 1024:.1f} MB of the whole program")
        print(f"index         {sum(f.stat().st_size for f in index.iterdir()) / 1e6:.0f} MB")
        for line in done.stdout.splitlines():
            if re.search(r" ms$|^\d+ tracks", line):
                print(line)
        begin = time.monotonic()
        subprocess.run(command[:4], check=True, capture_output=True)
        print(f"second scan   {time.monotonic() - begin:.1f} s")


if __name__ == "__main__":
    sys.exit(main())

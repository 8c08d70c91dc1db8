"""The audio files and their samples."""

import pathlib
import subprocess
import sys
import wave

from processes import ROOT

FOLDER = ROOT / ".build/fixtures"


class Fixture:
    """A row of the index: an audio file and the properties of its samples."""

    def __init__(self, line):
        name, rate, bits, channels, frames, samples = line.split("\t")
        self.name = name
        self.rate, self.bits, self.channels, self.frames = int(rate), int(bits), int(channels), int(frames)
        self.path = None if samples == "-" else FOLDER / samples

    @property
    def seconds(self):
        return self.frames / self.rate

    def pcm(self):
        """The samples as a sink receives them: 16 bits, or 24 bits in the lower three of four bytes."""
        packed = self.path.read_bytes()
        if self.bits == 16:
            return packed
        wide = bytearray(len(packed) // 3 * 4)
        for byte in range(3):
            wide[byte::4] = packed[byte::3]
        wide[3::4] = bytes(0xFF if top & 0x80 else 0 for top in packed[2::3])
        return bytes(wide)

    @property
    def bytes_per_second(self):
        return self.rate * self.channels * (2 if self.bits == 16 else 4)


def make():
    """The fixtures by name. Creates the files if they are missing."""
    subprocess.run([sys.executable, str(ROOT / "Tests/fixtures/make.py"), str(FOLDER)], check=True)
    return {
        fixture.name: fixture
        for fixture in map(Fixture, (FOLDER / "index.tsv").read_text(encoding="ascii").splitlines())
    }


class Music:
    """A folder with `music.flac`: 16-bit noise of the given length."""

    def __init__(self, folder: pathlib.Path, fixtures, seconds, rate=44100, channels=2):
        noise = fixtures["noise12-44100-16-2-30s.wav"].pcm()
        self.bytes_per_second = rate * channels * 2
        length = seconds * self.bytes_per_second
        self.samples = (noise * (length // len(noise) + 1))[:length]
        self.folder = folder
        folder.mkdir()
        source, target = folder / "music.wav", folder / "music.flac"
        with wave.open(str(source), "wb") as file:
            file.setnchannels(channels)
            file.setsampwidth(2)
            file.setframerate(rate)
            file.writeframes(self.samples)
        subprocess.run(["flac", "--totally-silent", "--seekpoint=1s", "-o", target, source], check=True)
        #: In bits per second.
        self.bit_rate = target.stat().st_size * 8 / seconds


def swapped(pcm, width):
    """The samples with reversed byte order."""
    result = bytearray(len(pcm))
    for byte in range(width):
        result[byte::width] = pcm[width - 1 - byte :: width]
    return bytes(result)


class Capture:
    """A file that a renderer writes its samples to. `output` is the value for --output."""

    def __init__(self, folder: pathlib.Path, realtime=True):
        self.path = folder / "captured.pcm"
        # Buffers are written when they are due, so the file has what a listener would have heard.
        self.output = f"filesink location={self.path} buffer-mode=unbuffered sync={'true' if realtime else 'false'}"

    @property
    def size(self):
        return self.path.stat().st_size if self.path.exists() else 0

    def read(self):
        return self.path.read_bytes() if self.path.exists() else b""

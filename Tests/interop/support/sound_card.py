"""A fake ALSA sound card (Tests/SoundCardStandIn): it accepts only configured formats, can be unplugged, and has a mixer."""

from processes import ROOT

#: Built with the tests, even if the program under test is another build.
LIBRARY = ROOT / ".build/debug/libsound-card-stand-in.so"


class Card:
    """The ALSA device `stand_in`, for programs started with `environment()`."""

    output = "alsa:stand_in"
    #: From -60 to 0 dB, in steps of 0.5 dB.
    MIXER = ("volume Master 0 120 120 120 -6000 50", "switch Master 1 1")

    def __init__(self, folder, formats="S16_LE S32_LE", rates="44100 48000", channels="2", mixer=MIXER, drift=0):
        self._folder = folder / "card"
        self._folder.mkdir(parents=True)
        self._drift = drift
        self.set_mixer(*mixer)
        (self._folder / "asoundrc").write_text(
            f"""
            </usr/share/alsa/alsa.conf>
            pcm_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            ctl_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            pcm.stand_in {{
              type swiftlet_stand_in
              folder "{self._folder}" formats "{formats}" rates "{rates}" channels "{channels}" drift "{drift}"
            }}
            ctl.stand_in {{ type swiftlet_stand_in folder "{self._folder}" }}
            """
        )

    def environment(self):
        """The command prefix that gives a program this card."""
        return ("env", f"ALSA_CONFIG_PATH={self._folder}/asoundrc")

    def mark(self, name, is_there=True):
        """Sets or clears a condition: `gone`, `busy` (used by another program), `forbidden`, one `xrun`, or `timeline`."""
        if is_there:
            (self._folder / name).touch()
        else:
            (self._folder / name).unlink()

    @property
    def recording(self):
        """The samples that it played, without silent frames."""
        path = self._folder / "recording"
        return path.read_bytes() if path.exists() else b""

    def heard_at(self, frame, rate, size):
        """When a frame of the recording was heard: the clock of time.monotonic(). Needs `timeline`; frames have `size` bytes."""
        starts = [line.split()[1:] for line in self.log if line.startswith("start ")]
        seconds, byte = [(float(second), int(byte)) for second, byte in starts if int(byte) <= frame * size][-1]
        return seconds + (frame - byte / size) / rate / (1 + self._drift / 1e6)

    def has_sounded(self):
        """Whether it played anything but silence."""
        return any(self.recording)

    def _lines(self, name):
        path = self._folder / name
        return path.read_text(encoding="ascii").splitlines() if path.exists() else []

    @property
    def log(self):
        """Its events, in order: `open`, `format S16_LE 48000 2`, `xrun`, `close`, `mixer open`, `mixer close`."""
        return self._lines("log")

    @property
    def formats(self):
        """The formats it was configured for, in order."""
        return [line.removeprefix("format ") for line in self.log if line.startswith("format ")]

    def is_open(self):
        """Whether a program has it open."""
        return [line for line in self.log if line in ("open", "close")][-1:] == ["open"]

    def controls(self):
        """The lines of its mixer."""
        return self._lines("mixer")

    def set_mixer(self, *lines):
        """Replaces its controls, as another program would."""
        other = self._folder / "mixer.other"
        other.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        other.rename(self._folder / "mixer")

"""A sound card for ALSA that is none (Tests/SoundCardStandIn): it takes only the forms that it is made with, can be pulled
out, and has a mixer."""

from processes import ROOT

#: Built with the tests, wherever the program under test comes from.
LIBRARY = ROOT / ".build/debug/libsound-card-stand-in.so"


class Card:
    """The ALSA device `stand_in`, for programs that run in its environment."""

    output = "alsa:stand_in"
    #: From -60 to 0 dB, in steps of 0.5 dB.
    MIXER = ("volume Master 0 120 120 120 -6000 50", "switch Master 1 1")

    def __init__(self, folder, formats="S16_LE S32_LE", rates="44100 48000", channels="2", mixer=MIXER):
        self._folder = folder / "card"
        self._folder.mkdir()
        self.set_mixer(*mixer)
        (self._folder / "asoundrc").write_text(
            f"""
            </usr/share/alsa/alsa.conf>
            pcm_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            ctl_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            pcm.stand_in {{
              type swiftlet_stand_in
              folder "{self._folder}" formats "{formats}" rates "{rates}" channels "{channels}"
            }}
            ctl.stand_in {{ type swiftlet_stand_in folder "{self._folder}" }}
            """
        )

    def environment(self):
        """What runs a program on a machine with this card."""
        return ("env", f"ALSA_CONFIG_PATH={self._folder}/asoundrc")

    def mark(self, name, is_there=True):
        """It is `gone`, `busy` with another program, or `forbidden`; it has an `xrun`."""
        if is_there:
            (self._folder / name).touch()
        else:
            (self._folder / name).unlink()

    @property
    def recording(self):
        """The samples that it was given, without silence in between."""
        path = self._folder / "recording"
        return path.read_bytes() if path.exists() else b""

    def has_sounded(self):
        """Whether it was given samples that are not silence."""
        return any(self.recording)

    def _lines(self, name):
        path = self._folder / name
        return path.read_text(encoding="ascii").splitlines() if path.exists() else []

    @property
    def log(self):
        """What was done to it: `open`, `format S16_LE 48000 2`, `xrun`, `close`, `mixer open`, `mixer close`."""
        return self._lines("log")

    @property
    def forms(self):
        """The forms that it was set to, in order."""
        return [line.removeprefix("format ") for line in self.log if line.startswith("format ")]

    def is_open(self):
        """Whether a program has it."""
        return [line for line in self.log if line in ("open", "close")][-1:] == ["open"]

    def controls(self):
        """The lines of its mixer."""
        return self._lines("mixer")

    def set_mixer(self, *lines):
        """Moves its controls, as another program would."""
        other = self._folder / "mixer.other"
        other.write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        other.rename(self._folder / "mixer")

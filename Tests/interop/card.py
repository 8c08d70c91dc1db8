"""A sound card for ALSA that is none, which can be pulled out (Tests/SoundCardStandIn)."""

from processes import ROOT

#: Built with the tests, wherever the program under test comes from.
LIBRARY = ROOT / ".build/debug/libsound-card-stand-in.so"


class Card:
    """The ALSA device `stand_in`, for programs that run in its environment."""

    output = "alsa:stand_in"

    def __init__(self, folder):
        self._folder = folder / "card"
        self._folder.mkdir()
        (self._folder / "asoundrc").write_text(
            f"""
            </usr/share/alsa/alsa.conf>
            pcm_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            ctl_type.swiftlet_stand_in {{ lib "{LIBRARY}" }}
            pcm.stand_in {{
              type swiftlet_stand_in folder "{self._folder}" formats "S16_LE" rates "44100 48000" channels "2"
            }}
            ctl.stand_in {{ type swiftlet_stand_in folder "{self._folder}" }}
            """
        )
        # From -60 to 0 dB, in steps of 0.5 dB.
        (self._folder / "mixer").write_text("volume Master 0 120 120 120 -6000 50\nswitch Master 1 1\n")

    def environment(self):
        """What runs a program on a machine with this card."""
        return ("env", f"ALSA_CONFIG_PATH={self._folder}/asoundrc")

    def mark(self, name, is_there=True):
        """It is `gone`, or `busy` with another program; it has an `xrun`."""
        if is_there:
            (self._folder / name).touch()
        else:
            (self._folder / name).unlink()

    def has_sounded(self):
        """Whether it was given samples that are not silence."""
        recording = self._folder / "recording"
        return recording.exists() and any(recording.read_bytes())

    def is_open(self):
        """Whether a program has it."""
        log = self._folder / "log"
        lines = log.read_text().splitlines() if log.exists() else []
        return [line for line in lines if line in ("open", "close")][-1:] == ["open"]

    def controls(self):
        """The lines of its mixer."""
        return (self._folder / "mixer").read_text().splitlines()

"""Two speakers on one machine, as units of swiftlet@.service start them."""

import contextlib
import os
import subprocess

import pytest

import network
import soap
from page_api import Page
from processes import MEDIA_SERVER, PATIENCE, SWIFTLET, Process, wait_until
from sound import FOLDER
from sound_card import Card

pytestmark = network.needs_namespaces


class Speaker:
    """A speaker with a configuration, folders and a sound card of its own."""

    def __init__(self, machine, client, folder, name):
        self._client = client
        self.card = Card(folder / name)
        self._configuration = folder / f"{name}.toml"
        self._configuration.write_text(f'name = "{name}"\noutput = "{self.card.output}"\n')
        folders = [f"{kind}_DIRECTORY={folder}/{kind}-{name}" for kind in ("STATE", "CACHE", "RUNTIME")]
        for assignment in folders:
            os.mkdir(assignment.partition("=")[2])
        self._environment = (*self.card.environment(), *folders)
        self.process = Process(
            *machine.command(*self._environment, SWIFTLET, "--wait-for-output", "--config", str(self._configuration))
        )
        self.url = self.process.wait_for(r"http://192\.0\.2\.1:\d+/renderer/\S*").group()
        self.page = Page(self.url, machine=client)

    def __call__(self, service, action, **arguments):
        return self._client.do(lambda: soap.Service(self.url, service)(action, InstanceID=0, **arguments))

    def play(self, url):
        self("AVTransport", "SetAVTransportURI", CurrentURI=url, CurrentURIMetaData="")
        self("AVTransport", "Play", Speed=1)

    @property
    def status(self):
        command = (*self._environment, SWIFTLET, "status", "--config", str(self._configuration))
        return subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=True).stdout


@pytest.fixture
def speakers(here, there, tmp_path):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    with contextlib.ExitStack() as stack:
        made = []
        for name in ("Bath", "Kitchen"):
            made.append(Speaker(here, there, tmp_path, name))
            stack.callback(made[-1].process.stop)
        yield made


def test_two_speakers_live_together(speakers, here, point, fixtures):
    answers = point.find(until=lambda answers: len({answer.usn for answer in answers}) == 2)
    assert {answer.location for answer in answers} == {speaker.url for speaker in speakers}
    server = Process(*here.command(MEDIA_SERVER, "--folder", str(FOLDER)))
    names = ("noise1-44100-16-2-3s.flac", "noise2-44100-16-2-3s.flac")
    try:
        base = server.wait_for(r"http://127\.0\.0\.1:\d+").group()
        for speaker, name in zip(speakers, names, strict=True):
            speaker.play(f"{base}/{name}")
        for speaker in speakers:
            wait_until(lambda speaker=speaker: speaker("AVTransport", "GetTransportInfo")["CurrentTransportState"] == "STOPPED")
    finally:
        server.stop()
    for speaker, name in zip(speakers, names, strict=True):
        assert speaker.card.recording == fixtures[name].pcm()
    bath, kitchen = speakers
    bath("RenderingControl", "SetVolume", Channel="Master", DesiredVolume=20)
    assert kitchen("RenderingControl", "GetVolume", Channel="Master")["CurrentVolume"] == "100"
    for speaker, name, volume in ((bath, "Bath", 20), (kitchen, "Kitchen", 100)):
        state = speaker.page.get("/api/state").json
        assert (state["speaker"]["name"], state["volume"]["level"]) == (name, volume)
        assert f"{name}, Swiftlet" in speaker.status

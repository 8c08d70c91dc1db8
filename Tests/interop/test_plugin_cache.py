"""The file in which GStreamer caches what a speaker needs of its plugins."""

import pathlib
import signal
import subprocess

import pytest
from async_upnp_client.profiles.dlna import TransportState


@pytest.fixture
def cache(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    return folder


def registry(cache):
    return cache / "swiftlet/gstreamer.registry"


def environment(cache, *more):
    return ("env", "--unset=CACHE_DIRECTORY", f"XDG_CACHE_HOME={cache}", *more)


def elements(file):
    """The names of the elements in the file."""
    found = subprocess.run(
        ["gst-inspect-1.0"], env={"GST_REGISTRY": str(file), "GST_REGISTRY_UPDATE": "no", "PATH": "/usr/bin:/bin"},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return {line.split(":")[1].strip() for line in found.stdout.splitlines() if line.count(":") >= 2}


async def test_the_first_start_writes_a_file_without_video_and_encoders(start, controlling, media, cache, tmp_path):
    first = start(before=environment(cache))
    async with controlling(first.description_url) as controller:
        await controller.play(media.url("noise12-44100-16-2-30s.flac"))
        await controller.wait_for_state(TransportState.PLAYING)
    found = elements(registry(cache))
    assert {"uridecodebin", "flacparse", "flacdec", "souphttpsrc", "qtdemux", "alsasink"} <= found
    assert not {"flacenc", "oggmux", "theoradec", "videoconvert"} & found

    # The program has started itself again, and is still the same for its observers.
    assert pathlib.Path(f"/proc/{first.process.pid}/comm").read_text() == "swiftlet\n"
    written = registry(cache).stat()
    assert first.stop(signal.SIGTERM)[0] == 0

    second = start(before=environment(cache))
    assert second.description_url
    assert registry(cache).stat() == written


def test_a_damaged_file_is_replaced(start, cache):
    registry(cache).parent.mkdir()
    registry(cache).write_bytes(b"no registry")
    assert start(before=environment(cache)).description_url
    assert "flacparse" in elements(registry(cache))


def test_it_starts_without_a_folder_for_the_file(start, cache):
    (cache / "swiftlet").write_text("a file where the folder should be")
    assert start(before=environment(cache)).description_url


def test_a_bin_as_output_can_use_any_element(start, cache):
    renderer = start(output="volume ! fakesink sync=true", before=environment(cache))
    assert renderer.description_url
    assert not registry(cache).exists()


def test_a_bin_that_becomes_the_output_later_needs_a_restart(start, cache, tmp_path):
    path = tmp_path / "swiftlet.toml"
    path.write_text('output = "null"\n')
    renderer = start(output=None, before=environment(cache), more=("--config", str(path)))
    assert renderer.description_url
    path.write_text('output = "volume ! fakesink sync=true"\n')
    renderer.process.send_signal(signal.SIGHUP)
    renderer.wait_for_log('no element "volume".*Restart swiftlet')


def test_a_registry_that_the_environment_names_is_not_changed(start, cache):
    own = cache / "own.registry"
    assert start(before=environment(cache, f"GST_REGISTRY={own}")).description_url
    assert not registry(cache).exists()
    assert {"flacparse", "flacenc", "videoconvert"} <= elements(own)

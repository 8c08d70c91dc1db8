"""Fixtures: renderers, controllers, media servers, and machines on virtual networks."""

import contextlib
import functools

import pytest

import bluetooth
import controller as controllers
import isolation
import sound
from browser import Browser, SpeakerAtHome
from checker import Checker
from network import ControlPoint, Machine, NetworkedRenderer, connect
from processes import MediaServer, Renderer, running_renderer
from subscriber import Subscriber

# Fixtures for MQTT.
pytest_plugins = ("broker", "fake_broker")


def pytest_configure(config):
    """Moves each pytest-xdist worker into its own network namespace."""
    if hasattr(config, "workerinput"):
        isolation.enter_own_network()


@pytest.fixture(scope="session")
def fixtures():
    """The audio files by name."""
    return sound.make()


@pytest.fixture(scope="session")
def media(fixtures):
    """The media server over the audio files."""
    server = MediaServer(sound.FOLDER)
    yield server
    server.stop()


@pytest.fixture(scope="session")
async def notify_server():
    """The HTTP server that receives the events of all controllers."""
    async with controllers.notify_server() as server:
        yield server


@pytest.fixture
def controlling(notify_server):
    """Makes controllers: `async with controlling(url) as controller`."""
    return functools.partial(controllers.controlling, notify_server)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """A speaker and its neighbour. Modules may override it for other options or contents."""
    speaker = SpeakerAtHome(tmp_path_factory.mktemp("home"))
    yield speaker
    speaker.close()


@pytest.fixture(scope="module")
def music(home, fixtures):
    """Returns the address of an audio file that the neighbour of `home` serves."""
    base = home.serve(sound.FOLDER)

    def music(name="noise12-44100-16-2-30s.flac"):
        assert name in fixtures
        return f"{base}/{name}"

    return music


@pytest.fixture(scope="module")
def chromium(home):
    browser = Browser(home.there, home.folder)
    yield browser
    browser.close()


@pytest.fixture
def browser(home, chromium):
    """The browser on the neighbour. Its pages are closed at the end, and none of them may have reported an error."""
    yield chromium
    assert not chromium.close_pages()
    assert home.renderer.process.poll() is None


@pytest.fixture(scope="module")
def check(tmp_path_factory):
    """Runs `swiftlet-control check` against Swiftlet and gmediarender."""
    checker = Checker(tmp_path_factory.mktemp("check"))
    yield checker
    checker.close()


@pytest.fixture
def start(tmp_path):
    """Starts renderers. They are stopped at the end, and their logs are shown if the test fails."""
    running = []

    def start(**options):
        renderer = Renderer(options.pop("state", tmp_path / "state"), **options)
        running.append(renderer)
        return renderer

    yield start
    with contextlib.ExitStack() as stack:
        for renderer in running:
            # Runs in reverse order: each renderer is stopped even if another one crashed, and then its log is printed.
            stack.callback(lambda renderer=renderer: print("\n".join(renderer.out + renderer.err)))
            stack.callback(renderer.stop)


@pytest.fixture(scope="module")
def module_renderer(tmp_path_factory):
    """The renderer behind `shared_renderer`. Modules may override it for other options."""
    with running_renderer(tmp_path_factory.mktemp("shared")) as renderer:
        yield renderer


@pytest.fixture
def shared_renderer(module_renderer):
    """A renderer that tests of a module share, for tests that neither depend on its state nor leave any behind."""
    begin = len(module_renderer.err)
    yield module_renderer
    if module_renderer.process.poll() is not None:
        # Raises Crashed in the test during which it happened.
        module_renderer.stop()
    print("\n".join(module_renderer.err[begin:]))


@pytest.fixture
def renderer(start):
    """A renderer with the silent output `null`, which plays in real time."""
    return start()


@pytest.fixture
async def controller(renderer, controlling):
    """A subscribed controller of `renderer`."""
    async with controlling(renderer.description_url) as controller:
        yield controller


@pytest.fixture
def capture(tmp_path):
    """A file that an output writes to in real time."""
    return sound.Capture(tmp_path)


@pytest.fixture
async def recorded(start, capture, controlling):
    """A subscribed controller of a renderer that plays into `capture`, at full volume."""
    async with controlling(start(output=capture.output).description_url) as controller:
        await controller.dmr.async_set_volume_level(1.0)
        yield controller


@pytest.fixture
def subscriber():
    """Creates event listeners, which are closed at the end."""
    with contextlib.ExitStack() as stack:

        def subscriber(*arguments, **options):
            made = Subscriber(*arguments, **options)
            stack.callback(made.close)
            return made

        yield subscriber


@pytest.fixture
def machine():
    """Creates machines, each a network namespace."""
    made = []

    def machine():
        made.append(Machine())
        return made[-1]

    yield machine
    for one in made:
        one.remove()


@pytest.fixture
def here(machine):
    """The machine that the renderer runs on."""
    return machine()


@pytest.fixture
def there(machine, here):
    """The neighbour at the other end of the cable in eth0, with the address 192.0.2.2. `here` has no address yet."""
    there = machine()
    connect(here, "eth0", there, "eth0")
    there.ip("address", "add", "192.0.2.2/24", "dev", "eth0")
    return there


@pytest.fixture
def start_on(tmp_path):
    """Starts renderers on machines: `start_on(machine)`. Stops them at the end, and prints their output for failures."""
    running = []

    def start_on(machine, **options):
        running.append(NetworkedRenderer(machine, options.pop("state", tmp_path / "state"), **options))
        return running[-1]

    yield start_on
    for renderer in running:
        renderer.stop()
        print("\n".join(renderer.out + renderer.err))


@pytest.fixture
def listen():
    """Starts control points on machines."""
    points = []

    def listen(machine, interface="eth0"):
        points.append(ControlPoint(machine, interface))
        return points[-1]

    yield listen
    for point in points:
        point.close()


@pytest.fixture
def point(listen, there):
    return listen(there)


@pytest.fixture
def blue(tmp_path):
    """A private bus on which BlueZ can be started."""
    with bluetooth.bluetooth(tmp_path) as made:
        yield made


@pytest.fixture
def bluez(blue):
    """BlueZ with an adapter."""
    bluez = blue.start()
    bluez.do("add_adapter")
    return bluez

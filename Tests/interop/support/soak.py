"""soak.py [MINUTES]: runs a renderer under random load and checks memory, descriptors, threads and stored state.

Controllers of both devices send random actions from the SCPDs, and regularly let one format play undisturbed;
subscribers come and go, some without unsubscribing; servers misbehave; cables and addresses change. Everything happens in
a private network namespace.
"""

import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

import soap
import sound
from random_load import (
    CABLES, COMMANDS_A_SECOND, INSTANCE, SHORTEST_SUBSCRIPTION, Controllers, Listener, Media, Networks, Subscribers,
    actions, create_cables,
)
from attacked_renderer import Resources, Thread
from processes import MediaServer, Renderer, wait_until

MOST_SUBSCRIPTIONS = 512
#: Set in the environment of the process inside the network namespace.
INSIDE = "SOAK_NETWORK"
#: Memory growth is checked only in runs of at least this many minutes; before that it has not settled.
LONG = 10


class Samples:
    """Samples the memory of the process every second."""

    def __init__(self, resources):
        self._resources = resources
        self.memory = []
        self._thread = Thread(self._take)

    def _take(self):
        self.memory.append(self._resources.memory)
        time.sleep(1)

    def check(self):
        self._thread.check()

    def stop(self):
        self._thread.stop()

    def thirds(self):
        """The median of each third, in bytes."""
        third = len(self.memory) // 3
        return [statistics.median(self.memory[number * third : (number + 1) * third]) for number in range(3)]


class Soak:
    """A renderer with its load."""

    def __init__(self, has_networks):
        self._folder = pathlib.Path(tempfile.mkdtemp())
        self._has_networks = has_networks
        self._options = []
        if has_networks:
            create_cables()
            self._options = [argument for name in CABLES for argument in ("--interface", name)]
        self._media = Media(MediaServer(sound.FOLDER), sound.make())
        self._renderer = Renderer(self._folder / "state", more=self._options)
        self._resources = Resources(self._renderer.process.pid)
        self._actions = []
        self._services = {}
        for url in (self._renderer.description_url, self._renderer.openhome_url):
            self._actions += actions(url)
            self._services |= soap.services(url)

    def run(self, minutes):
        # Warm up: some resources are created once, when the first track plays.
        self._play_at_random(20)
        self._settle()
        descriptors, threads = len(self._resources.descriptors), self._resources.threads
        thirds = self._play_at_random(minutes * 60)
        self._settle()
        print(
            f"Afterwards {self._resources.memory / 1e6:.1f} MB; {len(self._resources.descriptors)} descriptors, "
            f"{descriptors} before; {self._resources.threads} threads, {threads} before")
        print("Memory by thirds: " + ", ".join(f"{third / 1e6:.1f} MB" for third in thirds))
        # One more may be in use at this moment.
        wait_until(lambda: len(self._resources.descriptors) <= descriptors + 1, explain=lambda: "descriptors leak")
        wait_until(lambda: self._resources.threads <= threads + 1, explain=lambda: "threads leak")
        if minutes >= LONG:
            assert thirds[2] <= thirds[1] * 1.03, "memory grows"
        self._check_room()
        self._renderer.stop(signal.SIGKILL)
        self._check_state()

    def _play_at_random(self, seconds):
        controllers = Controllers(self._actions, self._media)
        listener = Listener(self._services, self._media, controllers)
        subscribers = Subscribers(self._services.values())
        networks = Networks() if self._has_networks else None
        samples = Samples(self._resources)
        running = [one for one in (listener, controllers, subscribers, networks, samples) if one]

        def report():
            print(
                f"{controllers.count} commands, {controllers.faults} faults, {len(listener.played)} tracks played, "
                f"{subscribers.subscribed} subscriptions, {subscribers.events} events, "
                f"{networks.changes if networks else 'no'} network changes; "
                f"{samples.memory[-1] / 1e6:.1f} MB, {len(self._resources.descriptors)} descriptors, "
                f"{self._resources.threads} threads", flush=True)

        try:
            end = time.monotonic() + seconds
            while (rest := end - time.monotonic()) > 0:
                time.sleep(min(60, rest))
                assert self._renderer.process.poll() is None, f"it ended with {self._renderer.process.poll()}"
                for one in [self._media, *running]:
                    one.check()
                report()
        finally:
            for one in running:
                one.stop()
        # Late answers reduce the number of commands.
        assert controllers.count > seconds * COMMANDS_A_SECOND / 2, "too few commands were answered"
        return samples.thirds()

    def _settle(self):
        """Stops playback and waits until all subscriptions have expired."""
        self._call("AVTransport", "SetNextAVTransportURI", INSTANCE, ("NextURI", ""), ("NextURIMetaData", ""))
        for service in ("AVTransport", "Playlist", "Radio"):
            self._call(service, "Stop", *([INSTANCE] if service == "AVTransport" else []))
        # Standby releases the device and the buffers at once.
        for value in "10":
            self._call("Product", "SetStandby", ("Value", value))
        # Subscribers that disappeared, and the connections to them, expire.
        time.sleep(SHORTEST_SUBSCRIPTION + 5)

    def _call(self, service, action, *arguments):
        status, _, body = soap.call(self._services[service], action, arguments)
        assert status == 200, (service, action, body)

    def _check_room(self):
        """Checks that no subscription leaked: one address can make the maximum number of them."""
        url = self._services["AVTransport"]["eventSubURL"]
        headers = {"CALLBACK": "<http://127.0.0.1:9/>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        for count in range(MOST_SUBSCRIPTIONS):
            assert soap.request("SUBSCRIBE", url, headers)[0] == 200, f"only {count} subscriptions fit"
        assert soap.request("SUBSCRIBE", url, headers)[0] == 503

    def _check_state(self):
        """Checks that the state is readable after a kill and after a regular exit."""
        for _ in range(2):
            renderer = Renderer(self._folder / "state", more=self._options)
            assert renderer.description_url
            renderer.stop()
            unreadable = [path.name for path in (self._folder / "state").iterdir() if "unreadable" in path.name]
            assert not unreadable, unreadable

    def close(self, has_failed):
        if has_failed:
            # Undelivered events are expected in this test.
            log = [line for line in self._renderer.err if "event not delivered" not in line and "subscri" not in line]
            print("\n".join(log[-100:] + self._media.log[-50:]))
        self._renderer.stop()
        self._media.stop()
        shutil.rmtree(self._folder)


def main():
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    if os.environ.get(INSIDE) is None:
        # An ordinary user can become root of a user namespace if the system allows it.
        for more in [[]] if os.geteuid() == 0 else [["--map-root-user"], None]:
            if more is not None and subprocess.run(["unshare", "--net", *more, "true"], check=False).returncode == 0:
                script = 'ip link set lo up && exec "$@"'
                command = ["unshare", "--net", *more, "sh", "-c", script, "sh", sys.executable, *sys.argv]
                os.execvpe(command[0], command, {**os.environ, INSIDE: "yes"})
        if os.environ.get("CI"):
            sys.exit("soak.py: cannot create a network namespace.")
        print("soak.py: cannot create a network namespace, so no network changes.")
    soak = Soak(has_networks=INSIDE in os.environ)
    has_failed = True
    try:
        soak.run(minutes)
        has_failed = False
    finally:
        soak.close(has_failed)
    print(f"Soak: nothing left behind after {minutes:g} min")


if __name__ == "__main__":
    main()

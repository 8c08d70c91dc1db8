"""Notifications to the service manager by sd_notify(3). The test is the service manager."""

import os
import signal
import socket
import time

import pytest

import network
from network import NetworkedRenderer
from processes import PATIENCE
from soap import call, services


class Manager:
    """The service manager's end of NOTIFY_SOCKET."""

    def __init__(self, address):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.bind("\0" + address[1:] if address.startswith("@") else address)
        self.address = address

    def close(self):
        self._socket.close()

    def environment(self, **variables):
        """The command prefix that runs a program as a service of this manager."""
        return ("env", f"NOTIFY_SOCKET={self.address}", *(f"{name}={value}" for name, value in variables.items()))

    def next(self, timeout=PATIENCE):
        """The assignments of the next notification, and its time. None after the timeout."""
        self._socket.settimeout(timeout)
        try:
            text = self._socket.recv(65536).decode()
        except TimeoutError:
            return None
        return dict(line.split("=", 1) for line in text.splitlines()), time.monotonic()

    def wait_for(self, name, value=None):
        """Waits for an assignment; returns its value and time. Earlier notifications are dropped."""
        while notice := self.next():
            assignments, when = notice
            if name in assignments and value in (None, assignments[name]):
                return assignments[name], when
        raise AssertionError(f"{name} was not notified")


@pytest.fixture(params=["path", "abstract"])
def address(request, tmp_path):
    return str(tmp_path / "notify") if request.param == "path" else f"@swiftlet-{os.getpid()}/notify"


@pytest.fixture
def manager(tmp_path):
    manager = Manager(str(tmp_path / "notify"))
    yield manager
    manager.close()


def test_start_and_stop_are_notified(start, address):
    manager = Manager(address)
    renderer = start(before=manager.environment())
    manager.wait_for("READY", "1")
    renderer.process.send_signal(signal.SIGTERM)
    manager.wait_for("STOPPING", "1")
    assert renderer.stop()[0] == 0
    manager.close()


def test_a_reload_is_notified(start, manager):
    renderer = start(before=manager.environment())
    manager.wait_for("READY")
    asked_at = time.clock_gettime_ns(time.CLOCK_MONOTONIC) // 1000
    renderer.process.send_signal(signal.SIGHUP)
    notice, _ = manager.next()
    while "RELOADING" not in notice:
        notice, _ = manager.next()
    assert int(notice["MONOTONIC_USEC"]) >= asked_at
    manager.wait_for("READY", "1")


@network.needs_namespaces
def test_ready_is_notified_after_the_announcements(here, there, point, manager, tmp_path):
    renderer = NetworkedRenderer(here, tmp_path / "state", before=manager.environment())
    try:
        assert manager.wait_for("STATUS")[0] == "Waiting for a network, sound to null"
        here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
        manager.wait_for("STATUS", "On eth0 (192.0.2.1), sound to null")
        manager.wait_for("READY", "1")
        # Nothing more is sent by a stopped process. Each alive follows a byebye.
        renderer.process.send_signal(signal.SIGSTOP)
        point.wait(lambda point: point.usns("alive") == point.usns("byebye"))
    finally:
        renderer.process.send_signal(signal.SIGCONT)
        renderer.stop()


def test_the_watchdog_is_fed_at_half_the_interval(start, manager):
    start(before=manager.environment(WATCHDOG_USEC=2_000_000))
    times = [manager.wait_for("WATCHDOG", "1")[1] for _ in range(4)]
    # On a busy machine, some of them come late.
    assert min(later - earlier for earlier, later in zip(times, times[1:])) < 1.5


def test_the_watchdog_of_another_process_is_ignored(start, manager):
    renderer = start(before=manager.environment(WATCHDOG_USEC=100_000, WATCHDOG_PID=1))
    notified = set()
    while "STOPPING" not in notified:
        notified |= manager.next()[0].keys()
        if "READY" in notified:
            renderer.process.send_signal(signal.SIGTERM)
    assert "WATCHDOG" not in notified


def test_the_watchdog_starves_while_the_player_hangs(start, manager, tmp_path):
    # A device that blocks in open: a FIFO without a reader.
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    renderer = start(output=f"filesink location={fifo}", before=manager.environment(WATCHDOG_USEC=400_000))
    transport = services(renderer.description_url)["AVTransport"]
    manager.wait_for("WATCHDOG")
    os.close(reader)
    instance = ("InstanceID", 0)
    call(transport, "SetAVTransportURI", [instance, ("CurrentURI", "http://127.0.0.1:1/"), ("CurrentURIMetaData", "")])
    assert call(transport, "Play", [instance, ("Speed", 1)])[0] == 200

    # Drop a notification in flight. The event loop still answers.
    while manager.next(timeout=2):
        pass
    assert call(transport, "GetTransportInfo", [instance])[0] == 200
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    manager.wait_for("WATCHDOG")
    os.close(reader)

"""Virtual networks: machines are network namespaces, cables are veth pairs. The real network is not touched."""

import concurrent.futures
import contextlib
import ctypes
import fcntl
import itertools
import os
import pathlib
import select
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

import pytest

from devices import ANNOUNCEMENTS, RENDERER
from processes import PATIENCE, SWIFTLET, Process

GROUP = ("239.255.255.250", 1900)

_numbers = itertools.count()
_libc = ctypes.CDLL(None, use_errno=True)
_CLONE_NEWNET = 0x40000000
#: Of linux/sockios.h and linux/ethtool.h.
_SIOCETHTOOL, _ETHTOOL_STXCSUM = 0x8946, 0x17


def are_available():
    """Whether this process may create network namespaces."""
    try:
        Machine().remove()
        return True
    except (subprocess.CalledProcessError, FileNotFoundError):
        return False


def _skip_duplicate_address_detection():
    """IPv6 addresses are complete at once. Chromium ends all requests when one becomes so, seconds after the start."""
    with contextlib.suppress(FileNotFoundError):
        pathlib.Path("/proc/sys/net/ipv6/conf/default/accept_dad").write_text("0")


class Machine:
    """A machine with only a loopback interface."""

    def __init__(self):
        self.name = f"swiftlet-{os.getpid()}-{next(_numbers)}"
        _run("ip", "netns", "add", self.name)
        self.ip("link", "set", "lo", "up")
        self.do(_skip_duplicate_address_detection)

    def remove(self):
        """Ends the processes on the machine, and removes it with its interfaces."""
        self.end_processes()
        _run("ip", "netns", "delete", self.name)

    @property
    def pids(self):
        """All processes on this machine."""
        return {int(pid) for pid in _run("ip", "netns", "pids", self.name).split()}

    def end_processes(self, seconds=10):
        """Ends every process on this machine by SIGTERM, and by SIGKILL those that still run after `seconds`.

        Includes grandchildren and daemons, which survive their parents and would keep the address in use.
        """
        asked = set()
        end = time.monotonic() + seconds
        while pids := self.pids:
            is_late = time.monotonic() >= end
            for pid in pids if is_late else pids - asked:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL if is_late else signal.SIGTERM)
            asked |= pids
            time.sleep(0.02)

    def ip(self, *arguments):
        _run("ip", "-n", self.name, *arguments)

    def command(self, *arguments):
        """The command that runs a program on this machine."""
        return ["ip", "netns", "exec", self.name, *arguments]

    def do(self, body):
        """Calls `body` on this machine and returns its result. Sockets that it opens belong to the machine."""
        result = concurrent.futures.Future()

        def on_this_machine():
            try:
                descriptor = os.open(f"/run/netns/{self.name}", os.O_RDONLY | os.O_CLOEXEC)
                try:
                    if _libc.setns(descriptor, _CLONE_NEWNET) != 0:
                        raise OSError(ctypes.get_errno(), "setns")
                finally:
                    os.close(descriptor)
                result.set_result(body())
            except BaseException as error:  # noqa: BLE001 (raised by result())
                result.set_exception(error)

        thread = threading.Thread(target=on_this_machine)
        thread.start()
        thread.join()
        return result.result()

    def get(self, url):
        """The body of an HTTP GET from this machine; None if it fails."""
        arguments = ("curl", "--silent", "--noproxy", "*", "--fail", "--max-time", str(PATIENCE), url)
        done = subprocess.run(self.command(*arguments), capture_output=True, check=False)
        return done.stdout if done.returncode == 0 else None


def connect(left, left_name, right, right_name):
    """Connects two machines by a cable, and brings both interfaces up."""
    left.ip("link", "add", left_name, "type", "veth", "peer", "name", right_name, "netns", right.name)
    left.ip("link", "set", left_name, "up")
    right.ip("link", "set", right_name, "up")


class Switch:
    """An Ethernet switch."""

    def __init__(self, machine):
        self.machine = machine
        self.machine.ip("link", "add", "switch", "type", "bridge", "mcast_snooping", "0")
        self.machine.ip("link", "set", "switch", "up")
        self._ports = itertools.count()

    def connect(self, machine, name):
        """Connects a machine; returns the name of the port."""
        port = f"port{next(self._ports)}"
        connect(machine, name, self.machine, port)
        self.machine.ip("link", "set", port, "master", "switch")
        return port

    def pull(self, port):
        self.machine.ip("link", "set", port, "down")

    def plug(self, port):
        self.machine.ip("link", "set", port, "up")


def _compute_checksums(interface):
    """Turns off offloading: without it the kernel passes frames without checksums, and larger than the MTU."""
    request = ctypes.create_string_buffer(struct.pack("II", _ETHTOOL_STXCSUM, 0))
    with contextlib.closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asker:
        fcntl.ioctl(asker, _SIOCETHTOOL, struct.pack("16sP", interface.encode(), ctypes.addressof(request)))


class BadLine:
    """A machine that forwards frames between a room's cable and a switch, with delay and jitter (seconds) and loss (0 to 1)."""

    def __init__(self, machine, room, switch, delay=0.0, jitter=0.0, loss=0.0):
        connect(room, "eth0", machine, "room")
        self.port = switch.connect(machine, "house")
        for one, name in ((room, "eth0"), (switch.machine, self.port)):
            one.do(lambda name=name: _compute_checksums(name))
        script = pathlib.Path(__file__).parent / "bad_line.py"
        numbers = map(str, (delay, jitter, loss))
        self._process = Process(*machine.command(sys.executable, str(script), "room", "house", *numbers))
        self._process.wait_for("ready")

    def stop(self):
        self._process.stop()


class Message:
    """A received SSDP message."""

    def __init__(self, data, sender, heard_at):
        self.sender = sender[0]
        self.heard_at = heard_at
        head, *lines = data.decode().split("\r\n")
        self.start = head
        self.fields = {
            name.strip().upper(): value.strip()
            for name, colon, value in (line.partition(":") for line in lines)
            if colon
        }

    def __getattr__(self, name):
        return self.fields.get(name.upper(), "")

    def __repr__(self):
        return f"{self.start} {self.nts} {self.st}{self.nt} {self.location} from {self.sender}"


class ControlPoint:
    """An SSDP control point on a machine: receives announcements, and searches."""

    def __init__(self, machine, interface="eth0"):
        self.machine = machine
        self.heard = []
        self._changed = threading.Condition()
        self._index = machine.do(lambda: socket.if_nametoindex(interface))
        self._socket = machine.do(self._listener)
        self._socket.settimeout(0.2)
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def close(self):
        self._closed.set()
        self._thread.join()
        self._socket.close()

    def _listener(self):
        listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(GROUP)
        listener.setsockopt(
            socket.IPPROTO_IP,
            socket.IP_ADD_MEMBERSHIP,
            struct.pack("4s4si", socket.inet_aton(GROUP[0]), b"", self._index),
        )
        return listener

    def _listen(self):
        while not self._closed.is_set():
            with contextlib.suppress(TimeoutError):
                message = Message(*self._socket.recvfrom(65536), time.monotonic())
                if message.start.startswith("NOTIFY"):
                    with self._changed:
                        self.heard.append(message)
                        self._changed.notify_all()

    def forget(self):
        with self._changed:
            self.heard.clear()

    def notifications(self, kind, sender=None):
        """The received announcements with one NTS, from one sender or all."""
        with self._changed:
            return [m for m in self.heard if m.nts == f"ssdp:{kind}" and sender in (None, m.sender)]

    def usns(self, kind, sender=None):
        return {message.usn for message in self.notifications(kind, sender)}

    def wait(self, condition):
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self), timeout=PATIENCE), f"received only {self.heard}"

    def wait_for_alive(self, address, count=ANNOUNCEMENTS):
        """Waits until everything is announced from this address; returns its announcements."""
        self.wait(lambda point: len(point.usns("alive", address)) == count)
        return self.notifications("alive", address)

    def search(self, target=RENDERER, mx=1, to=GROUP[0]):
        """The answers to one search that arrive within MX and half a second."""
        with contextlib.closing(self.machine.do(self._search_socket)) as asker:
            asker.sendto(_search(target, mx, to), (to, 1900))
            end = time.monotonic() + mx + 0.5
            answers = []
            with contextlib.suppress(TimeoutError):
                while (left := end - time.monotonic()) > 0:
                    asker.settimeout(left)
                    answers.append(Message(*asker.recvfrom(65536), time.monotonic()))
            return answers

    def search_at_once(self, count, target, mx):
        """Searches once from each of `count` sockets at the same time; returns how many get an answer, however late."""
        with contextlib.ExitStack() as stack:
            askers = [stack.enter_context(contextlib.closing(self.machine.do(self._search_socket))) for _ in range(count)]
            for asker in askers:
                asker.sendto(_search(target, mx, GROUP[0]), GROUP)
            end = time.monotonic() + mx + PATIENCE
            unanswered = set(askers)
            while unanswered and (left := end - time.monotonic()) > 0:
                unanswered.difference_update(select.select(unanswered, [], [], left)[0])
            return count - len(unanswered)

    def forge_searches(self, senders, target=RENDERER, mx=1):
        """Multicasts one search from each of the forged (address, port) pairs."""
        with contextlib.closing(self.machine.do(self._raw_socket)) as forger:
            for number, sender in enumerate(senders):
                forger.sendto(_datagram(sender, GROUP, _search(target, mx, GROUP[0])), GROUP)
                if number % 16 == 0:
                    # Pace the packets, or the renderer's kernel drops many.
                    time.sleep(0.002)

    def search_until_found(self, address, target=RENDERER):
        """Searches five times a second; returns the first answer whose LOCATION has this address."""
        end = time.monotonic() + PATIENCE
        with contextlib.closing(self.machine.do(self._search_socket)) as asker:
            asker.settimeout(0.2)
            while time.monotonic() < end:
                # The searching machine may have no network either.
                with contextlib.suppress(OSError):
                    asker.sendto(_search(target, 1, GROUP[0]), GROUP)
                    while f"//{address}:" not in (answer := Message(*asker.recvfrom(65536), time.monotonic())).location:
                        pass
                    return answer
        raise AssertionError(f"no answer to a search for {target}")

    def _search_socket(self):
        asker = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        index = struct.pack("4s4si", b"", b"", self._index)
        asker.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, index)
        return asker

    def _raw_socket(self):
        forger = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        index = struct.pack("4s4si", b"", b"", self._index)
        forger.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, index)
        return forger

    def find(self, target=RENDERER, to=GROUP[0], until=len):
        """Searches until the answers to all searches meet the condition, because datagrams may be lost or late."""
        end = time.monotonic() + PATIENCE
        answers = []
        while time.monotonic() < end:
            answers += self.search(target, to=to)
            if until(answers):
                return answers
        raise AssertionError(f"the only answers to a search for {target} are {answers}")


def _search(target, mx, to):
    lines = [
        "M-SEARCH * HTTP/1.1",
        f"HOST: {to}:1900",
        'MAN: "ssdp:discover"',
        f"ST: {target}",
        f"MX: {mx}",
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


def _datagram(sender, receiver, data):
    """A UDP datagram with its IP header. The kernel fills in the header checksum; the UDP checksum is optional."""
    (source, source_port), (destination, port) = sender, receiver
    udp = struct.pack("!HHHH", source_port, port, 8 + len(data), 0)
    total = 20 + len(udp) + len(data)
    addresses = socket.inet_aton(source) + socket.inet_aton(destination)
    return struct.pack("!BBHHHBBH", 0x45, 0, total, 0, 0, 4, socket.IPPROTO_UDP, 0) + addresses + udp + data


class NetworkedRenderer(Process):
    """A renderer on one of the machines."""

    def __init__(self, machine, state, name="Kitchen", interfaces=(), more=(), before=()):
        named = [argument for interface in interfaces for argument in ("--interface", interface)]
        super().__init__(
            *machine.command(
                *before,
                SWIFTLET,
                *(("--name", name) if name else ()),
                "--state-dir",
                str(state),
                "--output",
                "null",
                "--log-level",
                "debug",
                *named,
                *more,
            )
        )


def _run(*command):
    done = subprocess.run(
        command, check=True, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=PATIENCE
    )
    return done.stdout


#: Skips tests without network namespaces. In CI, where nothing is skipped, they fail instead.
needs_namespaces = pytest.mark.skipif(
    not os.environ.get("CI") and not are_available(), reason="network namespaces need root"
)

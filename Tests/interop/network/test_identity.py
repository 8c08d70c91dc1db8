"""Identity on the network over restarts and copies, and the end of a run."""

import signal
import socket

import pytest

import database
from devices import ANNOUNCEMENTS
from neighbours import udn_of
from network import needs_namespaces
from processes import EXIT_LIMIT

pytestmark = needs_namespaces


def test_port_and_uuid_survive_restarts(here, there, point, start_on):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    seen, boots = set(), []
    for ending in (signal.SIGTERM, signal.SIGKILL, signal.SIGINT):
        renderer = start_on(here)
        alive = point.wait_for_alive("192.0.2.1")
        seen.add((udn_of(alive[0]), alive[0].location))
        boots.append(int(alive[0].fields["BOOTID.UPNP.ORG"]))
        renderer.stop(ending)
        point.forget()
    assert len(seen) == 1
    assert boots == sorted(set(boots))


def test_bootid_wraps_to_one(here, there, point, start_on, tmp_path):
    state = tmp_path / "state"
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    highest = str(2**31 - 1)
    first = start_on(here, state=state)
    point.wait_for_alive("192.0.2.1")
    first.stop()
    point.forget()
    database.replace(state, "device", {**database.settings(state, "device"), "boot": str(2**31 - 2)})
    renderer = start_on(here, state=state)
    assert {m.fields["BOOTID.UPNP.ORG"] for m in point.wait_for_alive("192.0.2.1")} == {highest}
    there.ip("link", "set", "eth0", "down")
    renderer.wait_for("No longer on eth0")
    there.ip("link", "set", "eth0", "up")

    def later(point):
        """The BOOTIDs after the highest one, whose announcements are repeated for a while."""
        return {m.fields["BOOTID.UPNP.ORG"] for m in point.notifications("alive")} - {highest}

    point.wait(later)
    assert later(point) == {"1"}


def cards(folder, *addresses):
    """Creates a fake /sys/class/net with network cards with these MAC addresses."""
    for number, address in enumerate(addresses):
        card = folder / f"eth{number}"
        (card / "device").mkdir(parents=True)
        (card / "address").write_text(f"{address}\n")
        (card / "addr_assign_type").write_text("0\n")
    return folder


@pytest.mark.parametrize(
    ("second_cards", "is_same"),
    [
        (["b8:27:eb:00:00:02"], False),
        # The same machine with a second card: one known address is enough.
        (["b8:27:eb:00:00:01", "00:e0:4c:00:00:03"], True),
    ],
)
def test_a_copied_system_has_another_uuid(here, there, point, start_on, tmp_path, second_cards, is_same):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    udns = []
    for number, addresses in enumerate((["b8:27:eb:00:00:01"], second_cards)):
        sys = cards(tmp_path / f"sys{number}", *addresses)
        script = f'mount --bind "{sys}" /sys/class/net && exec "$@"'
        renderer = start_on(here, before=("unshare", "--mount", "sh", "-c", script, "sh"))
        udns.append(udn_of(point.wait_for_alive("192.0.2.1")[0]))
        renderer.stop()
        point.forget()
    assert (udns[0] == udns[1]) == is_same


@pytest.mark.parametrize("with_signal", [signal.SIGTERM, signal.SIGINT])
def test_byebye_is_sent_on_exit(here, there, point, start_on, with_signal):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    renderer = start_on(here)
    point.wait_for_alive("192.0.2.1")
    usns = point.usns("alive")
    point.forget()
    status, seconds = renderer.stop(with_signal)
    assert status == 0 and seconds < EXIT_LIMIT
    point.wait(lambda point: point.usns("byebye") == usns)
    assert point.notifications("alive") == []


def test_two_renderers_share_the_ssdp_port(here, there, point, start_on, tmp_path):
    here.ip("address", "add", "192.0.2.1/24", "dev", "eth0")
    # A socket of other software.
    other = here.do(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
    other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    other.bind(("0.0.0.0", 1900))
    start_on(here, state=tmp_path / "first", name="Kitchen")
    start_on(here, state=tmp_path / "second", name="Bathroom")
    point.wait_for_alive("192.0.2.1", count=2 * ANNOUNCEMENTS)
    assert point.find(until=lambda answers: len({answer.location for answer in answers}) == 2)
    assert len(point.find(to="192.0.2.1")) == 1
    other.close()

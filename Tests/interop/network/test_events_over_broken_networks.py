"""Event delivery while the network breaks: missed changes arrive as soon as the subscriber is reachable."""

import contextlib

import pytest

import network
import soap
from link import BadLink
from network import NetworkedRenderer
from subscriber import Subscriber

pytestmark = network.needs_namespaces


@pytest.fixture
def far(machine):
    return machine()


@pytest.fixture
def link(here, far):
    link = BadLink(here, far)
    yield link
    link.close()


@pytest.fixture
def renderer(here, link, tmp_path):
    # Virtual interfaces are used only when named. The loopback serves control while the cable is pulled.
    renderer = NetworkedRenderer(here, tmp_path / "state", interfaces=("eth0", "lo"))
    yield renderer
    renderer.stop()
    print("\n".join(renderer.out + renderer.err))


def rendering(machine, renderer, address):
    url = renderer.wait_for(rf"http://{address}:\d+/renderer/\S*".replace(".", r"\.", 3)).group()
    return machine.do(lambda: soap.Service(url, "RenderingControl"))


def set_volume(here, control, volume):
    here.do(lambda: control("SetVolume", InstanceID=0, Channel="Master", DesiredVolume=volume))


@pytest.fixture
def control(here, renderer):
    """RenderingControl, called from the renderer's machine."""
    return rendering(here, renderer, "127.0.0.1")


@pytest.fixture
def listener(far, renderer):
    """A subscriber of RenderingControl on the other machine."""
    listener = far.do(lambda: Subscriber(address="198.51.100.2"))
    listener.control = rendering(far, renderer, "198.51.100.1")
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    status, answer, _ = far.do(
        lambda: soap.request("SUBSCRIBE", listener.control.service["eventSubURL"], headers)
    )
    assert status == 200
    listener.sid = answer["SID"]
    listener.wait(lambda events: len(events) == 1)
    yield listener
    listener.close()


def test_subscriptions_survive_a_new_address(here, far, renderer, control, listener):
    here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    here.ip("address", "delete", "198.51.100.1/24", "dev", "eth0")
    # Removing the primary address also removes the secondary one; a DHCP client sets it again.
    with contextlib.suppress(Exception):
        here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    renderer.wait_for(r"On eth0: http://198\.51\.100\.7:")
    set_volume(here, control, 17)
    listener.wait_for_volume(17)
    url = rendering(far, renderer, "198.51.100.7").service["eventSubURL"]
    headers = {"SID": listener.sid, "TIMEOUT": "Second-300"}
    assert far.do(lambda: soap.request("SUBSCRIBE", url, headers))[0] == 200
    set_volume(here, control, 18)
    listener.wait_for_volume(18)
    assert [event.seq for event in listener.events] == list(range(len(listener.events)))


@pytest.mark.parametrize("loses_carrier", [True, False])
def test_changes_during_an_outage_arrive_afterwards(here, renderer, control, listener, link, loses_carrier):
    """A pulled cable or a sleeping phone: missed changes arrive as one event with the next event key."""
    link.pull(loses_carrier)
    for volume in (21, 22, 23):
        set_volume(here, control, volume)
    link.plug()
    listener.wait_for_volume(23)
    # An event whose answer was lost is repeated with the same key.
    seqs = [event.seq for event in listener.events]
    assert seqs == sorted(seqs)
    set_volume(here, control, 24)
    listener.wait_for_volume(24)


def test_a_renewal_delivers_missed_changes(here, far, control, listener, link):
    link.pull(loses_carrier=False)
    set_volume(here, control, 31)
    link.plug()
    headers = {"SID": listener.sid, "TIMEOUT": "Second-300"}
    url = listener.control.service["eventSubURL"]
    assert far.do(lambda: soap.request("SUBSCRIBE", url, headers))[0] == 200
    listener.wait_for_volume(31)


def test_an_unreachable_subscription_expires(here, far, renderer, control, listener, link):
    """A renewal is refused, and the subscriber subscribes again (UDA 1.1 §4.1.3)."""
    url = listener.control.service["eventSubURL"]
    status, answer, _ = far.do(
        lambda: soap.request("SUBSCRIBE", url, {"SID": listener.sid, "TIMEOUT": "Second-1"})
    )
    assert status == 200
    link.pull(loses_carrier=False)
    renderer.wait_for_log(f"subscription expired.*{listener.sid}")
    link.plug()
    assert far.do(lambda: soap.request("SUBSCRIBE", url, {"SID": listener.sid}))[0] == 412
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    set_volume(here, control, 41)
    assert far.do(lambda: soap.request("SUBSCRIBE", url, headers))[0] == 200
    listener.wait(lambda events: events[-1].seq == 0 and events[-1].values.get("Volume") == "41")


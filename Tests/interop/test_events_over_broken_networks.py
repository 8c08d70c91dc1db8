"""Subscribers whose network breaks, or ours: they hear what they have missed as soon as they can be reached."""

import contextlib
import os

import pytest

import network
import soap
from link import BadLink
from network import NetworkedRenderer
from subscriber import Subscriber

# Where CI runs nothing is left out: what cannot be had fails there.
pytestmark = pytest.mark.skipif(
    not os.environ.get("CI") and not network.are_available(), reason="network namespaces need root"
)


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
    # An interface of this kind is used when named; the loopback is there to control it by when no cable is.
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
    """RenderingControl, from the renderer's own machine."""
    return rendering(here, renderer, "127.0.0.1")


@pytest.fixture
def listener(far, renderer):
    """Somebody who has subscribed to RenderingControl from the other machine."""
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


def test_another_address_of_ours_keeps_subscriptions(here, far, renderer, control, listener):
    here.ip("address", "add", "198.51.100.7/24", "dev", "eth0")
    here.ip("address", "delete", "198.51.100.1/24", "dev", "eth0")
    # The kernel takes a secondary address away with its primary one; a DHCP client sets it again.
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


@pytest.mark.parametrize("told", [True, False])
def test_what_changed_while_nobody_could_be_reached(here, renderer, control, listener, link, told):
    """A cable that is out, or a phone asleep: what it missed comes as one event, and the event key goes on."""
    link.pull(told)
    for volume in (21, 22, 23):
        set_volume(here, control, volume)
    link.plug()
    listener.wait_for_volume(23)
    # One whose answer was lost comes again, with the same key.
    seqs = [event.seq for event in listener.events]
    assert seqs == sorted(seqs)
    set_volume(here, control, 24)
    listener.wait_for_volume(24)


def test_who_renews_after_an_outage_hears_what_was_missed(here, far, control, listener, link):
    link.pull(told=False)
    set_volume(here, control, 31)
    link.plug()
    headers = {"SID": listener.sid, "TIMEOUT": "Second-300"}
    url = listener.control.service["eventSubURL"]
    assert far.do(lambda: soap.request("SUBSCRIBE", url, headers))[0] == 200
    listener.wait_for_volume(31)


def test_a_subscription_that_expires_unreachable_is_forgotten(here, far, renderer, control, listener, link):
    """And who renews it is told so, and subscribes anew (UDA 1.1 §4.1.3)."""
    url = listener.control.service["eventSubURL"]
    status, answer, _ = far.do(
        lambda: soap.request("SUBSCRIBE", url, {"SID": listener.sid, "TIMEOUT": "Second-1"})
    )
    assert status == 200
    link.pull(told=False)
    renderer.wait_for_log(f"subscription expired.*{listener.sid}")
    link.plug()
    assert far.do(lambda: soap.request("SUBSCRIBE", url, {"SID": listener.sid}))[0] == 412
    headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
    set_volume(here, control, 41)
    assert far.do(lambda: soap.request("SUBSCRIBE", url, headers))[0] == 200
    listener.wait(lambda events: events[-1].seq == 0 and events[-1].values.get("Volume") == "41")


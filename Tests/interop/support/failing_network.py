"""A renderer on a machine whose network may fail. It is controlled over that machine's loopback."""

import sound
from processes import Renderer, wait_until
from soap import Service, request
from subscriber import Subscriber


class RemotePlayer:
    """A renderer that plays into a file, with a subscriber of its AVTransport."""

    def __init__(self, machine, folder, interfaces=("eth0",)):
        self.machine = machine
        self.capture = sound.Capture(folder)
        named = [argument for interface in interfaces for argument in ("--interface", interface)]
        self.renderer = Renderer(
            folder / "state", output=self.capture.output, before=machine.command(), more=named
        )
        self.transport = self.service(self.renderer.description_url, "AVTransport")
        self._listeners = [self._listen(self.transport)]
        rendering = self.service(self.renderer.description_url, "RenderingControl")
        self.do(lambda: rendering("SetVolume", InstanceID=0, Channel="Master", DesiredVolume=100))

    def close(self):
        self.renderer.stop()
        for listener in self._listeners:
            listener.close()
        print("\n".join(self.renderer.out + self.renderer.err))

    def do(self, body):
        return self.machine.do(body)

    def service(self, description_url, name):
        return self.do(lambda: Service(description_url, name))

    def ask(self, action, **arguments):
        return self.do(lambda: self.transport(action, InstanceID=0, **arguments))

    def _listen(self, service):
        listener = self.do(Subscriber)
        headers = {"CALLBACK": f"<{listener.url}>", "NT": "upnp:event", "TIMEOUT": "Second-300"}
        assert self.do(lambda: request("SUBSCRIBE", service.service["eventSubURL"], headers))[0] == 200
        return listener

    def play(self, url, next_url=None):
        self.ask("SetAVTransportURI", CurrentURI=url, CurrentURIMetaData="")
        if next_url:
            self.ask("SetNextAVTransportURI", NextURI=next_url, NextURIMetaData="")
        self.ask("Play", Speed=1)

    def values(self, variable):
        """The evented values of an AVTransport variable in order, without repetitions."""
        with self._listeners[0].changed:
            values = [event.values[variable] for event in self._listeners[0].events if variable in event.values]
        return [value for index, value in enumerate(values) if index == 0 or values[index - 1] != value]

    @property
    def states(self):
        """The transport states since playback started."""
        states = self.values("TransportState")
        return states[states.index("PLAYING") :] if "PLAYING" in states else []

    def wait_for_state(self, state, seconds):
        wait_until(lambda: self.states[-1:] == [state], seconds, explain=lambda: self.states)

    def wait_until_played(self, count):
        """Waits until `count` bytes were played."""
        wait_until(lambda: self.capture.size >= count, explain=lambda: self.states)

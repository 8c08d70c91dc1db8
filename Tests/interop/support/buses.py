"""Private message buses, and programs on them: mocks, clients and monitors."""

import contextlib
import json
import subprocess
import sys

import dbus
import dbus.bus

from processes import Process, wait_until

#: Debian's system bus in short: no program may own a name or call others unless a policy allows it.
_SYSTEM = """
    <allow user="*"/>
    <deny own="*"/>
    <deny send_type="method_call"/>
    <allow send_type="signal"/>
    <allow send_requested_reply="true" send_type="method_return"/>
    <allow send_requested_reply="true" send_type="error"/>
    <allow receive_type="method_call"/>
    <allow receive_type="method_return"/>
    <allow receive_type="error"/>
    <allow receive_type="signal"/>
    <allow send_destination="org.freedesktop.DBus"/>"""
_OPEN = """
    <allow user="*"/>
    <allow own="*"/>
    <allow send_destination="*"/>
    <allow eavesdrop="true"/>"""
_CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>{type}</type>
  <listen>unix:path={socket}</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">{rules}
  </policy>
  {includes}
</busconfig>
"""


class MessageBus:
    """A private bus, for programs that look for the session bus or the system bus."""

    def __init__(self, folder, policies=()):
        """With `policies`, the paths of policy files, the bus is as strict as Debian's system bus."""
        self.folder = folder
        folder.mkdir(parents=True)
        self.socket = folder / "bus"
        self.address = f"unix:path={self.socket}"
        self._running = []
        includes = "\n  ".join(f"<include>{path}</include>" for path in policies)
        (folder / "bus.conf").write_text(
            _CONFIGURATION.format(
                type="system" if policies else "session", socket=self.socket, rules=_SYSTEM if policies else _OPEN,
                includes=includes,
            )
        )
        self.start()

    @property
    def before(self):
        """The command prefix that makes a program use this bus as session bus and as system bus."""
        return ["env", f"DBUS_SYSTEM_BUS_ADDRESS={self.address}", f"DBUS_SESSION_BUS_ADDRESS={self.address}"]

    def start(self):
        self._daemon = self.run("dbus-daemon", "--nofork", "--nopidfile", f"--config-file={self.folder}/bus.conf")
        wait_until(self._answers)

    def _answers(self):
        with contextlib.suppress(dbus.DBusException):
            return self.connect().close() is None

    def kill(self):
        """Ends the daemon, as a crash would."""
        self._daemon.process.kill()
        self._daemon.process.wait()
        self.socket.unlink(missing_ok=True)

    def run(self, *command):
        """Starts a program on this bus. It ends with the bus."""
        process = Process(*self.before, *command)
        self._running.append(process)
        return process

    def output(self, *command):
        """Runs a program on this bus; returns its standard output, even if it fails."""
        done = subprocess.run([*self.before, *command], capture_output=True, text=True, timeout=30, check=False)
        return done.stdout.strip()

    def connect(self):
        """A new dbus-python connection to this bus."""
        return dbus.bus.BusConnection(self.address)

    def has(self, name):
        with contextlib.closing(self.connect()) as connection:
            return connection.name_has_owner(name)

    def mock(self, template, name, **parameters):
        """Starts a python-dbusmock service, and waits until it owns its name."""
        process = self.run(
            sys.executable, "-m", "dbusmock", "--template", template, "--parameters", json.dumps(parameters)
        )
        wait_until(lambda: self.has(name))
        return process

    def stop(self):
        """Ends the programs on the bus, then the bus."""
        with contextlib.ExitStack() as stack:
            for process in self._running:
                stack.callback(process.stop)


@contextlib.contextmanager
def message_bus(folder, **options):
    bus = MessageBus(folder, **options)
    try:
        yield bus
    finally:
        bus.stop()

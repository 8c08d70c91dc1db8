"""Private Avahi daemons, each on its own machine and message bus, and what they discover."""

import re
import subprocess

from processes import Process, wait_until

_BUS = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <type>system</type>
  <listen>unix:path={socket}</listen>
  <policy context="default">
    <allow send_destination="*"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
_DAEMON = "[server]\nhost-name={name}\nuse-ipv6=no\nallow-interfaces=eth0\n[wide-area]\nenable-wide-area=no\n"
#: The daemon always writes its PID file to /run/avahi-daemon, so each daemon mounts its own folder there.
_APART = (
    'mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && exec avahi-daemon --file="$1"'
    " --no-drop-root --no-chroot --no-rlimits"
)


def _unescaped(name):
    return re.sub(r"\\(\d{3})", lambda match: chr(int(match.group(1))), name)


class Avahi:
    """The daemon on a machine."""

    def __init__(self, machine, folder):
        self.machine = machine
        self.folder = folder
        folder.mkdir()
        self.socket = folder / "bus"
        self._running = []
        (folder / "bus.conf").write_text(_BUS.format(socket=self.socket))
        (folder / "avahi.conf").write_text(_DAEMON.format(name=machine.name))
        self._start("dbus-daemon", "--nofork", "--nopidfile", f"--config-file={folder}/bus.conf")
        wait_until(self.socket.exists)
        self.start()

    @property
    def before(self):
        """The command prefix that makes a program use this daemon."""
        return ["env", f"DBUS_SYSTEM_BUS_ADDRESS=unix:path={self.socket}"]

    def start(self):
        self._daemon = self._start("unshare", "--mount", "sh", "-c", _APART, "avahi", f"{self.folder}/avahi.conf")
        wait_until(lambda: self._browse("--all").returncode == 0)

    def restart(self):
        self._daemon.stop()
        self.start()

    def stop(self):
        for process in reversed(self._running):
            process.stop()

    def publish(self, name, kind, port):
        """Announces a foreign service until the returned process is stopped."""
        return self._start("avahi-publish-service", name, kind, str(port))

    def names(self, kind):
        """The names of all services of a type."""
        lines = self._browse("--parsable", kind).stdout.splitlines()
        return {_unescaped(line.split(";")[3]) for line in lines if line.startswith("+")}

    def urls(self, kind):
        """The description URLs of the services of a type, by name."""
        # A new browser each time: a running one does not report changed TXT records.
        found = {}
        for line in self._browse("--resolve", "--parsable", kind).stdout.splitlines():
            change, _, _, name, *rest = line.split(";")
            if change == "=" and (url := re.search(r'"upnp=([^"]*)"', rest[-1])):
                # avahi-browse escapes blanks and brackets in names.
                found[re.sub(r"\\(\d{3})", lambda code: chr(int(code[1])), name)] = url.group(1)
        return found

    def _browse(self, *arguments):
        command = self.machine.command(*self.before, "avahi-browse", "--terminate", *arguments)
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def _start(self, *command):
        self._running.append(Process(*self.machine.command(*self.before, *command)))
        return self._running[-1]

"""A Debian root of another architecture, whose programs run under qemu's user emulation. It is not booted."""

import pathlib
import subprocess

from container import LONG
from processes import Process

ENVIRONMENT = ("env", "--ignore-environment", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
               "DEBIAN_FRONTEND=noninteractive")  # fmt: skip


class EmulatedMachine:
    """Runs programs of a root folder in a network namespace."""

    def __init__(self, root, machine):
        self.root = pathlib.Path(root)
        self._machine = machine

    def _command(self, *command):
        return self._machine.command("chroot", str(self.root), *ENVIRONMENT, *command)

    def start(self, *command):
        """Starts a program; returns its `Process`."""
        return Process(*self._command(*command))

    def run(self, *command):
        """Runs a program as root; returns what it printed."""
        done = subprocess.run(
            self._command(*command), stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG, check=False
        )
        assert done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def apt(self, *arguments):
        """Runs apt-get. The machine is offline and has the dependencies already."""
        return self.run("apt-get", "--yes", "--quiet", "--no-install-recommends", *arguments)

    def path(self, path):
        return self.root / path.lstrip("/")

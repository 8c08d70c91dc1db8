"""A Debian machine booted with systemd on a virtual network."""

import json
import os
import pathlib
import re
import subprocess

from processes import wait_until

#: Timeout in seconds for booting and for installing packages.
LONG = 900


class Container:
    """A root folder as a machine in a network namespace."""

    def __init__(self, root, machine):
        self.root = pathlib.Path(root)
        self._machine = machine
        self._nspawn = None

    def boot(self):
        """Boots the machine, and waits until its services have started."""
        self._nspawn = subprocess.Popen(
            ["systemd-nspawn", "--quiet", "--boot", "--register=no", "--keep-unit", "--link-journal=no",
             "--console=pipe", f"--network-namespace-path=/run/netns/{self._machine.name}",
             f"--directory={self.root}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            # systemd 256 and newer do not boot with the first version of control groups.
            env={**os.environ, "SYSTEMD_NSPAWN_UNIFIED_HIERARCHY": "1"},
        )  # fmt: skip
        wait_until(lambda: self._leader() and self.run("systemctl", check=False).returncode == 0)
        self.run("systemctl", "is-system-running", "--wait", check=False)

    def switch_off(self):
        if self._nspawn is None:
            return
        self.run("systemctl", "poweroff", check=False)
        try:
            self._nspawn.wait(timeout=LONG)
        except subprocess.TimeoutExpired:
            self._nspawn.kill()
            self._nspawn.wait()
        self._nspawn = None

    def _leader(self):
        """The PID of the machine's init process as a string."""
        number = self._nspawn.pid
        children = pathlib.Path(f"/proc/{number}/task/{number}/children")
        return children.read_text().split()[0] if children.exists() and children.read_text().strip() else None

    def run(self, *command, check=True):
        """Runs a program on the machine as root."""
        done = subprocess.run(
            ["nsenter", "--target", self._leader(), "--mount", "--uts", "--ipc", "--net", "--pid", "--root", "--wd",
             "env", "--ignore-environment", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root", "LC_ALL=C.UTF-8",
             "DEBIAN_FRONTEND=noninteractive", *command],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG, check=False,
        )  # fmt: skip
        assert not check or done.returncode == 0, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def apt(self, *arguments):
        """Runs apt-get. The machine is offline, so the package must not depend on anything that is not installed."""
        return self.run("apt-get", "--yes", "--quiet", "--no-install-recommends", *arguments)

    def path(self, path):
        return self.root / path.lstrip("/")


class Unit:
    """swiftlet.service on a machine, or an instance of swiftlet@.service."""

    def __init__(self, container, name="swiftlet"):
        self._container = container
        self._name = f"{name}.service"
        #: The options of `swiftlet status` and `swiftlet announce`.
        self.options = ("--status-socket", f"/run/{name.replace('@', '-')}/status") if "@" in name else ()

    def __getattr__(self, name):
        """A property by its name in `systemctl show`."""
        shown = self._container.run("systemctl", "show", "--property", name, "--value", self._name)
        return shown.stdout.strip()

    def __call__(self, verb, check=True):
        return self._container.run("systemctl", verb, self._name, check=check)

    def is_active(self):
        return self.ActiveState == "active"

    def status(self):
        """The output of `swiftlet status` for an unprivileged user."""
        done = self._container.run("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "swiftlet",
                                   "status", "--json", *self.options)  # fmt: skip
        return json.loads(done.stdout)

    def private_memory(self):
        """Pages that only this process uses and that no file holds, MB."""
        rollup = self._container.run("cat", f"/proc/{self.MainPID}/smaps_rollup").stdout
        return int(re.search(r"Private_Dirty: +(\d+) kB", rollup).group(1)) / 1024

    def wait_for(self, condition):
        wait_until(condition, explain=lambda: self._container.run("journalctl", "-u", self._name).stdout)

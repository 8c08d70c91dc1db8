"""Separate network namespaces for pytest-xdist workers, so that they do not discover each other's renderers."""

import ctypes
import os
import subprocess

_CLONE_NEWNET = 0x40000000


def enter_own_network():
    """Moves this process into a new network namespace that has only a loopback interface.

    Call it before the process starts threads: each thread keeps the namespace it was created in.
    Raises OSError without the right to create namespaces.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(_CLONE_NEWNET) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"cannot create a network namespace: {os.strerror(error)}; run the tests without -n")
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)

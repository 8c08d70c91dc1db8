"""Snapcast: a server with one stream, and clients that write what they play into files."""

import itertools
import json
import pathlib
import socket
import sys

from broker import free_port
from processes import PATIENCE, Process

ROOT = pathlib.Path(__file__).resolve().parents[3]
CONTROL = ROOT / "packaging/snapcast/snapcast-control.py"
STREAM = "Kitchen"


class Server:
    """snapserver with a stream that Swiftlet feeds. It can be stopped and started again."""

    def __init__(self, folder, sample_format="44100:16:2"):
        self._folder = folder
        folder.mkdir()
        self._format = sample_format
        self._numbers = itertools.count(1)
        self.source, self.stream, self._control = (free_port() for _ in range(3))
        self.process = None

    @property
    def output(self):
        return f"snapcast:127.0.0.1:{self.source},{self._format}"

    def start(self, speaker=None):
        """`speaker` is the address that the control script gets."""
        query = f"name={STREAM}&mode=server&sampleformat={self._format}"
        if speaker:
            # Version 0.26 passes no parameters to the script.
            script = self._folder / "control"
            script.write_text(f'#!/bin/sh\nexec {sys.executable} {CONTROL} --url {speaker} --config /dev/null "$@"\n')
            script.chmod(0o755)
            query += f"&controlscript={script}"
        configuration = self._folder / "snapserver.conf"
        local = "bind_to_address = 127.0.0.1"
        configuration.write_text(
            f"[server]\ndatadir = {self._folder}\n[http]\nenabled = false\n[tcp]\n{local}\nport = {self._control}\n"
            f"[stream]\n{local}\nport = {self.stream}\nsource = tcp://127.0.0.1:{self.source}/?{query}\n"
        )
        self.process = Process("snapserver", "--config", str(configuration), "--logging.sink=stderr")

    def stop(self, *arguments):
        if self.process:
            self.process.stop(*arguments)
            print("\n".join(self.process.err))

    def call(self, method, **parameters):
        """The result of a request to the server; raises an error that it answers with."""
        number = next(self._numbers)
        request = {"id": number, "jsonrpc": "2.0", "method": method, "params": parameters}
        with socket.create_connection(("127.0.0.1", self._control), timeout=PATIENCE) as connection:
            connection.sendall((json.dumps(request) + "\r\n").encode())
            # Notifications come in between.
            for line in connection.makefile(encoding="utf-8"):
                answer = json.loads(line)
                if answer.get("id") == number:
                    assert "error" not in answer, answer
                    return answer["result"]
        raise AssertionError(f"no answer to {method}")

    @property
    def properties(self):
        """The properties of the stream."""
        (stream,) = self.call("Server.GetStatus")["server"]["streams"]
        return stream.get("properties", {})

    def control(self, command, **parameters):
        return self.call("Stream.Control", id=STREAM, command=command, params=parameters)

    def set(self, name, value):
        return self.call("Stream.SetProperty", id=STREAM, property=name, value=value)


class Client(Process):
    """snapclient, whose sound goes into a file."""

    def __init__(self, server, folder, name):
        self._file = folder / f"{name}.raw"
        self._file.unlink(missing_ok=True)
        super().__init__(
            "snapclient", "--host", "127.0.0.1", "--port", str(server.stream), "--hostID", name,
            "--player", f"file:filename={self._file},mode=a", "--logsink", "stderr",
        )

    def has_heard(self, samples, length):
        """Whether any `length` bytes of the samples came bit for bit, and in whole frames."""
        if not self._file.exists():
            return False
        heard = self._file.read_bytes()
        # From the end, since it comes last; a few places suffice to find one without a gap.
        for start in range(len(heard) - length, max(-1, len(heard) - 10 * length), -length // 2):
            begin = start - start % 4
            place = samples.find(heard[begin:begin + 32])
            if place >= 0 and place % 4 == 0 and samples[place:place + length] == heard[begin:begin + length]:
                return True
        return False

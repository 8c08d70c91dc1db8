"""Sends a file to an AirPlay receiver with a title, as a phone does: airplay_sender.py ADDRESS PORT FILE PICTURE TITLE ARTIST ALBUM.

pyatv sends the progress as well. It ends with the file, or with SIGTERM.
"""

import asyncio
import ipaddress
import pathlib
import signal
import sys

import pyatv
from pyatv.conf import AppleTV, ManualService
from pyatv.const import Protocol
from pyatv.interface import MediaMetadata
from pyatv.protocols.dmap import tags
from pyatv.support import rtsp

#: As shairport-sync announces itself: not encrypted, and with text, pictures and progress.
PROPERTIES = {"et": "0,1", "md": "0,1,2", "cn": "0,1", "ch": "2", "sr": "44100", "ss": "16", "tp": "UDP"}

# shairport-sync 3.3.8 takes a stream with this line for ALAC, although the one before says that it is not compressed.
rtsp.ANNOUNCE_PAYLOAD = "".join(line for line in rtsp.ANNOUNCE_PAYLOAD.splitlines(True) if not line.startswith("a=fmtp"))
# pyatv counts characters instead of bytes, and shairport-sync reads beyond the end.
tags.string_tag = lambda name, value: tags.raw_tag(name, value.encode())


async def main(address, port, file, picture, title, artist, album):
    receiver = AppleTV(ipaddress.IPv4Address(address), "Kitchen")
    receiver.add_service(ManualService("receiver", Protocol.RAOP, int(port), PROPERTIES))
    device = await pyatv.connect(receiver, asyncio.get_running_loop())
    metadata = MediaMetadata(title=title, artist=artist, album=album, artwork=pathlib.Path(picture).read_bytes())
    sending = asyncio.ensure_future(device.stream.stream_file(file, metadata=metadata))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, sending.cancel)
    try:
        await sending
    except asyncio.CancelledError:
        pass
    finally:
        await asyncio.gather(*device.close())


asyncio.run(main(*sys.argv[1:]))

"""The device and service types that the program announces."""

RENDERER = "urn:schemas-upnp-org:device:MediaRenderer:1"
SERVICES = [
    f"urn:schemas-upnp-org:service:{name}:1" for name in ("AVTransport", "RenderingControl", "ConnectionManager")
]
SOURCE = "urn:av-openhome-org:device:Source:1"
OPENHOME_SERVICES = [
    f"urn:av-openhome-org:service:{name}"
    for name in (
        "Product:4", "Playlist:1", "Radio:2", "Receiver:1", "Pins:1", "Volume:4", "Info:1", "Time:1", "Transport:1",
        "Sender:2",
    )
]
#: For each device: its type, then the types of its services.
DEVICES = {"av": [RENDERER, *SERVICES], "openhome": [SOURCE, *OPENHOME_SERVICES]}
#: The number of announcements: each device is also announced as root device and by its UUID.
ANNOUNCEMENTS = sum(2 + len(types) for types in DEVICES.values())

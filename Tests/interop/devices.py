"""What the program is found as."""

RENDERER = "urn:schemas-upnp-org:device:MediaRenderer:1"
SERVICES = [
    f"urn:schemas-upnp-org:service:{name}:1" for name in ("AVTransport", "RenderingControl", "ConnectionManager")
]
SOURCE = "urn:av-openhome-org:device:Source:1"
OPENHOME_SERVICES = [
    f"urn:av-openhome-org:service:{name}"
    for name in (
        "Product:4", "Playlist:1", "Radio:2", "Pins:1", "Volume:4", "Info:1", "Time:1", "Transport:1",
    )
]
#: By device: its type, then those of its services.
DEVICES = {"av": [RENDERER, *SERVICES], "openhome": [SOURCE, *OPENHOME_SERVICES]}
#: How many announcements that makes: each device is also a root device and its own name.
ANNOUNCEMENTS = sum(2 + len(types) for types in DEVICES.values())

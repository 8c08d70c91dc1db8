"""Third-party media servers, the machine they run on, and some tracks for them."""

import subprocess

import network
from processes import Process

#: File, title, artist, album, length in seconds.
TRACKS = [
    ("one.flac", "Thunder & Rain", "AC/DC", 'The "Best" <Of>', 3),
    ("two.mp3", "Süßer Morgen", "Björk", "Debut", 4),
    ("three.flac", "Night Train", "Björk", "Debut", 5),
]


def make_tracks(folder):
    folder.mkdir()
    for name, title, artist, album, seconds in TRACKS:
        subprocess.run(
            ["ffmpeg", "-v", "error", "-nostdin", "-f", "lavfi", "-i", f"sine=440:sample_rate=44100:duration={seconds}",
             "-ac", "2", "-metadata", f"title={title}", "-metadata", f"artist={artist}", "-metadata", f"album={album}",
             str(folder / name)], check=True,
        )  # fmt: skip


def minidlna(machine, folder, music):
    settings = folder / "minidlna.conf"
    settings.write_text(
        f"media_dir=A,{music}\nfriendly_name=minidlna library\ndb_dir={folder}/minidlna\nlog_dir={folder}\n"
        "network_interface=eth0\nport=8200\n"
    )
    return Process(*machine.command("minidlnad", "-S", "-f", str(settings), "-P", str(folder / "minidlna.pid")))


def gerbera(machine, folder, music):
    home = folder / "gerbera"
    (home / ".config/gerbera").mkdir(parents=True)
    (home / ".config/gerbera/config.xml").write_text(
        f"""<?xml version="1.0" encoding="UTF-8"?>
        <config version="2" xmlns="http://mediatomb.cc/config/2">
        <server><ui enabled="no"/><name>gerbera library</name><udn>uuid:00000000-0000-0000-0000-00000000000a</udn>
        <pc-directory upnp-hide="yes"/><home>{home}</home><webroot>/usr/share/gerbera/web</webroot>
        <storage><sqlite3 enabled="yes"><database-file>{home}/gerbera.db</database-file></sqlite3></storage></server>
        <import hidden-files="no"><scripting script-charset="UTF-8"><virtual-layout type="builtin"/></scripting>
        <mappings><extension-mimetype ignore-unknown="no"><map from="flac" to="audio/x-flac"/>
        <map from="mp3" to="audio/mpeg"/></extension-mimetype>
        <mimetype-upnpclass><map from="audio/*" to="object.item.audioItem.musicTrack"/></mimetype-upnpclass>
        <mimetype-contenttype><treat mimetype="audio/mpeg" as="mp3"/><treat mimetype="audio/x-flac" as="flac"/>
        </mimetype-contenttype></mappings></import></config>"""
    )
    # Version 1 calls the option --add.
    usage = subprocess.run(["gerbera", "--help"], capture_output=True, text=True, check=False).stdout
    add = "--add-file" if "--add-file" in usage else "--add"
    command = ["gerbera", "-m", str(home), "-f", ".config/gerbera", "-e", "eth0", "-p", "49152", add, str(music)]
    return Process(*machine.command("env", f"HOME={home}", *command))


def rygel(machine, folder, music):
    home = folder / "rygel"
    home.mkdir()
    (home / "rygel.conf").write_text(
        "[general]\ninterface=eth0\nport=0\nupnp-enabled=true\nenable-transcoding=true\nlog-level=*:3\n"
        f"[MediaExport]\nenabled=true\ntitle=rygel library\nuris={music}\nmonitor-changes=false\n"
        "[Playbin]\nenabled=false\n[MPRIS]\nenabled=false\n[External]\nenabled=false\n"
    )
    directories = [f"{name}={home}" for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")]
    # Rygel reads tags in a process that lowers its priority by 19. On a busy machine that needs over 10 s for a file, and
    # rygel then leaves the file out for ever.
    priority = ["nice", "-n", "-19"]
    # dbus-run-session ends without rygel, which then keeps its output open.
    alone = ["unshare", "--pid", "--fork", "--kill-child"]
    command = [*priority, *alone, "dbus-run-session", "--", "rygel", "-c", str(home / "rygel.conf")]
    return Process(*machine.command("env", *directories, *command))


def server_and_neighbour():
    """A machine 192.0.2.1 for media servers, and its neighbour 192.0.2.2."""
    here, there = network.Machine(), network.Machine()
    # Gerbera exits if its IPv6 address is still tentative.
    subprocess.run(here.command("sysctl", "-q", "-w", "net.ipv6.conf.default.disable_ipv6=1"), check=True)
    network.connect(here, "eth0", there, "eth0")
    for machine, address in ((here, "192.0.2.1/24"), (there, "192.0.2.2/24")):
        machine.ip("address", "add", address, "dev", "eth0")
        machine.ip("route", "add", "default", "via", "192.0.2.254")
    return here, there

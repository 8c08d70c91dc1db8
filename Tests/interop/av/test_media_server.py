"""The library on the speaker's own disks as a media server, with GUPnP, async_upnp_client and the programs of this project."""

import contextlib
import http.client
import json
import urllib.parse
import xml.etree.ElementTree as ElementTree

import pytest
from async_upnp_client.aiohttp import AiohttpRequester
from async_upnp_client.client_factory import UpnpFactory
from async_upnp_client.profiles.dlna import DmsDevice

import network
from library_servers import ALL_TRACKS, TRACKS, LibraryServers, make_track, titles
from processes import wait_until

pytestmark = [network.needs_namespaces, pytest.mark.xdist_group("libraries"), pytest.mark.keys("library.folders")]

TITLES = sorted(track[0] or "no tags" for track in TRACKS.values())


@pytest.fixture(scope="module")
def servers(tmp_path_factory):
    with contextlib.closing(LibraryServers(tmp_path_factory.mktemp("library"))) as servers:
        yield servers
        print("\n".join(servers.speaker.out + servers.speaker.err))


@pytest.fixture
def gupnp(servers):
    return servers.client()


def child(client, container, title):
    found = [one for one in client.browse(container)["objects"] if one["title"] == title]
    assert len(found) == 1, (container, title, found)
    return found[0]


# Browse and Search with GUPnP


def test_gupnp_finds_the_server(gupnp):
    assert gupnp.device == {"name": "Kitchen library", "model": "Swiftlet"}
    protocols = gupnp.call("GetProtocolInfo")
    assert "http-get:*:audio/x-flac:*" in protocols["Source"].split(",") and not protocols["Sink"]


def test_gupnp_walks_the_tree(gupnp):
    """Every container has as many children as it says, each child names its parent, and no id occurs twice."""
    seen, waiting = {}, [gupnp.browse("0", "BrowseMetadata")["objects"][0]]
    while waiting:
        container = waiting.pop()
        answer = gupnp.browse(container["id"])
        children = answer["objects"]
        assert len(children) == container["children"] == int(answer["NumberReturned"]) == int(answer["TotalMatches"])
        for one in children:
            assert one["parent"] == container["id"] and one["restricted"] and one["id"] not in seen, one
            seen[one["id"]] = one
            assert gupnp.browse(one["id"], "BrowseMetadata")["objects"] == [one]
            if "children" in one:
                waiting.append(one)
    items = [one for one in seen.values() if "children" not in one]
    originals = {one["id"] for one in items if not one["ref"]}
    assert len(originals) == len(TRACKS)
    assert {one["ref"] for one in items if one["ref"]} == originals


def test_gupnp_reads_all_properties_of_a_track(gupnp, servers):
    album = child(gupnp, "albums", "Début")
    assert album["class"] == "object.container.album.musicAlbum" and album["creator"] == "Björk"
    track = child(gupnp, album["id"], "Söng & <Co>")
    assert track["class"] == "object.item.audioItem.musicTrack"
    assert (track["creator"], track["album"], track["genre"], track["track"]) == ("Björk", "Début", "Pop", 1)
    assert track["date"].startswith("1993") and track["art"].startswith(f"{servers.base}/")
    assert ["Björk", None] in track["artists"] and ["Björk", "AlbumArtist"] in track["artists"]
    (resource,) = track["resources"]
    size = (servers.folder / "music/Debut/01 Söng & Co.flac").stat().st_size
    assert resource["uri"].startswith(f"{servers.base}/library/tracks/") and resource["uri"].endswith(".flac")
    assert (resource["duration"], resource["size"], resource["mime"]) == (5, size, "audio/x-flac")
    assert (resource["sample-freq"], resource["bits-per-sample"], resource["audio-channels"]) == (44100, 16, 2)
    # Bytes per second.
    assert size / 5 / 2 < resource["bitrate"] < size / 5 * 2


def test_the_filter_selects(gupnp):
    track = gupnp.search('dc:title = "Night Train"', filter="dc:creator,res@duration")["objects"][0]
    assert track["creator"] == "Björk" and not track["album"] and not track["art"]
    assert track["resources"][0]["duration"] == 5 and track["resources"][0]["size"] == -1
    assert gupnp.search('dc:title = "Night Train"', filter="")["objects"][0]["resources"] == []


#: Searches that control points send, and the titles that they find.
SEARCHES = [
    # Windows Media Player
    (ALL_TRACKS, TITLES),
    ('upnp:class derivedfrom "object.container.playlistContainer" and @refID exists false', []),
    # BubbleUPnP
    ('(upnp:class = "object.container.person.musicArtist" and dc:title contains "björk")', ["Björk"]),
    ('(upnp:class = "object.container.album.musicAlbum" and dc:title contains "but")', ["Début"]),
    ('(upnp:class = "object.container.album.musicAlbum" and upnp:artist contains "BJÖRK")', ["Début"]),
    ('(upnp:class derivedfrom "object.item.audioItem" and dc:title contains "thun")', ["Thunder"]),
    (
        '(upnp:class derivedfrom "object.item.audioItem" and (dc:creator contains "asgeir" or upnp:artist contains "asgeir"))',
        ["Rain"],
    ),
    # Other control points
    ('upnp:class = "object.item.audioItem.musicTrack" and dc:title contains "Söng & <Co>"', ["Söng & <Co>"]),
    ('upnp:class derivedfrom "object.container.album" and dc:title contains "\\"best\\""', ['The "Best"']),
    ('upnp:class derivedfrom "object.container.genre"', ["Folk", "Pop", "Rock"]),
    ('upnp:class derivedfrom "object.item" and upnp:artist[@role="AlbumArtist"] = "Various Artists"', ["Rain", "Thunder"]),
    ('upnp:class derivedfrom "object.item.audioItem" and upnp:album = "Début" and dc:title doesNotContain "n"', []),
    ('upnp:class derivedfrom "object.item.audioItem" and (upnp:genre = "Rock" or upnp:genre = "Folk")', ["Rain", "Thunder"]),
    ('upnp:class derivedfrom "object.item.audioItem" and dc:date < "1999-01-01"', ["Night Train", "Söng & <Co>"]),
    ('upnp:class derivedfrom "object.item.audioItem" and upnp:genre exists false', ["no tags"]),
    ('upnp:class derivedfrom "object.item.videoItem"', []),
]


@pytest.mark.parametrize(("criteria", "expected"), SEARCHES, ids=range(len(SEARCHES)))
def test_known_searches_find_what_they_should(gupnp, criteria, expected):
    answer = gupnp.search(criteria)
    assert sorted(one["title"] for one in answer["objects"]) == expected
    assert int(answer["TotalMatches"]) == len(expected)


def test_search_is_limited_to_the_container(gupnp):
    album = child(gupnp, "albums", 'The "Best"')
    assert titles(gupnp, ALL_TRACKS, container=album["id"]) == ["Rain", "Thunder"]


def test_results_are_sorted_and_paged(gupnp):
    def found(**options):
        return [one["title"] for one in gupnp.search(ALL_TRACKS, **options)["objects"]]

    whole = found(sort="-dc:title")
    assert sorted(whole) == TITLES and whole != TITLES
    assert [title for start in range(0, 6, 2) for title in found(sort="-dc:title", start=start, count=2)] == whole
    by_album = found(sort="+upnp:album,-upnp:originalTrackNumber")
    assert by_album.index("Night Train") < by_album.index("Söng & <Co>")


@pytest.mark.parametrize(
    ("call", "fault"),
    [
        (lambda gupnp: gupnp.browse("nothing"), 701),
        (lambda gupnp: gupnp.browse("../../etc", "BrowseMetadata"), 701),
        (lambda gupnp: gupnp.browse("0", sort="+dc:nothing"), 709),
        (lambda gupnp: gupnp.search("dc:title ="), 708),
        (lambda gupnp: gupnp.search('dc:nothing = "a"'), 708),
        (lambda gupnp: gupnp.search("*", container="nothing"), 710),
        (lambda gupnp: gupnp.search("*", sort="dc:nothing"), 709),
    ],
)
def test_wrong_requests_are_refused(gupnp, call, fault):
    assert call(gupnp)["fault"] == fault


def test_changes_are_evented(gupnp, servers):
    before = int(gupnp.event("SystemUpdateID"))
    assert int(gupnp.call("GetSystemUpdateID")["Id"]) == before
    new = servers.folder / "music/New/new.flac"
    make_track(new, title="New", artist="Ann", album="New", track=1)
    try:
        while "albums," not in gupnp.event("ContainerUpdateIDs"):
            pass
        wait_until(lambda: int(gupnp.call("GetSystemUpdateID")["Id"]) != before)
        wait_until(lambda: "New" in titles(gupnp))
    finally:
        new.unlink()
        wait_until(lambda: titles(gupnp) == TITLES)


# async_upnp_client


async def test_async_upnp_client_browses_and_searches(gupnp, servers):
    machine = servers.neighbour

    async def drive():
        device = await UpnpFactory(AiohttpRequester()).async_create_device(servers.description_url)
        server = DmsDevice(device, None)
        assert DmsDevice.is_profile_device(device) and server.has_search_directory
        root = await server.async_browse_direct_children("0")
        names = [one.title for one in root.result]
        found = await server.async_search_directory("0", ALL_TRACKS)
        track = await server.async_browse_metadata(found.result[0].id)
        return {
            "names": names, "total": found.total_matches, "titles": sorted(one.title for one in found.result),
            "track": [track.title, track.upnp_class, track.res[0].protocol_info.split(":")[0]],
            "sort": server.sort_capabilities if hasattr(server, "sort_capabilities") else None,
        }  # fmt: skip

    import asyncio

    result = await asyncio.to_thread(machine.do, lambda: asyncio.run(drive()))
    assert result["titles"] == TITLES and result["total"] == len(TITLES) and "Albums" in result["names"]
    assert result["track"][1:] == ["object.item.audioItem.musicTrack", "http-get"]


# Files


def fetch(servers, url, method="GET", **headers):
    def ask():
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=30)
        connection.request(method, parts.path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()

    return servers.neighbour.do(ask)


@pytest.fixture
def track(gupnp):
    return gupnp.search('dc:title = "Night Train"')["objects"][0]


def test_files_are_served_with_ranges(servers, track):
    url = track["resources"][0]["uri"]
    data = (servers.folder / "music/Debut/02 Night Train.flac").read_bytes()
    status, headers, body = fetch(servers, url)
    assert (status, body) == (200, data)
    assert headers["Content-Type"] == "audio/x-flac" and headers["Accept-Ranges"] == "bytes"
    status, headers, body = fetch(servers, url, Range="bytes=1000-1999")
    assert (status, body) == (206, data[1000:2000])
    assert headers["Content-Range"] == f"bytes 1000-1999/{len(data)}"
    assert fetch(servers, url, Range=f"bytes={len(data)}-")[0] == 416
    status, headers, body = fetch(servers, url, "HEAD", **{"getcontentFeatures.dlna.org": "1", "transferMode.dlna.org": "Streaming"})
    assert (status, body, headers["Content-Length"]) == (200, b"", str(len(data)))
    assert headers["contentFeatures.dlna.org"].startswith("DLNA.ORG_OP=01") and headers["transferMode.dlna.org"] == "Streaming"


@pytest.mark.parametrize("title", ["Night Train", "Thunder"])
def test_covers_in_files_and_folders_are_served(servers, gupnp, title):
    art = gupnp.search(f'dc:title = "{title}"')["objects"][0]["art"]
    status, headers, body = fetch(servers, art)
    assert status == 200 and headers["Content-Type"] in ("image/jpeg", "image/png")
    assert body[:3] in (b"\xff\xd8\xff", b"\x89PN")


@pytest.mark.parametrize("path", ["/library/tracks/", "/library/tracks/1", "/library/tracks/..%2f..%2fetc%2fpasswd", "/library/covers/f1", "/library/x"])
def test_nothing_else_is_served(servers, path):
    assert fetch(servers, servers.base + path)[0] == 404


def test_the_description_names_the_services(servers, gupnp):
    root = ElementTree.fromstring(fetch(servers, servers.description_url)[2])
    names = {"d": "urn:schemas-upnp-org:device-1-0", "dlna": "urn:schemas-dlna-org:device-1-0"}
    assert root.findtext(".//d:deviceType", namespaces=names) == "urn:schemas-upnp-org:device:MediaServer:1"
    assert root.findtext(".//dlna:X_DLNADOC", namespaces=names) == "DMS-1.50"
    services = [one.text for one in root.findall(".//d:serviceId", names)]
    assert services == ["urn:upnp-org:serviceId:ContentDirectory", "urn:upnp-org:serviceId:ConnectionManager"]


# The programs of this project


def test_swiftlet_control_finds_and_plays_it(servers, gupnp):
    listed = [json.loads(line) for line in servers.control("servers", "--json", "--wait", "1.5").splitlines()]
    assert [one["name"] for one in listed] == ["Kitchen library"]
    assert "Albums/" in servers.control("browse", "Kitchen library")
    assert "Albums/" in servers.control("browse", "Kitchen")
    assert "Night Train" in servers.control("search", "Kitchen library", "train")


@pytest.mark.timeout(200)
def test_it_passes_the_check(servers, gupnp):
    report = json.loads(servers.control("check", "Kitchen library", "--strict", "--json"))
    assert not [one for one in report["results"] if one["verdict"] in ("fail", "inconclusive")]
    passed = {one["id"] for one in report["results"] if one["verdict"] == "pass"}
    assert passed > {"cds/2.7.4/paging", "cds/2.7.5/by-class", "cds/resource/ranges", "cm/2.4/source", "uda/4.3/initial"}


def test_swiftlet_control_plays_an_album_on_the_speaker_itself(servers, gupnp):
    servers.control("play", "Kitchen", "--replace", "Kitchen library:/Albums/Début")
    api = servers.api
    wait_until(lambda: [one["title"] for one in api.get("/api/queue").json["items"]] == ["Söng & <Co>", "Night Train"])
    wait_until(lambda: api.state["playing"].get("title") == "Night Train")
    assert api.state["playing"]["artist"] == "Björk"


def test_the_page_lists_it_first_with_pictures(servers, gupnp):
    api = servers.api
    own = wait_until(lambda: next(iter(api.get("/api/servers").json["servers"]), {}).get("searchable") and api.get("/api/servers").json)
    first = own["servers"][0]
    assert (first["name"], first["own"]) == ("Kitchen library", True)
    items = api.get("/api/library", {"server": first["id"], "container": "albums"}).json["items"]
    album = next(one for one in items if one["title"] == "Début")
    picture = api.get(album["art"])
    assert picture.status == 200 and picture.body[:4] == b"\x89PNG"
    found = api.get("/api/library/search", {"server": first["id"], "q": "night bjork"}).json["items"]
    assert [one["title"] for one in found] == ["Night Train"]


# Beside minidlna and gerbera


@pytest.fixture(scope="module")
def all_servers(servers):
    servers.start_others()
    return servers


def described(tracks):
    """The properties of tracks on which all servers agree, by title."""
    facts = {}
    for one in tracks:
        # Of minidlna, it is the artist of the track, and upnp:artist the one of the album; gerbera sends none.
        artist = one["creator"] or next((name for name, role in one["artists"] if not role), None)
        (resource,) = (each for each in one["resources"] if each["mime"].startswith("audio/"))
        facts[one["title"]] = {
            "artist": artist, "album": one["album"], "genre": one["genre"], "date": one["date"], "track": one["track"],
            "class": one["class"], "mime": resource["mime"], "size": resource["size"], "duration": resource["duration"],
            "rate": resource["sample-freq"], "channels": resource["audio-channels"],
        }  # fmt: skip
    return facts


def test_minidlna_describes_the_tracks_alike(all_servers):
    ours, theirs = (all_servers.client(name).search(ALL_TRACKS)["objects"] for name in ("Kitchen library", "minidlna library"))
    assert described(ours) == described(theirs)


def test_gerbera_describes_the_tracks_alike(all_servers):
    gerbera = all_servers.client("gerbera library", is_searched=False)

    def theirs():
        found = [one for one in gerbera.browse("0")["objects"] if one["title"] == "Audio"]
        found = [one for one in gerbera.browse(found[0]["id"])["objects"] if one["title"] == "All Audio"] if found else []
        tracks = gerbera.browse(found[0]["id"])["objects"] if found else []
        return tracks if len(tracks) == len(TRACKS) else None

    # It keeps the extension of the file without tags.
    tracks = [one | {"title": one["title"].removesuffix(".flac")} for one in wait_until(theirs)]
    assert described(all_servers.client().search(ALL_TRACKS)["objects"]) == described(tracks)

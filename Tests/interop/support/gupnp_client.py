#!/usr/bin/python3
"""A control point made with GUPnP for one media server: performs the calls on its standard input, prints their results as JSON.

Each line of the input is `["call", "Browse", {arguments}]` or `["event", "SystemUpdateID"]`, which waits for an event with the
variable. Objects are read by GUPnP-AV's parser.
"""

import json
import sys

import gi

gi.require_version("GSSDP", "1.6")
gi.require_version("GUPnP", "1.6")
gi.require_version("GUPnPAV", "1.0")
from gi.repository import GSSDP, GLib, GObject, GUPnP, GUPnPAV  # noqa: E402

RESULTS = {
    "Browse": ["Result", "NumberReturned", "TotalMatches", "UpdateID"],
    "Search": ["Result", "NumberReturned", "TotalMatches", "UpdateID"],
    "GetSearchCapabilities": ["SearchCaps"],
    "GetSortCapabilities": ["SortCaps"],
    "GetSystemUpdateID": ["Id"],
    "GetProtocolInfo": ["Source", "Sink"],
}
EVENTED = ["SystemUpdateID", "ContainerUpdateIDs"]
RESOURCE = ["uri", "duration", "size", "bitrate", "sample-freq", "bits-per-sample", "audio-channels"]


def resource(one):
    info = one.get_protocol_info()
    values = {name: one.get_property(name) for name in RESOURCE}
    return values | {"mime": info.get_mime_type(), "profile": info.get_dlna_profile(), "protocol": info.get_protocol()}


def described(didl):
    objects = []

    def add(_, one):
        values = {
            "id": one.get_id(), "parent": one.get_parent_id(), "title": one.get_title(), "class": one.get_upnp_class(),
            "restricted": one.get_restricted(), "creator": one.get_creator(), "album": one.get_album(),
            "genre": one.get_genre(), "date": one.get_date(), "track": one.get_track_number(), "art": one.get_album_art(),
            "artists": [[artist.get_name(), artist.get_role()] for artist in one.get_artists()],
            "resources": [resource(each) for each in one.get_resources()],
        }  # fmt: skip
        if isinstance(one, GUPnPAV.DIDLLiteContainer):
            values["children"] = one.get_child_count()
        else:
            values["ref"] = one.get_ref_id()
        objects.append(values)

    parser = GUPnPAV.DIDLLiteParser()
    parser.connect("object-available", add)
    try:
        parser.parse_didl(didl)
    except GLib.Error as error:
        # A document without objects is an error of GUPnP-AV's parser.
        if not error.message.startswith("Empty 'DIDL-Lite' node"):
            raise
    return objects


def typed(value):
    if isinstance(value, int):
        number = GObject.Value()
        number.init(GObject.TYPE_UINT)
        number.set_uint(value)
        return number
    return value


class Client:
    def __init__(self, interface):
        self.loop = GLib.MainLoop()
        self.context = GUPnP.Context.new_full(interface, None, 0, GSSDP.UDAVersion.VERSION_1_0)
        # The subscription lasts as long as its service.
        self.device, self.seen, self.subscribed = None, {}, None
        # A control point searches when it starts, and a busy server may miss that.
        while not self.device:
            self.point = GUPnP.ControlPoint.new(self.context, "urn:schemas-upnp-org:device:MediaServer:1")
            self.point.connect("device-proxy-available", self.found)
            self.point.set_active(True)
            self.wait(lambda: self.device, 10)

    def wait(self, condition, seconds=None):
        context, over = self.loop.get_context(), []
        if seconds:
            GLib.timeout_add_seconds(seconds, lambda: over.append(True))
        while not condition() and not over:
            context.iteration(True)

    def found(self, _, device):
        if NAME in device.get_friendly_name():
            self.device = device

    def service(self, name):
        return self.device.get_service(f"urn:schemas-upnp-org:service:{name}:1")

    def call(self, name, arguments):
        service = self.service("ConnectionManager" if name == "GetProtocolInfo" else "ContentDirectory")
        action = GUPnP.ServiceProxyAction.new_from_list(name, list(arguments), [typed(value) for value in arguments.values()])
        try:
            service.call_action(action, None)
            ok, values = action.get_result_list(RESULTS[name], [GObject.TYPE_STRING] * len(RESULTS[name]))
        except GLib.Error as error:
            return {"fault": error.code, "text": error.message}
        results = dict(zip(RESULTS[name], values, strict=True))
        if "Result" in results:
            results["objects"] = described(results.pop("Result"))
        return results

    def event(self, variable):
        """Waits for one more event than have been reported."""
        if not self.seen:
            self.subscribed = self.service("ContentDirectory")
            for name in EVENTED:
                self.seen[name] = []
                self.subscribed.add_notify(name, GObject.TYPE_STRING, lambda _, name, value, *rest: self.seen[name].append(value))
            # On a busy machine, GUPnP sometimes never reports the initial event of a subscription.
            while not self.seen["SystemUpdateID"]:
                self.subscribed.set_subscribed(False)
                self.subscribed.set_subscribed(True)
                self.wait(lambda: self.seen["SystemUpdateID"], 5)
        self.wait(lambda: self.seen[variable])
        return self.seen[variable].pop(0)


INTERFACE, NAME = sys.argv[1:]
client = Client(INTERFACE)
print(json.dumps({"name": client.device.get_friendly_name(), "model": client.device.get_model_name()}), flush=True)
for line in sys.stdin:
    kind, *arguments = json.loads(line)
    print(json.dumps(client.call(*arguments) if kind == "call" else client.event(*arguments)), flush=True)

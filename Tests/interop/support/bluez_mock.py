"""A mock of BlueZ on a private bus: python-dbusmock's template, with errors on demand and a report of each call.

A program. It reads commands as lines of JSON, and prints events as lines of JSON between the lines of dbusmock's log.
"""

import ctypes
import json
import os
import queue
import sys
import threading

import dbus
import dbus.lowlevel
import dbus.mainloop.glib
import dbus.service
import dbusmock.mockobject
from dbusmock.templates import bluez5

ADVERTISEMENT = bluez5.LE_ADVERTISEMENT_IFACE
AGENT = "org.bluez.Agent1"
MANAGER = dbusmock.mockobject.OBJECT_MANAGER_IFACE


def plain(value):
    """A value without D-Bus's types."""
    if isinstance(value, dict):
        return {str(plain(key)): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dbus.Boolean):
        return bool(value)
    return int(value) if isinstance(value, int) else str(value)


class Mock:
    def __init__(self):
        dbus.mainloop.glib.DBusGMainLoop(set_as_default=True)
        self.bus = dbus.bus.BusConnection(os.environ["DBUS_SYSTEM_BUS_ADDRESS"])
        self.bus.add_message_filter(self.filter)
        name = dbus.service.BusName("org.bluez", self.bus, do_not_queue=True)
        self.main = dbusmock.mockobject.DBusMockObject(name, "/", MANAGER, {}, None, True)
        dbusmock.mockobject.objects["/"] = self.main
        self.main.AddTemplate("bluez5", {})
        #: For each method the errors of its next calls; None lets a call succeed.
        self.failures = {}
        #: The last caller of each method.
        self.senders = {}
        #: The object that manages adapters and agents.
        self.root = self.object("/org/bluez")
        self.replace(self.root, "org.bluez.AgentManager1", "RegisterAgent", "os", bluez5.RegisterAgent)

    def object(self, path):
        return dbusmock.mockobject.objects[path]

    def say(self, **event):
        os.write(1, (json.dumps(event) + "\n").encode())

    def filter(self, _connection, message):
        if isinstance(message, dbus.lowlevel.MethodCallMessage):
            self.senders[str(message.get_member())] = str(message.get_sender())
            if str(message.get_member()) == "SetDiscoveryFilter":
                self.say(event="filter", values=plain(message.get_args_list()[0]))
            if str(message.get_member()) == "GetManagedObjects":
                self.say(event="objects")
            if str(message.get_member()) == "Set":
                self.say(event="set", path=str(message.get_path()), values=plain(message.get_args_list()))
        return dbus.lowlevel.HANDLER_RESULT_NOT_YET_HANDLED

    def replace(self, target, interface, name, signature, original, before=None):
        """Makes a method fail on demand, and reports its calls."""

        def method(this, *arguments):
            errors = self.failures.get(name)
            if error := errors.pop(0) if errors else None:
                self.say(event="refused", method=name, error=error)
                raise dbus.exceptions.DBusException("refused by the test", name=error)
            if before:
                before(*arguments)
            if original:
                original(this, *arguments)
            self.say(event="call", method=name, path=str(target.path), arguments=plain(arguments))

        target.AddMethod(interface, name, signature, "", method)

    # Commands

    def add_adapter(self, name="hci0", powered=True, advertises=True, pairable=True):
        self.root.enable_advertise_api = advertises
        # Mute the template's signal. BlueZ announces all interfaces in one signal, which is sent below.
        self.main.EmitSignal = lambda *_: None
        path = self.main.AddAdapter(name, "Test")
        del self.main.EmitSignal
        adapter = self.object(path)
        adapter.props[bluez5.ADAPTER_IFACE].update(Powered=dbus.Boolean(powered), Pairable=dbus.Boolean(pairable))
        for method, signature, original in [
            ("StartDiscovery", "", bluez5.StartDiscovery),
            ("StopDiscovery", "", bluez5.StopDiscovery),
            ("SetDiscoveryFilter", "a{sv}", bluez5.SetDiscoveryFilter),
        ]:
            self.replace(adapter, bluez5.ADAPTER_IFACE, method, signature, getattr(original, "__wrapped__", original))
        if advertises:
            manager = bluez5.LE_ADVERTISING_MANAGER_IFACE
            self.replace(
                adapter, manager, "RegisterAdvertisement", "oa{sv}", bluez5.RegisterAdvertisement, self.read_advertisement
            )
            self.replace(adapter, manager, "UnregisterAdvertisement", "o", bluez5.UnregisterAdvertisement)
        interfaces = {name: adapter.props[name] for name in adapter.props if name.startswith("org.bluez.")}
        self.main.EmitSignal(MANAGER, "InterfacesAdded", "oa{sa{sv}}", [dbus.ObjectPath(path), interfaces])

    def remove_adapter(self, name="hci0"):
        self.main.RemoveAdapter(name)

    def power(self, name="hci0", powered=True):
        self.object(f"/org/bluez/{name}").UpdateProperties(bluez5.ADAPTER_IFACE, {"Powered": dbus.Boolean(powered)})

    def add_device(self, address, name, adapter="hci0", **properties):
        path = self.main.AddDevice(adapter, address, name)
        device = self.object(path)
        self.replace(device, bluez5.DEVICE_IFACE, "Pair", "", bluez5.Pair)
        self.replace(device, bluez5.DEVICE_IFACE, "Connect", "", bluez5.Connect)
        self.replace(device, bluez5.DEVICE_IFACE, "CancelPairing", "", None)
        if properties:
            self.change_device(path, **properties)
        self.say(event="device", path=path)

    def change_device(self, path, **properties):
        types = {"RSSI": dbus.Int16, "Paired": dbus.Boolean, "Connected": dbus.Boolean}
        values = {key: types.get(key, dbus.String)(value) for key, value in properties.items() if key != "beacon"}
        if "beacon" in properties:
            data = dbus.Array([dbus.Byte(byte) for byte in bytes.fromhex(properties["beacon"])], signature="y")
            values["ManufacturerData"] = dbus.Dictionary({dbus.UInt16(0x4C): data}, signature="qv")
        self.object(path).UpdateProperties(bluez5.DEVICE_IFACE, values)

    def remove_device(self, path, adapter="hci0"):
        bluez5.RemoveDevice(self.object(f"/org/bluez/{adapter}"), path)

    def fail(self, method, errors):
        self.failures[method] = errors

    def release(self):
        sender, path = self.advertiser
        adapter = self.object("/org/bluez/hci0")
        adapter.advertisements.remove(path)
        self.bus.call_async(sender, path, ADVERTISEMENT, "Release", "", (), lambda: self.say(event="released"), self.failed)

    def agent(self, method, path, *arguments):
        types = {
            "RequestConfirmation": "ou", "RequestAuthorization": "o", "DisplayPasskey": "ouq", "Cancel": "",
            "RequestPinCode": "o", "DisplayPinCode": "os", "AuthorizeService": "os",
        }  # fmt: skip
        arguments = (dbus.ObjectPath(path), *arguments) if path else ()
        self.bus.call_async(
            self.senders["RegisterAgent"], "/org/swiftlet/pairing", AGENT, method, types[method], arguments,
            lambda *values: self.say(event="agent", method=method, values=plain(values)), self.failed,
        )

    def hostile(self, signal, signature, arguments, path="/", interface=MANAGER):
        """Emits a signal with arbitrary arguments."""
        self.object(path).EmitSignal(interface, signal, signature, arguments)

    def hostile_objects(self):
        """Makes GetManagedObjects reply with a string."""
        self.main.AddMethod(MANAGER, "GetManagedObjects", "", "s", "ret = 'nothing of the kind'")

    # Advertisements

    def read_advertisement(self, path, _options):
        sender = self.senders["RegisterAdvertisement"]
        self.advertiser = (sender, str(path))
        values = self.bus.call_blocking(
            sender, path, dbus.PROPERTIES_IFACE, "GetAll", "s", (ADVERTISEMENT,), timeout=10
        )
        self.say(event="advertised", values=plain(values))
        self.bus.add_signal_receiver(
            lambda _interface, changed, _gone: self.say(event="refreshed", values=plain(changed)),
            "PropertiesChanged", dbus.PROPERTIES_IFACE, sender, path,
        )

    def failed(self, error):
        self.say(event="failed", error=error.get_dbus_name())

    def run(self):
        commands = queue.Queue()
        threading.Thread(target=lambda: [commands.put(line) for line in sys.stdin], daemon=True).start()
        glib = ctypes.cdll.LoadLibrary("libglib-2.0.so.0")
        self.say(event="ready")
        while True:
            while glib.g_main_context_iteration(None, False):
                pass
            try:
                command = json.loads(commands.get(timeout=0.005))
            except queue.Empty:
                continue
            getattr(self, command.pop("do"))(*command.pop("arguments", ()), **command)
            self.say(event="done")


Mock().run()

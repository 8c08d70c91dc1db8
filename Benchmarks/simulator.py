"""Simulates many UPnP devices on one address: answers searches on port 1900, and serves descriptions, an SCPD and one action.

    simulator.py ADDRESS [--count 500] [--name NAME ...] [--hanging COUNT] [--deaf]

It answers every M-SEARCH like real devices: each device after a random time within MX. The first COUNT devices never send
their descriptions. With --deaf, each device answers one search less than the one before, as if the first ones were lost. It
prints the URL of the first description when it is ready.
"""

import argparse
import asyncio
import random
import re
import socket
import struct
import uuid

GROUP, PORT = "239.255.255.250", 1900
DOMAIN = "urn:schemas-upnp-org"
DEVICE_TYPE = f"{DOMAIN}:device:MediaRenderer:1"
SERVICES = ("RenderingControl", "ConnectionManager", "AVTransport")

#: About 2.5 kB, like the descriptions of renderers in homes.
DESCRIPTION = """<?xml version="1.0" encoding="utf-8"?>
<root xmlns="urn:schemas-upnp-org:device-1-0" xmlns:dlna="urn:schemas-dlna-org:device-1-0" configId="1">
  <specVersion>
    <major>1</major>
    <minor>1</minor>
  </specVersion>
  <device>
    <deviceType>{type}</deviceType>
    <friendlyName>{name}</friendlyName>
    <manufacturer>Example Audio</manufacturer>
    <manufacturerURL>http://www.example.com/</manufacturerURL>
    <modelDescription>A network music player that exists only as an answer to a search</modelDescription>
    <modelName>Simulated Player</modelName>
    <modelNumber>{number}</modelNumber>
    <modelURL>http://www.example.com/players/simulated</modelURL>
    <serialNumber>SP-{number:06}</serialNumber>
    <UDN>{udn}</UDN>
    <dlna:X_DLNADOC>DMR-1.50</dlna:X_DLNADOC>
    <iconList>
{icons}
    </iconList>
    <serviceList>
{services}
    </serviceList>
    <presentationURL>/{number}/</presentationURL>
  </device>
</root>
"""
ICON = """      <icon>
        <mimetype>image/png</mimetype>
        <width>{size}</width>
        <height>{size}</height>
        <depth>24</depth>
        <url>/icon{size}.png</url>
      </icon>"""
SERVICE = """      <service>
        <serviceType>urn:schemas-upnp-org:service:{service}:1</serviceType>
        <serviceId>urn:upnp-org:serviceId:{service}</serviceId>
        <SCPDURL>/{service}.xml</SCPDURL>
        <controlURL>/{number}/{service}/control</controlURL>
        <eventSubURL>/{number}/{service}/event</eventSubURL>
      </service>"""
SCPD = """<?xml version="1.0" encoding="utf-8"?>
<scpd xmlns="urn:schemas-upnp-org:service-1-0"><specVersion><major>1</major><minor>1</minor></specVersion>
<actionList><action><name>GetVolume</name><argumentList>
<argument><name>InstanceID</name><direction>in</direction><relatedStateVariable>A_ARG_TYPE_InstanceID</relatedStateVariable></argument>
<argument><name>Channel</name><direction>in</direction><relatedStateVariable>A_ARG_TYPE_Channel</relatedStateVariable></argument>
<argument><name>CurrentVolume</name><direction>out</direction><relatedStateVariable>Volume</relatedStateVariable></argument>
</argumentList></action></actionList>
<serviceStateTable>
<stateVariable sendEvents="no"><name>A_ARG_TYPE_InstanceID</name><dataType>ui4</dataType></stateVariable>
<stateVariable sendEvents="no"><name>A_ARG_TYPE_Channel</name><dataType>string</dataType></stateVariable>
<stateVariable sendEvents="no"><name>Volume</name><dataType>ui2</dataType></stateVariable>
</serviceStateTable></scpd>
"""
VOLUME = (
    '<?xml version="1.0"?><s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" '
    's:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>'
    '<u:GetVolumeResponse xmlns:u="urn:schemas-upnp-org:service:RenderingControl:1"><CurrentVolume>40</CurrentVolume>'
    "</u:GetVolumeResponse></s:Body></s:Envelope>"
)


class Devices:
    """The answers of the simulated devices."""

    def __init__(self, address, count, names, hanging=0):
        self.address, self.port, self.hanging = address, 0, hanging
        self.names = [*names, *(f"Player {number:03}" for number in range(len(names), count))][:count]
        self.udns = [f"uuid:{uuid.uuid5(uuid.NAMESPACE_DNS, f'{number}.example.com')}" for number in range(count)]

    def description(self, number):
        name = self.names[number].replace("&", "&amp;").replace("<", "&lt;")
        return DESCRIPTION.format(
            type=DEVICE_TYPE, name=name, number=number, udn=self.udns[number],
            icons="\n".join(ICON.format(size=size) for size in (48, 120)),
            services="\n".join(SERVICE.format(service=service, number=number) for service in SERVICES),
        )  # fmt: skip

    def body(self, path):
        """The document at a path; None if there is none."""
        if match := re.fullmatch(r"/(\d+)/description\.xml", path):
            number = int(match[1])
            return self.description(number) if number < len(self.udns) else None
        if path.endswith("/RenderingControl/control"):
            return VOLUME
        return SCPD if path == "/RenderingControl.xml" else None

    def targets(self, number, wanted):
        """The answers of a device to a search, as pairs of ST and USN."""
        udn = self.udns[number]
        own = {
            "upnp:rootdevice": f"{udn}::upnp:rootdevice", udn: udn, DEVICE_TYPE: f"{udn}::{DEVICE_TYPE}",
            **{(kind := f"{DOMAIN}:service:{service}:1"): f"{udn}::{kind}" for service in SERVICES},
        }  # fmt: skip
        return own.items() if wanted == "ssdp:all" else [(wanted, own[wanted])] if wanted in own else []

    def answers(self, wanted):
        for number in range(len(self.udns)):
            for target, usn in self.targets(number, wanted):
                yield number, (
                    "HTTP/1.1 200 OK\r\nCACHE-CONTROL: max-age=1800\r\nDATE: Thu, 01 Jan 2026 00:00:00 GMT\r\nEXT:\r\n"
                    f"LOCATION: http://{self.address}:{self.port}/{number}/description.xml\r\n"
                    f"SERVER: Linux/6.1 UPnP/1.1 Simulated/1.0\r\nST: {target}\r\nUSN: {usn}\r\n"
                    "BOOTID.UPNP.ORG: 1\r\nCONFIGID.UPNP.ORG: 1\r\n\r\n"
                ).encode()


class Searches(asyncio.DatagramProtocol):
    """Answers searches."""

    def __init__(self, devices, are_deaf):
        self._devices, self._are_deaf, self._searches = devices, are_deaf, 0

    def connection_made(self, transport):
        self._transport = transport

    def datagram_received(self, data, sender):
        head, *lines = data.decode(errors="replace").split("\r\n")
        fields = {name.strip().upper(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        if not head.startswith("M-SEARCH"):
            return
        wait = min(float(fields.get("MX", 1)), 5)
        loop = asyncio.get_running_loop()
        self._searches += 1
        for number, answer in self._devices.answers(fields.get("ST", "")):
            if self._are_deaf and number >= self._searches:
                continue
            loop.call_later(random.uniform(0, wait), self._transport.sendto, answer, sender)


def search_socket(address):
    found = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    found.bind(("", PORT))
    membership = struct.pack("4s4s", socket.inet_aton(GROUP), socket.inet_aton(address))
    found.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, membership)
    return found


async def serve(devices, are_deaf=False):
    async def answer(reader, writer):
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode(errors="replace")
            if length := re.search(r"^content-length: *(\d+)", head, re.IGNORECASE | re.MULTILINE):
                await reader.readexactly(int(length[1]))
            path = head.split(" ")[1]
            if (match := re.fullmatch(r"/(\d+)/description\.xml", path)) and int(match[1]) < devices.hanging:
                await reader.read()
                return
            body = devices.body(path)
            status = "404 Not Found" if body is None else "200 OK"
            content = (body or "").encode()
            writer.write(
                f"HTTP/1.1 {status}\r\nContent-Type: text/xml\r\nContent-Length: {len(content)}\r\n"
                "Connection: close\r\n\r\n".encode() + content
            )
            await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, devices.address, 0, backlog=1024)
    devices.port = server.sockets[0].getsockname()[1]
    loop = asyncio.get_running_loop()
    await loop.create_datagram_endpoint(lambda: Searches(devices, are_deaf), sock=search_socket(devices.address))
    print(f"http://{devices.address}:{devices.port}/0/description.xml", flush=True)
    await server.serve_forever()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("address")
    arguments.add_argument("--count", type=int, default=500)
    arguments.add_argument("--name", action="append", default=[], help="the names of the first devices")
    arguments.add_argument("--hanging", type=int, default=0, help="devices that never send their descriptions")
    arguments.add_argument("--deaf", action="store_true", help="each device answers one search less than the one before")
    options = arguments.parse_args()
    asyncio.run(serve(Devices(options.address, options.count, options.name, options.hanging), options.deaf))


if __name__ == "__main__":
    main()

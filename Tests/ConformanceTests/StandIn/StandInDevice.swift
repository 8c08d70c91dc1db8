import DeviceStack
import NIOCore
import UPnP

@testable import Conformance

/// The root devices of the stand-in speaker, which share its state.
enum StandInDevice: CaseIterable {
  /// A UPnP AV renderer.
  case renderer
  case openHome
  /// A media server.
  case server

  static let room = "Kitchen"
  static let name = "Stand-in"
  static let protocolInfo = """
    http-get:*:audio/wav:*,http-get:*:audio/x-wav:*,http-get:*:audio/flac:*,http-get:*:audio/mpeg:*,\
    http-get:*:audio/aac:*,http-get:*:audio/mp4:*,http-get:*:audio/ogg:*,http-get:*:audio/opus:*,\
    http-get:*:audio/aiff:*,http-get:*:audio/L16;rate=44100;channels=2:*
    """

  /// All devices of a new speaker.
  static func all(on eventLoop: any EventLoop, clock: CheckClock, fault: StandInFault?) -> [RootDevice] {
    let speaker = StandInSpeaker(on: eventLoop, clock: clock, fault: fault)
    return allCases.map { $0.root(of: speaker) }
  }

  var udn: String {
    switch self {
    case .renderer: "uuid:4a6f2f0e-1c1f-4f6e-9d53-0f2b7a6c1d77"
    case .openHome: "uuid:9b1d7f64-5a0c-4d1e-8a2b-3c54d07e1b92"
    case .server: "uuid:2f6c3e1a-7b94-4a57-9c1d-6e80f5b2a413"
    }
  }

  /// The renderer has version 2, so that checks can also search for an earlier version.
  var type: URN {
    switch self {
    case .renderer: URN(domain: "schemas-upnp-org", kind: .device, name: "MediaRenderer", version: 2)
    case .openHome: URN(domain: "av-openhome-org", kind: .device, name: "Source", version: 1)
    case .server: URN(domain: "schemas-upnp-org", kind: .device, name: "MediaServer", version: 1)
    }
  }

  var folder: String {
    switch self {
    case .renderer: "renderer"
    case .openHome: "source"
    case .server: "server"
    }
  }

  var path: String { "/\(folder)/description.xml" }

  private func root(of speaker: StandInSpeaker) -> RootDevice {
    var info = DeviceInfo(
      deviceType: type, udn: udn, friendlyName: "\(Self.room):\(Self.name)", manufacturer: "Example",
      modelName: "Speaker", modelNumber: "1")
    // The signature and header of a PNG image of 48 × 48 pixels.
    let png: [UInt8] = [
      0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 48, 0, 0, 0, 48,
    ]
    info.icons = [Icon(mimeType: "image/png", width: 48, height: 48, depth: 24, fileName: "icon.png", data: png)]
    info.presentationURL = path
    return RootDevice(info: info, services: services(of: speaker), folder: folder)
  }

  private func services(of speaker: StandInSpeaker) -> [HostedService] {
    switch self {
    case .renderer: StandInRenderer(speaker).services
    case .server: StandInMediaServer().services
    case .openHome:
      [
        StandInProductService(speaker).service, StandInVolumeService(speaker).service,
        StandInTransportService(speaker).service, StandInPlaylistService(speaker).service,
        StandInRadioService(speaker).service, StandInPinsService(speaker).service, StandInCredentialsService().service,
      ] + StandInInfoService(speaker).services + StandInReceiverService(speaker).services
    }
  }

  /// The device as SSDP announces it.
  var advertisement: Advertisement {
    Advertisement(
      udn: udn, deviceType: type, serviceTypes: serviceTypes, descriptionPath: path, configID: 1)
  }

  private var serviceTypes: [URN] {
    switch self {
    case .renderer: [RenderingControl1.serviceType, ConnectionManager1.serviceType, AVTransport1.serviceType]
    case .server: [ContentDirectory1.serviceType, ConnectionManager1.serviceType]
    case .openHome:
      [
        Product4.serviceType, Volume4.serviceType, Transport1.serviceType, Playlist1.serviceType, Radio2.serviceType,
        Pins1.serviceType, Info1.serviceType, Time1.serviceType, Receiver1.serviceType, Sender2.serviceType,
        Credentials1.serviceType,
      ]
    }
  }
}

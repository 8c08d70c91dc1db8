import NIOCore
import NIOEmbedded
import PlaybackTestKit

@testable import DeviceStack
@testable import Playback
@testable import PlaybackModel
@testable import Providers
@testable import Renderer
@testable import SpeakerCore
@testable import UPnP

/// Each line has a service, an action and its arguments, separated by tabs:
/// `AVTransport⇥Seek⇥InstanceID=0⇥Unit=REL_TIME⇥…`.
enum ControlTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    let player = Player(
      executor: OnlyThread(), settings: PlayerSettings(), pipeline: SilentPipeline(), logger: Silence.logger)
    let playlist = PlaylistSource(player: player, duration: \.duration)
    let preset = RadioPreset(title: "R", uri: "http://192.0.2.1/r", artwork: nil)
    let radio = RadioSource(player: player, presets: [preset], describe: \.metadata)
    let pins = PinBoard()
    let receiver = ReceiverSource(player: player)
    let control = SpeakerControl(
      player: player, playlist: playlist, radio: radio, receiver: receiver, pins: pins,
      equalizer: EqualizerBoard(player: player))
    let transport = AVTransportProvider(player: player, control: control, playlist: playlist, radio: radio)
    let rendering = RenderingControlProvider(player: player, control: control)
    let openHome = OpenHomeDevice(
      player: player, control: control,
      sources: .init(playlist: playlist, radio: radio, receiver: receiver, programs: [], pins: pins),
      name: "Kitchen", friendlyName: "Kitchen", room: nil, uuid: .random(), presentationURL: "/",
      protocolInfo: "http-get:*:*:*",
      eventLoop: EmbeddedEventLoop()
    ) {}
    let hosted =
      [transport.service, rendering.service, ConnectionManagerProvider(protocolInfo: "http-get:*:*:*").service]
      + openHome.root.services
    let services = Dictionary(hosted.map { ($0.definition.serviceType.name, $0) }) { first, _ in first }
    let everything = PlayerChanges(rawValue: .max)
    var input = Input(input)
    while let line = input.line() {
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      guard fields.count >= 2, let service = services[String(fields[0])] else { continue }
      let arguments = fields.dropFirst(2).map { field in
        let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return (String(parts[0]), parts.count == 2 ? String(parts[1]) : "")
      }
      call(service, String(fields[1]), ActionArguments(arguments))
      transport.update(everything)
      rendering.update(everything)
      openHome.update(everything)
      openHome.updatePlaylist()
      openHome.updateRadio()
      openHome.updateReceiver()
      for service in hosted { checkEvents(service) }
    }
  }

  private static func call(_ service: HostedService, _ action: String, _ arguments: ActionArguments) {
    do throws(ActionFault) {
      // Asynchronous actions wait for a pipeline that never sends an event.
      if let begin = service.begin, try begin(action, arguments, { _ in }) { return }
      let results = try service.invoke(action, arguments)
      let answer = String(
        buffer: SOAPEncoder.response(
          action: action, serviceType: service.definition.serviceType, results: results))
      check(XMLTarget.isWellFormed(answer), "answered \(answer)")
    } catch {
      check((400...899).contains(error.code), "the fault \(error.code)")
      check(XMLTarget.isWellFormed(String(buffer: SOAPEncoder.fault(error))), "the fault \(error)")
    }
  }

  /// If a variable changed, checks that the initial event is well-formed, including the XML inside its values.
  private static func checkEvents(_ service: HostedService) {
    guard let store = service.store, !store.takeChanges(of: store.all).isEmpty else { return }
    let body = String(buffer: EventBody.build(store.all, of: store))
    check(XMLTarget.isWellFormed(body), "evented \(body)")
    guard case .lastChange = store.form else { return }
    guard let inner = XMLTarget.text(of: body) else { return check(false, "evented \(body)") }
    check(XMLTarget.isWellFormed(inner), "evented \(inner)")
  }
}

/// Prints the input devices and the triggers of their keys, for `swiftlet buttons`. Other programs still get the
/// events.
@CompanionActor package final class ButtonMonitor {
  private let source: any InputSource
  private let show: @Sendable (String) -> Void
  private var watch: AnyObject?
  private var pads: [InputDevice: ButtonPad] = [:]
  private var devices: [InputDevice] = []
  /// Devices whose permissions may still change.
  private var isForbidden: Set<InputDevice> = []

  /// - Parameter show: prints a line.
  package convenience init(_ show: @escaping @Sendable (String) -> Void) { self.init(show, source: InputFolder()) }

  init(_ show: @escaping @Sendable (String) -> Void, source: any InputSource) {
    self.source = source
    self.show = show
  }

  package func start() {
    watch = source.watch { [weak self] in self?.scan() }
    scan()
    if devices.isEmpty { show("No input device yet. Bluetooth devices appear once they are paired and connected.") }
    show("Press keys to see their names and triggers. Ctrl-C ends this.")
  }

  private func scan() {
    let found = source.list()
    for device in devices where !found.contains(device) { show("- \(device.line)") }
    for device in found where !devices.contains(device) || isForbidden.contains(device) { open(device) }
    devices = found
    isForbidden.formIntersection(found)
  }

  private func open(_ device: InputDevice) {
    do throws(InputError) {
      let node = try source.open(device, grabs: false)
      isForbidden.remove(device)
      show("+ \(device.line)")
      pads[device] = ButtonPad(
        node: node,
        bindings: ButtonTrigger.allCases.map {
          ButtonBinding(device: DeviceName(""), key: nil, trigger: $0, action: .hook([]))
        },
        fire: { [show] in show("  \(device.identity.name): \($0.key) \($0.trigger)") },
        ended: { [weak self] in self?.pads[device] = nil })
    } catch {
      switch error {
      case .forbidden:
        guard isForbidden.insert(device).inserted else { return }
        show("! \(device.line): permission denied. Run this with sudo, or as a member of the group input.")
      case .busy:
        show("! \(device.line): another program, such as a running swiftlet, uses it; its keys do not appear here.")
      case .gone: break
      case .failed: show("! \(device.line): \(error.sentence)")
      }
    }
  }
}

extension InputDevice {
  /// `/dev/input/event5  Wall Button  00:00:5E:00:53:01`
  fileprivate var line: String {
    ([path, identity.name] + [identity.address].filter { !$0.isEmpty }).joined(separator: "  ")
  }
}

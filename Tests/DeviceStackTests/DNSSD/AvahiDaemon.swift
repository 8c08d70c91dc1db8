import Foundation
import NetworkTesting

/// A private message bus and Avahi daemon in a network namespace.
final class AvahiDaemon {
  /// Whether the programs are installed and namespaces can be created.
  static let isAvailable =
    NetworkNamespace.isAvailable
    && (try? run("sh", "-c", "command -v avahi-daemon && command -v dbus-daemon && command -v avahi-browse")) != nil

  let namespace: NetworkNamespace
  /// The path of the bus's socket.
  let socket: String
  private let folder: URL
  private var bus: Command?
  private var daemon: Command?

  init(in namespace: NetworkNamespace, socket: String) throws {
    self.namespace = namespace
    self.socket = socket
    folder = FileManager.default.temporaryDirectory.appending(path: "avahi-\(namespace.name)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Starts the bus and waits until it accepts connections.
  func startBus() async throws {
    let file = folder.appending(path: "bus.conf")
    try """
    <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
      "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
    <busconfig>
      <type>system</type>
      <listen>unix:path=\(socket)</listen>
      <policy context="default">
        <allow send_destination="*"/>
        <allow eavesdrop="true"/>
        <allow own="*"/>
      </policy>
    </busconfig>
    """.write(to: file, atomically: true, encoding: .utf8)
    bus = try start("dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(file.path)")
    try await waitUntil { FileManager.default.fileExists(atPath: socket) }
  }

  func startDaemon() throws {
    let file = folder.appending(path: "avahi.conf")
    try "[server]\nhost-name=\(namespace.name)\nuse-ipv6=no\nallow-interfaces=eth0\n[wide-area]\nenable-wide-area=no\n"
      .write(to: file, atomically: true, encoding: .utf8)
    // The daemon's pid file has a fixed path, so each daemon gets a private mount there.
    daemon = try start(
      "unshare", "--mount", "sh", "-c",
      "mkdir -p /run/avahi-daemon && mount -t tmpfs none /run/avahi-daemon && exec avahi-daemon \"$@\"", "avahi",
      "--file=\(file.path)", "--no-drop-root", "--no-chroot", "--no-rlimits")
  }

  func stopDaemon() {
    daemon?.end()
    daemon = nil
  }

  func stopBus() {
    bus?.end()
    bus = nil
    try? FileManager.default.removeItem(atPath: socket)
  }

  func stop() {
    stopDaemon()
    stopBus()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Runs one of Avahi's programs in the background.
  func start(_ command: String...) throws -> Command {
    try Command(["env"] + environment + ["ip", "netns", "exec", namespace.name] + command)
  }

  /// The announced services of a type: `name address port TXT`.
  func browse(_ type: String) -> Set<String> {
    let command = ["ip", "netns", "exec", namespace.name, "timeout", "10", "avahi-browse", "-rpt", type]
    let output = (try? run(["env"] + environment + command)) ?? ""
    return Set(
      output.split(separator: "\n").compactMap {
        let fields = $0.split(separator: ";", omittingEmptySubsequences: false)
        guard fields.first == "=", fields.count >= 10 else { return nil }
        return [fields[3], fields[7], fields[8], fields[9]].joined(separator: " ")
      })
  }

  private var environment: [String] { ["DBUS_SYSTEM_BUS_ADDRESS=unix:path=\(socket)"] }
}

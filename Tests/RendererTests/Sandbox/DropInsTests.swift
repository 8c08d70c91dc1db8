import Companion
import Testing

@testable import Renderer

@Suite struct DropInsTests {
  private static let file = "/etc/swiftlet/swiftlet.toml"

  private static let buttons: Configuration = {
    var configuration = Configuration()
    configuration.buttons = [
      ButtonBinding(device: DeviceName("A"), key: nil, trigger: .click, action: .command(.toggle))
    ]
    return configuration
  }()

  private static let unit = """
    [Unit]
    DeviceAllow=char-input r
    [Service]
    ExecStart=/usr/bin/swiftlet --wait-for-output
    DynamicUser=yes
    SupplementaryGroups=audio
    DevicePolicy=closed
    DeviceAllow=char-alsa rw
    """

  private static let dropIn = "[Service]\nSupplementaryGroups=input\nDeviceAllow=char-input r\n"

  /// The keys with missing rights on a machine with these files.
  private static func missing(
    _ files: [String: String], _ configuration: Configuration = buttons, file: String? = file
  ) throws -> [String] {
    let folder = try TemporaryFolder()
    for (path, text) in files { folder.write(text, to: String(path.dropFirst())) }
    return DropIns.missing(for: configuration, file: file, root: folder.path).map(\.key)
  }

  @Test func onlyTheInstalledServiceNeedsRights() throws {
    #expect(try Self.missing([:]) == [])
    #expect(try Self.missing(["/lib/systemd/system/swiftlet.service": Self.unit]) == ["buttons"])
    #expect(try Self.missing(["/lib/systemd/system/swiftlet.service": Self.unit], Configuration()) == [])
    #expect(try Self.missing(["/lib/systemd/system/swiftlet.service": Self.unit], file: "/home/a/swiftlet.toml") == [])
    #expect(try Self.missing(["/lib/systemd/system/swiftlet.service": Self.unit], file: nil) == [])
  }

  @Test(arguments: ["/lib", "/usr/lib", "/usr/local/lib", "/run", "/etc"])
  func aDropInGrantsThem(place: String) throws {
    let files = [
      "/usr/local/lib/systemd/system/swiftlet.service": Self.unit,
      "\(place)/systemd/system/swiftlet.service.d/buttons.conf": Self.dropIn,
    ]
    #expect(try Self.missing(files) == [])
  }

  @Test func aStrongerDropInHidesAWeakerOne() throws {
    let files = [
      "/lib/systemd/system/swiftlet.service": Self.unit,
      "/lib/systemd/system/swiftlet.service.d/buttons.conf": Self.dropIn,
      "/etc/systemd/system/swiftlet.service.d/buttons.conf": "",
    ]
    #expect(try Self.missing(files) == ["buttons"])
  }

  @Test(arguments: [
    ("[Service]\nSupplementaryGroups=input\n", false), ("[Service]\nDeviceAllow=char-input r\n", false),
    ("[Unit]\nSupplementaryGroups=input\nDeviceAllow=char-input r\n", false),
    ("[Service]\n# SupplementaryGroups=input\nDeviceAllow=char-input r\n", false),
    ("[Service]\nSupplementaryGroups=video \\\n  input\nDeviceAllow = char-input r\n", true),
    ("[Service]\nGroup=input\nDeviceAllow=/dev/input/event0 r\n", true),
    ("[Service]\nDynamicUser=no\nDevicePolicy=auto\nDeviceAllow=\n", true),
    (dropIn + "DeviceAllow=\n", false), (dropIn + "PrivateDevices=yes\n", false),
  ])
  func theEffectCounts(dropIn: String, isEnough: Bool) throws {
    let files = [
      "/lib/systemd/system/swiftlet.service": Self.unit,
      "/etc/systemd/system/swiftlet.service.d/own.conf": dropIn,
    ]
    #expect(try Self.missing(files).isEmpty == isEnough)
  }

  @Test func aServiceMayHaveAnotherFile() throws {
    let files = [
      "/lib/systemd/system/swiftlet.service": Self.unit,
      "/etc/systemd/system/swiftlet.service.d/file.conf":
        "[Service]\nExecStart=\nExecStart=/usr/bin/swiftlet --config=/srv/kitchen.toml\n",
    ]
    #expect(try Self.missing(files, file: "/srv/kitchen.toml") == ["buttons"])
  }

  private static let groupPolicy = """
    <busconfig>
      <policy user="root"><allow send_destination="org.bluez"/></policy>
      <policy group="bluetooth">
        <allow send_destination="org.bluez"/>
      </policy>
      <policy context="default"><deny send_destination="org.bluez"/></policy>
    </busconfig>
    """
  private static let openPolicy = """
    <busconfig>
      <policy group="bluetooth"><allow send_destination="org.bluez"/></policy>
      <policy context="default">
        <allow send_destination="org.bluez"/>
      </policy>
    </busconfig>
    """

  @Test(arguments: [
    (groupPolicy, "", ["beacon", "presence.people"]),
    (groupPolicy, "[Service]\nSupplementaryGroups=bluetooth\n", []),
    (groupPolicy, "[Service]\nUser=root\n", []),
    (openPolicy, "", []),
    ("", "", []),
  ])
  func bluetoothMayBeForItsGroupOnly(policy: String, dropIn: String, missing: [String]) throws {
    var configuration = Configuration()
    configuration.beacon = true
    configuration.presencePeople = [.init(name: "Ann", device: .address("00:00:5E:00:53:01"))]
    let files = [
      "/lib/systemd/system/swiftlet.service": Self.unit,
      "/etc/systemd/system/swiftlet.service.d/bluetooth.conf": dropIn,
      "/usr/share/dbus-1/system.d/bluetooth.conf": policy,
    ]
    #expect(try Self.missing(files, configuration) == missing)
  }

  /// The page offers pairing if only buttons are configured.
  @Test(arguments: [(groupPolicy, ["buttons"]), (openPolicy, [])])
  func pairingOfButtonsNeedsBluetooth(policy: String, missing: [String]) throws {
    let files = [
      "/lib/systemd/system/swiftlet.service": Self.unit,
      "/etc/systemd/system/swiftlet.service.d/buttons.conf": Self.dropIn,
      "/usr/share/dbus-1/system.d/bluetooth.conf": policy,
    ]
    #expect(try Self.missing(files) == missing)
  }

  private static let mprisPolicy = "<policy group=\"audio\"><allow own=\"org.mpris.MediaPlayer2.swiftlet\"/></policy>"

  @Test(
    arguments: [
      (MPRISMode.session, [:], ["mpris"]), (.off, [:], []), (.system, [:], ["mpris"]),
      (.system, ["/usr/share/dbus-1/system.d/org.mpris.MediaPlayer2.swiftlet.conf": mprisPolicy], []),
      (.system, ["/etc/dbus-1/system.d/own.conf": mprisPolicy], []),
      (.system, ["/etc/dbus-1/system.d/own.conf.old": mprisPolicy], ["mpris"]),
      (.system, ["/etc/dbus-1/system.d/org.mpris.MediaPlayer2.swiftlet.conf": ""], ["mpris"]),
    ] as [(MPRISMode, [String: String], [String])])
  func aServiceNeedsTheSystemBusAndItsPolicy(mode: MPRISMode, files: [String: String], missing: [String]) throws {
    var configuration = Configuration()
    configuration.mpris = mode
    let unit = ["/lib/systemd/system/swiftlet.service": Self.unit]
    #expect(try Self.missing(unit.merging(files) { $1 }, configuration) == missing)
  }
}

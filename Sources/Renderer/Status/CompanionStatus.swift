import Companion

extension CompanionReport {
  /// The companions' lines of `swiftlet status`.
  var rows: [(String, String)] {
    var rows: [(String, String)] = []
    if let bluetooth { rows.append(("Bluetooth", bluetooth.isReady ? "ready" : bluetooth.problem ?? "not ready")) }
    if let beacon {
      let state = beacon.isAdvertised ? "advertised" : "not advertised"
      let problem = beacon.problem.map { ": \($0)" } ?? ""
      rows.append(("Beacon", "\(beacon.uuid), session \(beacon.major), \(state)\(problem)"))
    }
    if let presence {
      let people = presence.people.map { "\($0.name) \($0.state.rawValue)" }.joined(separator: ", ")
      let problem = presence.problem.map { ": \($0)" } ?? ""
      rows.append(("Presence", people + (presence.isWatching ? "" : ", not watching\(problem)")))
    }
    if let buttons {
      let devices = buttons.devices.map { device in
        "\(device.name) " + (device.problem ?? (device.isConnected ? "connected" : "not connected"))
      }
      rows.append(("Buttons", devices.joined(separator: ", ")))
    }
    if let pairing { rows.append(("Pairing", pairing.state.rawValue)) }
    if let phones { rows.append(("Phones", "\(phones.inReach) of \(phones.registered) in reach")) }
    if let mqtt {
      let state = mqtt.isConnected ? "connected" : "not connected"
      rows.append(("MQTT", "\(mqtt.broker), \(state)" + (mqtt.problem.map { ": \($0)" } ?? "")))
    }
    if let mpris {
      let state = mpris.isConnected ? "connected" : "connecting"
      rows.append(("MPRIS", mpris.problem ?? "\(state) to the \(mpris.bus)"))
    }
    if let sleep { rows.append(("Sleep", sleep.isReady ? "ready" : sleep.problem ?? "asking logind")) }
    return rows
  }
}

extension MetricsText {
  /// Adds the companions' metrics. They have no names or addresses, so that the number of series is fixed.
  mutating func add(_ report: CompanionReport) {
    if let bluetooth = report.bluetooth {
      add("swiftlet_bluetooth_ready", "gauge", "Whether the Bluetooth adapter works.", bluetooth.isReady ? 1 : 0)
    }
    if let beacon = report.beacon {
      add("swiftlet_beacon_advertised", "gauge", "Whether the beacon is advertised.", beacon.isAdvertised ? 1 : 0)
    }
    if let presence = report.presence {
      let present = presence.people.count { $0.state == .present }
      add("swiftlet_presence_people", "gauge", "People who are watched.", Double(presence.people.count))
      add("swiftlet_presence_present", "gauge", "Those of them who are present.", Double(present))
      add("swiftlet_presence_watching", "gauge", "Whether scans are possible.", presence.isWatching ? 1 : 0)
    }
    if let buttons = report.buttons {
      let connected = buttons.devices.count(where: \.isConnected)
      add("swiftlet_buttons_connected", "gauge", "Devices with buttons that are connected.", Double(connected))
      add("swiftlet_button_triggers_total", "counter", "Clicks and other triggers.", Double(buttons.count))
    }
    if let mqtt = report.mqtt {
      add("swiftlet_mqtt_connected", "gauge", "Whether the broker is connected.", mqtt.isConnected ? 1 : 0)
    }
    if let mpris = report.mpris {
      add("swiftlet_mpris_connected", "gauge", "Whether the speaker has a name on D-Bus.", mpris.isConnected ? 1 : 0)
    }
    if let sleep = report.sleep {
      add("swiftlet_sleep_ready", "gauge", "Whether logind waits for the speaker before sleep.", sleep.isReady ? 1 : 0)
    }
    if let phones = report.phones {
      add("swiftlet_phones", "gauge", "Phones that know the companion page.", Double(phones.registered))
      add("swiftlet_phones_in_reach", "gauge", "Those of them that are in reach.", Double(phones.inReach))
    }
  }
}

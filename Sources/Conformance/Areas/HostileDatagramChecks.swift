import ControlPoint
import UPnP

/// Hostile datagrams on the port for searches.
enum HostileDatagramChecks {
  /// Sends datagrams. Afterwards, an ordinary search must be answered.
  private static func attack(
    _ id: String, _ what: String, source: String, _ datagrams: @escaping @Sendable (CheckContext) -> [[UInt8]]
  ) -> Check {
    Check(
      "hostile/ssdp/\(id)", .hostile, .practice, "The device survives \(what).", source: source, needs: [.searchable],
      mode: .hostile,
      steps: "Sends \(what) by multicast and unicast. Passes if the device then answers a search and ordinary requests."
    ) { context async throws(Finding) in
      _ = try await context.recovery { () async throws(Finding) in try await context.rootAnswer() }
      try await context.survives(what) { () async throws(Finding) in
        try await SearchSocket.flood(
          datagrams(context), to: [context.searchAddresses.unicast, context.searchAddresses.multicast],
          from: context.local)
        _ = try await context.rootAnswer()
      }
    }
  }

  private static func search(_ target: String, _ lines: String = "") -> [UInt8] {
    Array(CheckContext.search(target).utf8.dropLast(2)) + Array("\(lines)\r\n".utf8)
  }

  private static func text(_ count: Int) -> String { String(repeating: "a", count: count) }

  static let all: [Check] = [
    attack("noise", "datagrams of random bytes", source: "CVE-2013-0229 (MiniUPnPd)") { _ in
      [[], [0], [0x0D, 0x0A, 0x0D, 0x0A]]
        + [1, 100, 1400].map { count in
          (0..<count).map { _ in UInt8.random(in: .min ... .max) }
        }
    },
    attack("oversized", "datagrams of 60 000 bytes", source: "CVE-2012-5958 (libupnp)") { _ in
      [search("upnp:rootdevice", "X-Header: \(text(60_000))\r\n"), search(text(60_000))]
    },
    attack("long-target", "searches for long device and service types", source: "CVE-2012-5958 (libupnp)") { _ in
      let name = text(1200)
      return [
        "uuid:\(name)", "uuid:schemas:device:\(name):1", "urn:schemas-upnp-org:device:\(name):1",
        "urn:schemas-upnp-org:service:\(name):1", "urn:\(name):device:MediaRenderer:1", "upnp:rootdevice\(name)",
      ].map { search($0) }
    },
    attack("format-string", "searches with format specifiers", source: "CWE-134") { _ in
      ["%n%n%s%s", "urn:schemas-upnp-org:device:%n%s:1", "urn:schemas-upnp-org:device:MediaRenderer:%n"].map {
        search($0)
      }
    },
    attack("version-overflow", "searches for a version of 30 digits", source: "CWE-190") { context in
      context.types.map { type in
        search(type.version(1).description.dropLast() + String(repeating: "9", count: 30))
      }
    },
    attack("many-headers", "a search with 5000 headers", source: "CWE-407") { _ in
      [search("upnp:rootdevice", String(repeating: "X: 1\r\n", count: 5000))]
    },
    attack("unfinished", "searches without an end", source: "CVE-2013-0229 (MiniUPnPd)") { _ in
      ["M-SEARCH", "M-SEARCH *", "M-SEARCH * HTTP/1.1\r\n", "M-SEARCH * HTTP/1.1\r\nST:", "NOTIFY * HTTP/1.1\r\n\r\n"]
        .map { Array($0.utf8) }
    },
    attack("forged-byebye", "a forged byebye for the device", source: "UDA 1.0 §1.1.3, which has no authentication") {
      context in
      let udn = context.target.description.root.udn
      return [
        Array(
          CheckContext.datagram(
            start: "NOTIFY * HTTP/1.1",
            headers: [("NT", "upnp:rootdevice"), ("NTS", "ssdp:byebye"), ("USN", "\(udn)::upnp:rootdevice")]
          ).utf8)
      ]
    },
    Check(
      "hostile/ssdp/burst", .hostile, .practice, "After a burst of 200 searches, a search is answered.",
      source: "US-CERT TA14-017A (amplification)", needs: [.searchable], mode: .hostile,
      steps: "Sends 200 searches for ssdp:all at once and counts the answers and their bytes. "
        + "Passes if a search afterwards is answered."
    ) { context async throws(Finding) in
      let search = CheckContext.search("ssdp:all")
      try await context.survives("200 searches") { () async throws(Finding) in
        let socket = try await SearchSocket.send(
          search, to: context.searchAddresses.multicast, from: context.local, clock: context.clock, copies: 200,
          where: context.isOurs)
        let answers = await socket.answers(within: context.times.search)
        socket.close()
        context.measure("answers to 200 searches", "\(answers.count)")
        _ = try await context.rootAnswer()
      }
    },
  ]
}

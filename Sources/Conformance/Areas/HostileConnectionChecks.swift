import ControlPoint
import UPnP

/// Many, slow and broken connections.
enum HostileConnectionChecks {
  private static let connections = 300

  /// Opens connections, serves an honest client meanwhile, and closes them.
  private static func crowd(
    _ id: String, _ what: String, source: String = "CVE-2007-6750 (Slowloris)", count: Int = connections,
    _ use: @escaping @Sendable (RawConnection, CheckContext) async -> Void
  ) -> Check {
    Check(
      id, .hostile, .practice, "An honest client is served during \(what), and afterwards.", source: source,
      mode: .hostile,
      steps: "Opens \(what), and requests the description meanwhile. Passes if that request is answered."
    ) { context async throws(Finding) in
      try await context.survives(what) { () async throws(Finding) in
        var opened: [RawConnection] = []
        defer { for connection in opened { connection.close() } }
        for _ in 0..<count {
          // A device may limit the connections of one host.
          guard let connection = try? await context.connect(context.target.description.location) else { break }
          opened.append(connection)
          await use(connection, context)
        }
        context.measure("connections accepted", "\(opened.count)")
        let start = context.clock.now
        let status = try await context.get(context.target.description.location).status
        context.measure("answer to the honest client", context.clock.now - start)
        try context.expect(status == 200, "status 200 for the description during \(what)", got: "\(status)")
      }
    }
  }

  static let all: [Check] = [
    crowd("hostile/tcp/idle", "\(connections) connections without a request") { _, _ in },
    crowd("hostile/tcp/half-open", "\(connections) connections with half a request") { connection, context in
      connection.send("GET \(context.target.description.location.requestTarget) HTTP/1.1\r\nHOST: ")
    },
    crowd("hostile/tcp/half-body", "50 connections with half a body", count: 50) { connection, context in
      let url = context.target.services.first?.description.controlURL ?? context.target.description.location
      connection.send(
        "POST \(url.requestTarget) HTTP/1.1\r\nHOST: \(url.authority)\r\nCONTENT-LENGTH: 1000\r\n\r\n<half")
    },
    crowd(
      "hostile/tcp/unread", "50 connections whose client does not read the answers", count: 50
    ) { connection, context in
      let request = RawRequest("GET", context.target.description.location)
      connection.send(String(repeating: request.text.replacing("close", with: "keep-alive"), count: 20))
    },
    Check(
      "hostile/tcp/slow", .hostile, .practice, "An honest client is served during requests that come byte by byte.",
      source: "CVE-2007-6750 (Slowloris)", mode: .hostile,
      steps: "Opens 50 connections that send a byte every 50 milliseconds for a second, and requests the description "
        + "after each round. Passes if those requests are answered."
    ) { context async throws(Finding) in
      let url = context.target.description.location
      try await context.survives("requests that come byte by byte") { () async throws(Finding) in
        var opened: [RawConnection] = []
        defer { for connection in opened { connection.close() } }
        for _ in 0..<50 { opened.append(try await context.connect(url)) }
        for byte in "GET \(url.requestTarget) HTTP/1.1\r\n".utf8.prefix(20) {
          for connection in opened { connection.send([byte]) }
          await context.clock.sleep(real: .milliseconds(50))
          let status = try await context.get(url).status
          try context.expect(status == 200, "status 200 for the description", got: "\(status)")
        }
      }
    },
    Check(
      "hostile/tcp/hasty", .hostile, .practice, "The device survives clients that leave before the answer.",
      source: "CWE-772: a server may keep what such clients leave behind", mode: .hostile,
      steps: "Sends 300 requests and closes each connection at once. "
        + "Passes if the device answers ordinary requests afterwards."
    ) { context async throws(Finding) in
      let request = RawRequest("GET", context.target.description.location)
      try await context.survives("300 clients that left") { () async throws(Finding) in
        for _ in 0..<connections {
          guard let connection = try? await context.connect(request.url) else { continue }
          connection.send(request.text)
          connection.close()
        }
      }
    },
  ]
}

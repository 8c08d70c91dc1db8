import Testing

@testable import Renderer

@Suite struct ServiceManagerTests {
  @Test(arguments: [
    (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "30000000"], Duration.seconds(30)),
    (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], .seconds(30)),
    // WATCHDOG_PID names another process: the variables were inherited from a parent.
    (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil),
    (["NOTIFY_SOCKET": "@a"], nil), (["WATCHDOG_USEC": "30000000"], nil), ([:], nil),
    (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "0"], nil), (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "-5"], nil),
    (["NOTIFY_SOCKET": "@a", "WATCHDOG_USEC": "soon"], nil),
  ])
  func readsTheWatchdogLimit(environment: [String: String], limit: Duration?) {
    #expect(ServiceManager(environment: environment, processID: 7).watchdogLimit == limit)
  }

  @Test func sendsInOrder() async throws {
    let folder = try TemporaryFolder()
    let listener = try ListeningManager(folder.path + "/notify")
    let manager = ServiceManager(environment: ["NOTIFY_SOCKET": listener.path], processID: 7)
    let running = Task { await manager.run() }
    manager.notify(.ready, .status("a"))
    manager.notify(.status("b"))
    manager.notify(.stopping)
    #expect(await listener.next() == "READY=1\nSTATUS=a\n")
    #expect(await listener.next() == "STATUS=b\n")
    #expect(await listener.next() == "STOPPING=1\n")
    running.cancel()
    await running.value
  }
}

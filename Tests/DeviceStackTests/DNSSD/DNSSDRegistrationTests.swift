import Testing

@testable import DeviceStack

struct DNSSDRegistrationTests {
  private let service = DNSSDService(name: "Kitchen", type: "_openhome._tcp", port: 1, txt: ["a=b"], interfaceIndex: 2)

  @Test func registersWheneverTheDaemonRuns() {
    var registration = DNSSDRegistration(services: [service])
    #expect(registration.daemon(.absent) == [])
    #expect(registration.daemon(.running) == [.register([service])])
    #expect(registration.daemon(.lost) == [.reconnect])
    #expect(registration.daemon(.absent) == [])
    #expect(registration.daemon(.running) == [.register([service])])
    // The daemon picks a new host name; the services are withdrawn with the old one.
    #expect(registration.daemon(.busy) == [.withdraw])
    #expect(registration.daemon(.running) == [.register([service])])
  }

  @Test func registersOthers() {
    var registration = DNSSDRegistration(services: [])
    #expect(registration.publish([service]) == [])
    #expect(registration.daemon(.running) == [.register([service])])
    #expect(registration.publish([service]) == [])
    var other = service
    other.txt = ["a=c"]
    #expect(registration.publish([other]) == [.register([other])])
    #expect(registration.publish([]) == [.withdraw])
  }

  @Test func takesTheNextNameAndKeepsIt() {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    #expect(registration.nameIsTaken() == [.register([named("Kitchen #2")])])
    #expect(registration.nameIsTaken() == [.register([named("Kitchen #3")])])
    // A new address is no reason to retry the name.
    var moved = service
    moved.txt = ["a=c"]
    var expected = named("Kitchen #3")
    expected.txt = ["a=c"]
    #expect(registration.publish([moved]) == [.register([expected])])
  }

  @Test func anotherNameHasNoNumber() {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    _ = registration.nameIsTaken()
    #expect(registration.publish([named("Bath")]) == [.register([named("Bath")])])
    #expect(registration.watchedTypes == [])
    // The original name is retried, too.
    #expect(registration.publish([service]) == [.register([service])])
  }

  @Test(arguments: [DNSSDRegistration.Daemon.lost, .absent, .busy])
  func theNameIsTriedAgainAfterTheDaemonWasAway(state: DNSSDRegistration.Daemon) {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    _ = registration.nameIsTaken()
    _ = registration.daemon(state)
    #expect(registration.watchedTypes == [])
    #expect(registration.daemon(.running) == [.register([service])])
  }

  @Test func takesItsNameBackWhenItIsFree() {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    #expect(registration.watchedTypes == [])
    #expect(registration.observe(instance("Kitchen"), isThere: false) == [])
    _ = registration.nameIsTaken()
    #expect(registration.watchedTypes == ["_openhome._tcp"])
    // The browser reports the other machine on two networks, our own service, and services of other names and types.
    for (other, isThere) in [
      (instance("Kitchen"), true), (instance("kitchen", interface: 3), true), (instance("Kitchen #2"), true),
      (instance("Bath"), true), (instance("Bath"), false), (instance("Kitchen", type: "_http._tcp"), true),
      (instance("Kitchen", type: "_http._tcp"), false), (instance("Kitchen"), false),
    ] {
      #expect(registration.observe(other, isThere: isThere) == [])
    }
    #expect(registration.observe(instance("kitchen", interface: 3), isThere: false) == [.register([service])])
    #expect(registration.watchedTypes == [])
    // Another machine took the name first.
    #expect(registration.nameIsTaken() == [.register([named("Kitchen #2")])])
    #expect(registration.watchedTypes == ["_openhome._tcp"])
  }

  private func named(_ name: String) -> DNSSDService {
    var service = service
    service.name = name
    return service
  }

  private func instance(
    _ name: String, type: String = "_openhome._tcp", interface: Int32 = 2
  ) -> DNSSDRegistration.Instance {
    DNSSDRegistration.Instance(name: name, type: type, interface: interface, protocol: 0)
  }

  @Test func givesUpWhenAllNamesAreTaken() {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    for _ in 1..<100 { _ = registration.nameIsTaken() }
    #expect(registration.nameIsTaken() == [.withdraw])
  }

  @Test(arguments: [
    ("Kitchen", 1, "Kitchen"), ("Kitchen", 12, "Kitchen #12"), ("", 1, ""),
    (String(repeating: "a", count: 64), 1, String(repeating: "a", count: 63)),
    (String(repeating: "a", count: 63), 2, String(repeating: "a", count: 60) + " #2"),
    // The name is never cut inside a character.
    (String(repeating: "ü", count: 40), 1, String(repeating: "ü", count: 31)),
  ])
  func fitsTheNameInALabel(name: String, number: Int, expected: String) {
    #expect(DNSSDRegistration.name(name, number: number) == expected)
  }
}

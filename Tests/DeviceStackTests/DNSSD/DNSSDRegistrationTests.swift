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
    // The daemon looks for another host name; the services go with the old one.
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
    var second = service
    second.name = "Kitchen #2"
    var third = service
    third.name = "Kitchen #3"
    #expect(registration.nameIsTaken() == [.register([second])])
    #expect(registration.nameIsTaken() == [.register([third])])
    #expect(registration.daemon(.running) == [.register([third])])
  }

  @Test func givesUpWhereNoNameWillDo() {
    var registration = DNSSDRegistration(services: [service])
    _ = registration.daemon(.running)
    for _ in 1..<100 { _ = registration.nameIsTaken() }
    #expect(registration.nameIsTaken() == [.withdraw])
  }

  @Test(arguments: [
    ("Kitchen", 1, "Kitchen"), ("Kitchen", 12, "Kitchen #12"), ("", 1, ""),
    (String(repeating: "a", count: 64), 1, String(repeating: "a", count: 63)),
    (String(repeating: "a", count: 63), 2, String(repeating: "a", count: 60) + " #2"),
    // Never in the middle of a letter.
    (String(repeating: "ü", count: 40), 1, String(repeating: "ü", count: 31)),
  ])
  func fitsTheNameInALabel(name: String, number: Int, expected: String) {
    #expect(DNSSDRegistration.name(name, number: number) == expected)
  }
}

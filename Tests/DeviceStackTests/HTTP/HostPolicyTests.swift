import NIOCore
import NIOHTTP1
import Testing

@testable import DeviceStack

struct HostPolicyTests {
  private let policy = HostPolicy(names: ["Kitchen.Example.com", ".corp.example"])

  @Test(arguments: [
    nil, "", "192.168.1.5", "192.168.1.5:49494", "192.168.1.5.", "127.0.0.1:80", "[fe80::1]", "[fe80::1%25eth0]:49494",
    "[::1]:", "localhost", "localhost:8080", "KITCHEN", "kitchen_speaker", "kitchen.local", "Kitchen.Local.:80",
    "a.b.lan", "x.home.arpa:1", "kitchen.example.com", "KITCHEN.EXAMPLE.COM:80", "a.corp.example", " 10.0.0.1 ",
  ])
  func trusts(host: String?) { #expect(policy.allows(host: host)) }

  @Test(arguments: [
    "evil.example", "evil.example:80", "192.168.1.5.evil.example", "evil.local.example", "evil.lan.com",
    "corp.example", "kitchen.example.com.evil", "mykitchen.example.com", "192.168.1", "192.168.1.5:80:80",
    "[::1].evil.example", "[::1", "[evil.example]", "[]", "10.0.0.1:8o", "a b.local", "evil.example/.local",
    "evil.example#.local", "user@10.0.0.1", ":80", ".", "10.0.0.1,evil.example", "1.2.3.4.5", "0x7f.0.0.1",
  ])
  func distrusts(host: String) { #expect(!policy.allows(host: host)) }

  @Test(
    arguments: [
      (nil, "10.0.0.1", true), (nil, nil, true), ("http://10.0.0.1", "10.0.0.1", true),
      ("http://10.0.0.1:80", "10.0.0.1:80", true), ("HTTP://Kitchen.local", "kitchen.LOCAL", true),
      ("http://10.0.0.1:80", "10.0.0.1", false), ("http://10.0.0.2", "10.0.0.1", false),
      ("https://10.0.0.1", "10.0.0.1", false), ("http://evil.example", "10.0.0.1", false),
      ("http://evil.example", "evil.example", false), ("null", "10.0.0.1", false), ("", "10.0.0.1", false),
      ("http://10.0.0.1", nil, false), ("file://", "10.0.0.1", false),
    ] as [(String?, String?, Bool)])
  func pagesMayOnlyChangeTheirOwn(origin: String?, host: String?, allowed: Bool) {
    #expect(policy.allows(origin: origin, host: host) == allowed)
  }

  @Test(
    arguments: [
      ([:], false), (["Sec-Fetch-Site": "cross-site"], true), (["Sec-Fetch-Site": "same-origin"], false),
      (["Sec-Fetch-Site": "none"], false), (["Origin": "http://10.0.0.1"], false),
      (["Origin": "http://10.0.0.1:8123"], true), (["Origin": "https://evil.example"], true),
      (["Origin": "null"], true),
      (["Origin": "http://10.0.0.1", "Sec-Fetch-Site": "cross-site"], true),
    ] as [(HTTPHeaders, Bool)])
  func pagesOfOtherSitesAreRecognized(headers: HTTPHeaders, isForeign: Bool) throws {
    let address = try SocketAddress(ipAddress: "10.0.0.1", port: 80)
    let request = HTTPRequest(
      method: .GET, uri: "/", headers: headers.merging(["Host": "10.0.0.1"]), remote: address, local: address)
    #expect(request.isFromAnotherSite == isForeign)
  }
}

extension HTTPHeaders {
  fileprivate func merging(_ other: HTTPHeaders) -> HTTPHeaders {
    var all = self
    all.add(contentsOf: other)
    return all
  }
}

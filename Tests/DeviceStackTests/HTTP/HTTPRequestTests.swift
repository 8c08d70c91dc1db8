import NIOHTTP1
import Testing

@testable import DeviceStack

struct HTTPRequestTests {
  @Test(arguments: [
    ("/", "/", "there"), ("/a/b.xml", "/a/b.xml", "there"), ("/a?b=/c#d", "/a", "there"), ("/a#b?c", "/a", "there"),
    ("/?x", "/", "there"), ("*", "*", "there"), ("", "", "there"), ("?x", "", "there"),
    ("http://10.0.0.1:80/a/b?c", "/a/b", "10.0.0.1:80"), ("HTTP://here", "/", "here"), ("http://here?x", "/", "here"),
    ("http://here#x", "/", "here"), ("http:///a", "/a", ""), ("/a?url=http://b/c", "/a", "there"),
    ("//a/b", "//a/b", "there"), ("/é🎵", "/é🎵", "there"), ("http://[::1]:8/a", "/a", "[::1]:8"),
  ])
  func theTargetDeterminesHostAndPath(uri: String, path: String, host: String) throws {
    let request = try HTTPRequest.sample(.GET, uri, headers: ["HOST": "there"])
    #expect(request.path == path)
    #expect(request.host == host)
  }
}

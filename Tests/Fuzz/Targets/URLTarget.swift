@testable import ControlPoint

/// Each line as a URL, and as a reference from the URL before it.
enum URLTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    var base = HTTPURL(host: "192.0.2.1", port: 1400, target: "/a/b/description.xml?c")
    while let line = input.line() {
      if let resolved = base.resolve(line) { check(resolved) }
      guard let url = HTTPURL(line) else { continue }
      check(url)
      FuzzTargets.check(base.resolve(line) == url, "\(line) depends on \(base)")
      base = url
    }
  }

  /// Checks that a URL is the same when it is read again, and cannot change a request.
  static func check(_ url: HTTPURL) {
    let text = url.description
    if text.utf8.count <= HTTPURL.maximumLength {
      FuzzTargets.check(HTTPURL(text) == url, "\(text) is another URL")
    }
    FuzzTargets.check(url.target.hasPrefix("/"), "the target \(url.target)")
    FuzzTargets.check(url.requestTarget.utf8.allSatisfy { (0x21...0x7E).contains($0) }, "asks for \(url.requestTarget)")
    FuzzTargets.check(!url.authority.utf8.contains { $0 <= 0x20 || $0 == 0x7F }, "the host \(url.authority)")
  }
}

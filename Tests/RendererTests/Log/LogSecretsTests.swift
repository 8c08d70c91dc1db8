import Testing

@testable import Renderer

@Suite struct LogSecretsTests {
  @Test(arguments: [
    ("nothing to hide", "nothing to hide"),
    ("Is it there? Or not?", "Is it there? Or not?"),
    ("Cannot open http://192.0.2.1/a.flac: 404", "Cannot open http://192.0.2.1/a.flac: 404"),
    ("http://192.0.2.1/a?token=1&b=2", "http://192.0.2.1/a?…"),
    ("from http://192.0.2.1/a?token=1, which failed", "from http://192.0.2.1/a?…, which failed"),
    ("“https://host/a?b=c”: closed", "“https://host/a?…”: closed"),
    ("http://user:word@host/a", "http://host/a"),
    ("http://us@er:word@host:80?x=y", "http://host:80?…"),
    ("http://host/a@b", "http://host/a@b"),
    ("http://host/a#token", "http://host/a?…"),
    ("http://host?key=1", "http://host?…"),
    ("http://a/?x=1 http://b/?y=2", "http://a/?… http://b/?…"),
    ("GET /stream?key=secret HTTP/1.1", "GET /stream?… HTTP/1.1"),
    ("uri=rtsp://u:p@host/x?y", "uri=rtsp://host/x?…"),
    ("http://[2001:db8::1]:80/a?b", "http://[2001:db8::1]:80/a?…"),
    ("(see http://host/a?)", "(see http://host/a?…)"),
    ("https://host/?next=http://u:p@other/", "https://host/?…"),
  ])
  func addressesLoseWhatMayBeSecret(text: String, shown: String) {
    #expect(LogLine.withoutSecrets(text) == shown)
    #expect(!shown.contains("word") && !LogLine.withoutSecrets(text).contains("token"))
  }

  @Test func theLastLinesAreKept() {
    let log = LogOutput(level: .info, descriptor: -1)
    for number in 0..<250 {
      log.write(
        LogLine(level: .info, text: "line \(number)\u{1B}[0m"), of: .init(file: "f", line: UInt(number)))
    }
    #expect(log.recent.count == 200)
    #expect(log.recent.first?.line.text == "line 50 [0m")
    #expect(log.recent.last?.line.text == "line 249 [0m")
  }
}

import Testing

@testable import UPnP

/// Literal requests: valid ones as controllers send them, and invalid ones.
struct SOAPDecoderTests {
  private static let head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
  private static let open =
    "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\" "
    + "s:encodingStyle=\"http://schemas.xmlsoap.org/soap/encoding/\"><s:Body>"
  private static let close = "</s:Body></s:Envelope>"
  private static let avt = "urn:schemas-upnp-org:service:AVTransport:1"
  private static let play =
    "<u:Play xmlns:u=\"\(avt)\"><InstanceID>0</InstanceID><Speed>1</Speed></u:Play>"

  private func decode(_ bytes: [UInt8]) throws(SOAPDecodingError) -> SOAPRequest {
    let result: Result<SOAPRequest, SOAPDecodingError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(SOAPDecodingError) in try SOAPDecoder.decode(bytes) }
    }
    return try result.get()
  }

  private func decode(_ text: String) throws(SOAPDecodingError) -> SOAPRequest { try decode(Array(text.utf8)) }

  /// The value of the argument T.
  private func text(_ request: SOAPRequest) throws -> String { try request.arguments.value("T") }

  private static func utf16(_ text: String, bigEndian: Bool, mark: Bool) -> [UInt8] {
    ((mark ? [0xFEFF] : []) + Array(text.utf16)).flatMap {
      bigEndian ? [UInt8($0 >> 8), UInt8($0 & 0xFF)] : [UInt8($0 & 0xFF), UInt8($0 >> 8)]
    }
  }

  // MARK: Accepted requests

  private static let accepted: [(name: String, text: String)] = [
    ("plain", head + open + play + close),
    ("no declaration", open + play + close),
    ("byte order mark", "\u{FEFF}" + head + open + play + close),
    (
      "other prefixes",
      "<SOAP-ENV:Envelope xmlns:SOAP-ENV=\"http://schemas.xmlsoap.org/soap/envelope/\"><SOAP-ENV:Body>"
        + "<m:Play xmlns:m=\"\(avt)\"><InstanceID>0</InstanceID><Speed>1</Speed></m:Play></SOAP-ENV:Body>"
        + "</SOAP-ENV:Envelope>"
    ),
    (
      "no prefixes",
      "<Envelope xmlns=\"http://schemas.xmlsoap.org/soap/envelope/\"><Body><Play xmlns=\"\(avt)\">"
        + "<InstanceID>0</InstanceID><Speed>1</Speed></Play></Body></Envelope>"
    ),
    (
      "prefixed arguments",
      open + "<u:Play xmlns:u=\"\(avt)\"><u:InstanceID>0</u:InstanceID><u:Speed>1</u:Speed></u:Play>" + close
    ),
    ("another order", open + "<u:Play xmlns:u=\"\(avt)\"><Speed>1</Speed><InstanceID>0</InstanceID></u:Play>" + close),
    (
      "data types",
      open + "<u:Play xmlns:u=\"\(avt)\"><InstanceID xmlns:dt=\"urn:schemas-microsoft-com:datatypes\" "
        + "dt:dt=\"ui4\">0</InstanceID><Speed xmlns:dt=\"urn:schemas-microsoft-com:datatypes\" dt:dt=\"string\">1</Speed></u:Play>"
        + close
    ),
    (
      "a prefix for types declared nowhere",
      open + "<u:Play xmlns:u=\"\(avt)\"><InstanceID dt:dt=\"ui4\">0</InstanceID><Speed>1</Speed></u:Play>" + close
    ),
    (
      "blanks",
      "\r\n" + head + "\n" + open.replacing("><", with: ">\r\n\t<") + "\n  " + play.replacing("><", with: ">\n    <")
        + "\n" + close + "\r\n\r\n"
    ),
    (
      "comments and instructions",
      head + "<!-- a --><?b c?>" + open + "<!--d--><?e?>"
        + play.replacing("<Speed>1", with: "<!-- <Speed>2</Speed> --><Speed><!--x-->1<?y?>") + close + "<!-- z -->"
    ),
    ("CDATA", open + play.replacing(">1<", with: "><![CDATA[1]]><") + close),
    (
      "a header",
      open.replacing("<s:Body>", with: "<s:Header><a:T xmlns:a=\"urn:a\"><Body>x</Body></a:T></s:Header><s:Body>")
        + play + close
    ),
    ("an empty header", open.replacing("<s:Body>", with: "<s:Header/><s:Body>") + play + close),
    ("single quotes", (head + open + play + close).replacing("\"", with: "'")),
    ("more after the action", open + play + "<u:Stop xmlns:u=\"x\"/>" + close),
    ("more after the body", head + open + play + "</s:Body><x/></s:Envelope>"),
  ]

  @Test(arguments: accepted)
  func understands(name: String, text: String) throws {
    let request = try decode(text)
    #expect(request.action == "Play", "\(name)")
    #expect(request.namespace == Self.avt, "\(name)")
    #expect(request.arguments == ActionArguments([("InstanceID", "0"), ("Speed", "1")]), "\(name)")
  }

  @Test func anUndeclaredPrefixIsIgnored() throws {
    let request = try decode("<s:Envelope><s:Body><u:Play><InstanceID>0</InstanceID></u:Play></s:Body></s:Envelope>")
    #expect(request == SOAPRequest(action: "Play", namespace: "", arguments: ActionArguments([("InstanceID", "0")])))
  }

  @Test(arguments: ["ISO-8859-1", "iso-8859-1", "windows-1252"])
  func latin1IsReadWhereDeclared(encoding: String) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"\(encoding)\"?>" + Self.open
      + "<u:A xmlns:u=\"\(Self.avt)\"><T>Caf\u{E9}</T></u:A>" + Self.close
    let request = try decode(text.unicodeScalars.map { UInt8($0.value) })
    #expect(request.arguments == ActionArguments([("T", "Café")]))
  }

  @Test(arguments: [(true, true), (false, true), (true, false), (false, false)])
  func utf16IsRead(bigEndian: Bool, mark: Bool) throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"utf-16\"?>" + Self.open
      + "<u:A xmlns:u=\"\(Self.avt)\"><T>Café 🎵</T></u:A>" + Self.close
    let request = try decode(Self.utf16(text, bigEndian: bigEndian, mark: mark))
    #expect(request.arguments == ActionArguments([("T", "Café 🎵")]))
  }

  @Test func utf8IsReadThoughUTF16IsDeclared() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?>" + Self.open
      + "<u:A xmlns:u=\"\(Self.avt)\"><T>Café</T></u:A>" + Self.close
    #expect(try decode(text).arguments == ActionArguments([("T", "Café")]))
  }

  @Test(arguments: [
    ("", ""),
    ("&amp;&lt;&gt;&quot;&apos;", "&<>\"'"),
    ("&#65;&#x42;&#x1F3B5;", "AB🎵"),
    ("&amp;amp;", "&amp;"),
    (" a  b ", " a  b "),
    ("a&#9;b&#10;c&#13;d", "a\tb\nc\rd"),
    ("a\r\nb\rc", "a\nb\nc"),
    ("<![CDATA[<a>&amp;</a>]]>b", "<a>&amp;</a>b"),
    ("&lt;DIDL-Lite&gt;&amp;quot;&lt;/DIDL-Lite&gt;", "<DIDL-Lite>&quot;</DIDL-Lite>"),
    ("Ḱ\u{301}\u{200D}\u{FEFF}𐍈", "Ḱ\u{301}\u{200D}\u{FEFF}𐍈"),
    // Metadata that the sender forgot to escape is restored as it was written.
    (
      "<DIDL-Lite xmlns=\"urn:d\" xmlns:dc=\"urn:dc\"><item id=\"1\"><dc:title>A &amp; B</dc:title><res/></item></DIDL-Lite>",
      "<DIDL-Lite xmlns=\"urn:d\" xmlns:dc=\"urn:dc\"><item id=\"1\"><dc:title>A &amp; B</dc:title><res/></item></DIDL-Lite>"
    ),
    ("a &lt; b <i>c</i> d &gt; e", "a &lt; b <i>c</i> d &gt; e"),
    ("<a b='&quot;&#10;&#9;&lt;&#x1F3B5;'>&#13;</a>", "<a b=\"&quot;&#10;&#9;&lt;🎵\">&#13;</a>"),
    ("<a><![CDATA[<b>&]]></a>", "<a>&lt;b&gt;&amp;</a>"),
    ("<a><a><a/></a></a><b></b>", "<a><a><a/></a></a><b></b>"),
  ])
  func theTextOfAnArgument(xml: String, text: String) throws {
    let request = try decode(Self.open + "<u:A xmlns:u=\"x\"><T>\(xml)</T><U>after</U></u:A>" + Self.close)
    let expected: ActionArguments = ActionArguments([("T", text), ("U", "after")])
    #expect(request.arguments == expected)
    #expect(try Array(self.text(request).unicodeScalars) == Array(text.unicodeScalars))
  }

  @Test(arguments: [
    "<u:A xmlns:u=\"x\"/>", "<u:A xmlns:u=\"x\"></u:A>", "<u:A xmlns:u=\"x\">\n</u:A>", "<u:A xmlns:u=\"x\">text</u:A>",
  ])
  func anActionWithoutArguments(xml: String) throws {
    #expect(
      try decode(Self.open + xml + Self.close)
        == SOAPRequest(action: "A", namespace: "x", arguments: ActionArguments([])))
  }

  @Test(arguments: ["<T/>", "<T></T>", "<T><!--x--></T>", "<T><![CDATA[]]></T>"])
  func anEmptyArgument(xml: String) throws {
    #expect(
      try decode(Self.open + "<u:A xmlns:u=\"x\">\(xml)</u:A>" + Self.close).arguments == ActionArguments([("T", "")]))
  }

  @Test func aLongTextIsReadWhole() throws {
    for unit in ["abcdefghij", "é🎵&amp;", "&lt;item id=&quot;1&quot;&gt;\n"] {
      let count = 500_000 / unit.utf8.count
      let xml = String(repeating: unit, count: count)
      let plain = unit.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
        .replacing("&amp;", with: "&")
      let request = try decode(Self.open + "<u:A xmlns:u=\"x\"><T>\(xml)</T></u:A>" + Self.close)
      #expect(try text(request) == String(repeating: plain, count: count))
    }
  }

  @Test func metadataComesBackByteForByte() throws {
    let metadata =
      "<DIDL-Lite xmlns:dc=\"urn:dc\">\r\n\t<dc:title>&amp;lt; \"Ä\u{308}🎵\" ]]&gt; '&#10;</dc:title></DIDL-Lite> \n"
    let answer = SOAPEncoder.response(
      action: "A", serviceType: try #require(URN(Self.avt)), results: [ActionResult("T", metadata)])
    let request = try decode(String(buffer: answer))
    #expect(request.action == "AResponse")
    #expect(try Array(text(request).utf8) == Array(metadata.utf8))
  }

  // MARK: Refused requests

  private static let laughs =
    "<!DOCTYPE s [<!ENTITY a \"ha\">"
    + (1...9).map { number in
      let before = number == 1 ? "a" : "a\(number - 1)"
      return "<!ENTITY a\(number) \"" + String(repeating: "&\(before);", count: 10) + "\">"
    }.joined() + "]>"

  @Test(
    arguments: [
      ("nothing", "", .unreadable(.malformed)),
      ("blanks", " \n ", .unreadable(.malformed)),
      ("no XML", "InstanceID=0", .unreadable(.malformed)),
      ("JSON", "{\"a\": 1}", .unreadable(.malformed)),
      ("truncated", String((open + play + close).dropLast(5)), .unreadable(.malformed)),
      ("truncated within the action", open + play.prefix(80), .unreadable(.malformed)),
      ("crossed", open + "<u:A xmlns:u=\"x\"><T></u:A></T>" + close, .unreadable(.malformed)),
      ("two documents", open + play + close + open + play + close, .unreadable(.malformed)),
      ("text after the end", open + play + close + "x", .unreadable(.malformed)),
      ("bare ampersand", open + "<u:A xmlns:u=\"x\"><T>a&b</T></u:A>" + close, .unreadable(.malformed)),
      ("unknown entity", open + "<u:A xmlns:u=\"x\"><T>&nbsp;</T></u:A>" + close, .unreadable(.malformed)),
      ("control character", open + "<u:A xmlns:u=\"x\"><T>\u{1}</T></u:A>" + close, .unreadable(.malformed)),
      ("NUL", open + "<u:A xmlns:u=\"x\"><T>&#0;</T></u:A>" + close, .unreadable(.malformed)),
      ("a surrogate", open + "<u:A xmlns:u=\"x\"><T>&#xD800;</T></u:A>" + close, .unreadable(.malformed)),
      ("document type", "<!DOCTYPE s>" + open + play + close, .unreadable(.documentType)),
      ("own entity", "<!DOCTYPE s [<!ENTITY e \"x\">]>" + open + play + close, .unreadable(.documentType)),
      (
        "external entity",
        "<!DOCTYPE s [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>" + open
          + "<u:A xmlns:u=\"x\"><T>&e;</T></u:A>" + close, .unreadable(.documentType)
      ),
      (
        "external document type", "<!DOCTYPE s SYSTEM \"http://127.0.0.1:9/x.dtd\">" + open + play + close,
        .unreadable(.documentType)
      ),
      ("billion laughs", laughs + open + "<u:A xmlns:u=\"x\"><T>&a9;</T></u:A>" + close, .unreadable(.documentType)),
      (
        "billion laughs in an attribute", laughs + open + "<u:A xmlns:u=\"x\"><T a=\"&a9;\"/></u:A>" + close,
        .unreadable(.documentType)
      ),
      (
        "billion laughs as a default",
        laughs.replacing("]>", with: "<!ATTLIST T a CDATA \"&a9;\">]>") + open
          + "<u:A xmlns:u=\"x\"><T/></u:A>" + close, .unreadable(.documentType)
      ),
      (
        "deep",
        open + "<u:A xmlns:u=\"x\"><T>" + String(repeating: "<a>", count: 70)
          + String(repeating: "</a>", count: 70) + "</T></u:A>" + close, .unreadable(.tooDeep)
      ),
      ("very deep", String(repeating: "<a>", count: 100_000), .unreadable(.tooDeep)),
      (
        "deep in the header", open.replacing("<s:Body>", with: "<s:Header>") + String(repeating: "<a>", count: 1000),
        .unreadable(.tooDeep)
      ),
      ("no envelope", play, .noAction),
      ("envelope alone", "<s:Envelope xmlns:s=\"x\"/>", .noAction),
      ("no body", "<s:Envelope xmlns:s=\"x\"><s:Header/></s:Envelope>", .noAction),
      ("empty body", "<s:Envelope xmlns:s=\"x\"><s:Body/></s:Envelope>", .noAction),
      ("body of text", "<s:Envelope xmlns:s=\"x\"><s:Body>Play</s:Body></s:Envelope>", .noAction),
      ("HTML", "<html><body>Play</body></html>", .noAction),
    ] as [(String, String, SOAPDecodingError)])
  func refuses(name: String, text: String, error: SOAPDecodingError) {
    #expect(throws: error, "\(name)") { try decode(text) }
  }

  @Test func bytesThatContradictTheEncodingAreRefused() {
    let latin1 = (Self.head + Self.open + "<u:A xmlns:u=\"x\"><T>\u{E9}</T></u:A>" + Self.close)
    #expect(throws: SOAPDecodingError.unreadable(.malformed)) {
      try decode(latin1.unicodeScalars.map { UInt8($0.value) })
    }
  }

  @Test func everyBeginningOfARequestIsRefused() throws {
    let whole = Array((Self.head + Self.open + Self.play + Self.close).utf8)
    for count in 0..<whole.count {
      #expect(throws: SOAPDecodingError.unreadable(.malformed)) { try decode(Array(whole[..<count])) }
    }
    #expect(try decode(whole).action == "Play")
  }

  @Test func manyElementsAreReadInTime() throws {
    let xml = String(repeating: "<a b=\"c\"/>", count: 90_000)
    let request = try decode(Self.open + "<u:A xmlns:u=\"x\"><T>\(xml)</T></u:A>" + Self.close)
    #expect(try text(request).utf8.count == xml.utf8.count)
    let arguments = (0..<50_000).map { "<a\($0)>1</a\($0)>" }.joined()
    #expect(try decode(Self.open + "<u:A xmlns:u=\"x\">\(arguments)</u:A>" + Self.close).action == "A")
  }

  @Test func mutatedRequestsAreReadOrRefused() throws {
    let whole = Array((Self.head + Self.open + Self.play + Self.close).utf8)
    var read = 0
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...3) { bytes[Int.random(in: 0..<bytes.count)] = .random(in: 0...255) }
      do throws(SOAPDecodingError) {
        let request = try decode(bytes)
        #expect(!request.action.isEmpty)
        read += 1
      } catch {
        #expect(!error.description.isEmpty)
      }
    }
    #expect(read < 2000)
  }
}

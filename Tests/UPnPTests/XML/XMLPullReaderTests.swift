import Glibc
import Testing

@testable import UPnP

struct XMLPullReaderTests {
  /// The reader's events as strings: `<name ns attributes` for a start, `>` for an end, and texts.
  private func trace(_ text: String) throws(XMLReadingError) -> [String] {
    let bytes = Array(text.utf8)
    let result: Result<[String], XMLReadingError> = bytes.withUnsafeBytes { bytes in
      Result { () throws(XMLReadingError) in
        guard let reader = XMLPullReader(bytes) else { throw .malformed }
        var seen: [String] = []
        while let node = try reader.next() {
          switch node {
          case .start(let isEmpty):
            let attributes = reader.attributes.map { " \($0.name)=\($0.value)" }.joined()
            seen.append(
              "\(reader.depth)<\(reader.qualifiedName)|\(reader.localName)|\(reader.namespace)\(attributes)\(isEmpty ? "/" : "")"
            )
          case .end: seen.append("\(reader.depth)>\(reader.qualifiedName)")
          case .text: seen.append("\(reader.depth)'\(reader.text)")
          }
        }
        return seen
      }
    }
    return try result.get()
  }

  @Test func namesTextsAndAttributes() throws {
    #expect(
      try trace(
        "<?xml version=\"1.0\"?><a xmlns=\"urn:a\" xmlns:p=\"urn:p\"><p:b c=\"1&#10;&lt;\" p:d='\"'/>t &amp; u<![CDATA[<v>]]></a>"
      )
        == [
          "0<a|a|urn:a xmlns=urn:a xmlns:p=urn:p", "1<p:b|b|urn:p c=1\n<>".replacing("<>", with: "<") + " p:d=\"/",
          "1't & u", "1'<v>", "0>a",
        ])
  }

  @Test func anUndeclaredPrefixIsNotPartOfTheName() throws {
    #expect(try trace("<p:a q:b=\"1\"/>") == ["0<p:a|a| q:b=1/"])
  }

  @Test func depthIsLimited() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "<a>", count: count) + String(repeating: "</a>", count: count)
    }
    #expect(try trace(nested(XMLPullReader.maximumDepth)).count == 2 * XMLPullReader.maximumDepth)
    #expect(throws: XMLReadingError.tooDeep) { try trace(nested(XMLPullReader.maximumDepth + 1)) }
  }

  @Test(
    arguments: [
      ("", .malformed), ("<a>", .malformed), ("<a b='<'/>", .malformed), ("<a b='1' b='2'/>", .malformed),
      ("<!DOCTYPE a><a/>", .documentType), ("<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", .documentType),
      ("<a>&e;</a>", .malformed), ("<a b='&e;'/>", .malformed), ("<a/><!DOCTYPE a>", .documentType),
    ] as [(String, XMLReadingError)])
  func refuses(text: String, error: XMLReadingError) {
    #expect(throws: error) { try trace(text) }
  }

  /// These documents would keep the parser busy for a minute.
  @Test(arguments: [
    "<a \((0..<50_000).map { "b\($0)=''" }.joined(separator: " "))/>",
    "<!-- ' --><a \((0..<65).map { "b\($0)='>'" }.joined(separator: " "))/>",
    "<?x \"?><a><![CDATA[<a ']]><b \((0..<65).map { "xmlns:b\($0) = \"c\"" }.joined(separator: "\n"))/></a>",
    "<a>\((0..<257).map { "<b xmlns:c\($0)='d'/>" }.joined())</a>",
  ])
  func documentsBeyondTheLimitsAreRefusedBeforeParsing(text: String) {
    #expect(throws: XMLReadingError.tooComplex) { try trace(text) }
  }

  @Test func documentsWithinTheLimitsAreRead() throws {
    let attributes = (0..<64).map { "b\($0)='='" }.joined(separator: " ")
    #expect(try trace("<!-- \(attributes) b='' --><a \(attributes)/>").count == 1)
    #expect(try trace("<a>\(String(repeating: "<b xmlns='c'/>", count: 256))</a>").count == 258)
    #expect(try trace("<a>\(String(repeating: "=", count: 100))</a>").count == 3)
  }

  /// In these encodings markup may differ from ASCII, so it could not be checked before parsing.
  @Test(arguments: ["utf-7", "UTF-32", "cp037", "iso-2022-jp", "hz-gb-2312", "GB_2312-80", "iso-8859-1x", "nonsense"])
  func otherEncodingsAreNotRead(name: String) {
    #expect(throws: XMLReadingError.malformed) { try trace("<?xml version='1.0' encoding='\(name)'?><a/>") }
  }

  /// Otherwise a client could fill the log by sending garbage.
  @Test func doesNotComplainOnStandardError() throws {
    let mislabelled =
      Array(#"<?xml version="1.0" encoding="EUC-JP"?><a>"#.utf8) + [0xFF, 0xFF, 0x00, 0x00] + "</a>".utf8
    let halfACharacter: [UInt8] = [0xFF, 0xFE, 0x3C, 0x00, 0x61, 0x00, 0x00, 0xD8, 0x00, 0x00]
    let standardError = dup(STDERR_FILENO)
    let file = try #require(tmpfile())
    dup2(fileno(file), STDERR_FILENO)
    for document in [mislabelled, halfACharacter] {
      document.withUnsafeBytes { bytes in
        if let reader = XMLPullReader(bytes) { while (try? reader.next()) != nil {} }
      }
    }
    dup2(standardError, STDERR_FILENO)
    close(standardError)
    var written = [UInt8](repeating: 0, count: 1000)
    let count = pread(fileno(file), &written, written.count, 0)
    fclose(file)
    #expect(String(decoding: written.prefix(max(0, count)), as: UTF8.self) == "")
  }
}

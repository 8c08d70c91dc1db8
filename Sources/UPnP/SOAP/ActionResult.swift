import NIOCore

/// An output argument of an action.
public struct ActionResult: Sendable, Hashable {
  enum Content: Sendable, Hashable {
    /// Unescaped.
    case text(String)
    /// A path on the HTTP server, sent as a URL; empty for none.
    case path(String)
    case nested(NestedXML)
  }

  var name: String
  var content: Content

  /// A result of a UPnP data type.
  public init(_ name: String, _ value: some ArgumentValue) {
    self.name = name
    content = .text(value.upnpText)
  }

  /// A result that is the URL of something on the HTTP server.
  /// - Parameter path: absolute; empty for none.
  public init(_ name: String, path: String) {
    self.name = name
    content = .path(path)
  }

  /// A result that is XML.
  public init(_ name: String, _ value: NestedXML) {
    self.name = name
    content = .nested(value)
  }
}

/// XML as the text of an argument, such as a list of tracks: escaped once more than other XML.
///
/// Written in pieces directly into the answer, escaped in one pass: a list of a thousand tracks has some megabytes.
public struct NestedXML: Sendable {
  /// Receives the pieces in order.
  public struct Writer {
    fileprivate var buffer: ByteBuffer
    /// The base URL of the HTTP server as the caller reached it, without a path.
    public let server: String

    /// The size of the answer so far, in bytes.
    public var length: Int { buffer.readableBytes }

    /// Appends XML, such as tags.
    public mutating func markup(_ text: String) { XMLEscape.write(text, to: &buffer) }

    /// Appends the text of an element.
    public mutating func text(_ text: String) { XMLEscape.writeTwice(text, to: &buffer) }
  }

  private let body: @Sendable (inout Writer) -> Void

  /// - Parameter body: writes the XML; may be called several times and must write the same each time.
  public init(_ body: @escaping @Sendable (inout Writer) -> Void) { self.body = body }

  /// Appends the escaped XML to the buffer.
  /// - Parameter server: the base URL of the HTTP server as the caller reached it.
  package func write(to buffer: inout ByteBuffer, server: String) {
    var writer = Writer(buffer: ByteBuffer(), server: server)
    // A buffer with two owners would be copied.
    swap(&writer.buffer, &buffer)
    body(&writer)
    swap(&writer.buffer, &buffer)
  }
}

extension NestedXML: Hashable {
  private var written: ByteBuffer {
    var buffer = ByteBuffer()
    write(to: &buffer, server: "")
    return buffer
  }

  public static func == (one: NestedXML, other: NestedXML) -> Bool { one.written == other.written }

  public func hash(into hasher: inout Hasher) { hasher.combine(written) }
}

import NIOCore

/// XML that travels as the text of an argument, such as a list of tracks: escaped once more than XML that is not.
///
/// It is written piece by piece as the answer is, and gone through once: a list of a thousand tracks is some megabytes, and
/// a controller waits for it.
public struct NestedXML: Sendable {
  /// Takes the pieces in order.
  public struct Writer {
    fileprivate var buffer: ByteBuffer

    /// How long the answer is up to here, in bytes.
    public var length: Int { buffer.readableBytes }

    /// Tags, and what else is XML already.
    public mutating func markup(_ text: String) { XMLEscape.write(text, to: &buffer) }

    /// The text of an element.
    public mutating func text(_ text: String) { XMLEscape.writeTwice(text, to: &buffer) }
  }

  private let body: @Sendable (inout Writer) -> Void

  /// - Parameter body: writes it, whenever it is wanted, and the same each time.
  public init(_ body: @escaping @Sendable (inout Writer) -> Void) { self.body = body }

  /// Writes it to the end of the buffer, as it stands in an answer.
  package func write(to buffer: inout ByteBuffer) {
    var writer = Writer(buffer: ByteBuffer())
    // Not held twice, or it would be copied.
    swap(&writer.buffer, &buffer)
    body(&writer)
    swap(&writer.buffer, &buffer)
  }
}

extension NestedXML: Hashable {
  private var written: ByteBuffer {
    var buffer = ByteBuffer()
    write(to: &buffer)
    return buffer
  }

  public static func == (one: NestedXML, other: NestedXML) -> Bool { one.written == other.written }

  public func hash(into hasher: inout Hasher) { hasher.combine(written) }
}

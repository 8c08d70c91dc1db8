import FoundationEssentials
import NIOCore

/// JSON with keys in snake_case, in a fixed order, so that equal values have equal texts.
package enum JSON {
  /// The UTF-8 text; nil for numbers that are not finite.
  package static func encode(_ value: some Encodable) -> [UInt8]? {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return (try? encoder.encode(value)).map { Array($0) }
  }

  /// - Throws: 400, with the name of the wrong field.
  package static func decode<Value: Decodable>(_ type: Value.Type, from body: ByteBuffer) throws(Problem) -> Value {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    do {
      return try decoder.decode(type, from: Data(body.readableBytesView))
    } catch {
      throw Problem(error)
    }
  }
}

/// The body of a command without arguments: an object, whose members are ignored.
package struct NoArguments: Decodable {
  private enum Keys: CodingKey {}

  package init(from decoder: any Decoder) throws { _ = try decoder.container(keyedBy: Keys.self) }
}

/// The answer of a command without results: `{}`.
package struct NoResults: Encodable {
  package init() {}
}

extension Duration {
  /// The value for JSON documents: seconds, cut to milliseconds.
  package var inSeconds: Double {
    let (seconds, attoseconds) = components
    return (Double(seconds) * 1000 + Double(attoseconds / 1_000_000_000_000_000)) / 1000
  }
}

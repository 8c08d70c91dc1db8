/// A JSON object of an answer, written as a dictionary literal. Members that are nil are left out.
struct JSONObject: Encodable, ExpressibleByDictionaryLiteral {
  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  private let members: [(name: String, value: (any Encodable)?)]

  init(dictionaryLiteral members: (String, (any Encodable)?)...) {
    self.members = members.map { (name: $0.0, value: $0.1) }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for case (let name, let value?) in members { try container.encode(value, forKey: Name(stringValue: name)) }
  }
}

/// Changes the messages of a device at random, but the same way for the same seed.
struct Mutation: Sendable {
  /// The extremes of the types in use, and texts that are no numbers.
  static let extremes = [
    "-1", "0", "1", "9", "128", "2147483648", "4294967295", "4294967296", "-9223372036854775808", "9223372036854775807",
    "9223372036854775808", "90000000000000000", "1e999", "NaN", "-0", "٣", "",
  ]

  private var state: UInt64
  /// Replaces every number, instead of changes of all kinds.
  private let extreme: String?

  /// - Parameter seed: the first ones put one of the extremes into the place of every number.
  init(seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    extreme = seed < Self.extremes.count ? Self.extremes[seed] : nil
  }

  /// xorshift64*
  private mutating func next(below limit: Int) -> Int {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return Int((state &* 0x2545_F491_4F6C_DD1D) >> 33) % max(1, limit)
  }

  mutating func mutate(_ text: String) -> String {
    if let extreme { return Self.replacingNumbers(in: text) { _ in extreme } }
    var characters = Array(text)
    switch next(below: 8) {
    case 0: return ""
    case 1: return String(characters.prefix(next(below: characters.count)))
    case 2: return text + text
    case 3:
      for _ in 0..<4 where !characters.isEmpty {
        characters[next(below: characters.count)] = ["<", "&", "\"", "\u{0}", "🎵", "-", "9"][next(below: 7)]
      }
      return String(characters)
    default:
      var mutation = self
      let result = Self.replacingNumbers(in: text) { number in
        mutation.next(below: 3) == 0 ? Self.extremes[mutation.next(below: Self.extremes.count)] : number
      }
      self = mutation
      return result
    }
  }

  /// Replaces the numbers that are the whole text of an element, of an attribute, or of an entry of JSON.
  private static func replacingNumbers(in text: String, by replacement: (String) -> String) -> String {
    var result = ""
    var rest = text[...]
    while let start = rest.firstIndex(where: { ">\"[,;".contains($0) }) {
      result += rest[...start]
      rest = rest[rest.index(after: start)...]
      let number = rest.prefix { $0 == "-" || ("0"..."9").contains($0) }
      guard !number.isEmpty, let end = rest[number.endIndex...].first, "<\"],&".contains(end) else { continue }
      result += replacement(String(number))
      rest = rest[number.endIndex...]
    }
    return result + rest
  }
}

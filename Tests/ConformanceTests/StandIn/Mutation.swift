import Foundation

/// Changes the messages of a device at random, but the same way for the same seed.
struct Mutation: RandomNumberGenerator, Sendable {
  /// The extremes of the types in use, and texts that are no numbers.
  static let extremes = [
    "-1", "0", "1", "9", "128", "2147483648", "4294967295", "4294967296", "-9223372036854775808", "9223372036854775807",
    "9223372036854775808", "90000000000000000", "1e999", "NaN", "-0", "٣", "",
  ]

  private var state: UInt64
  /// Replaces every number, instead of changes of all kinds.
  private let extreme: String?
  /// One of so many messages is changed. With many intact ones, checks get beyond their first steps.
  private let interval: Int

  /// - Parameters:
  ///   - seed: of the random numbers.
  ///   - extreme: takes the place of every number of a body. Nil for changes of all kinds.
  init(seed: Int, extreme: String? = nil) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
    self.extreme = extreme
    interval = extreme == nil ? [1, 3, 10, 30][seed % 4] : 1
  }

  /// xorshift64*
  mutating func next() -> UInt64 {
    state ^= state >> 12
    state ^= state << 25
    state ^= state >> 27
    return state &* 0x2545_F491_4F6C_DD1D
  }

  private mutating func next(below limit: Int) -> Int { Int(next() >> 33) % max(1, limit) }

  // MARK: Messages

  mutating func mutate(_ response: inout ProxyResponse) {
    guard next(below: interval) == 0 else { return }
    switch extreme == nil ? next(below: 12) : 12 {
    case 0: response.status = [100, 199, 200, 204, 304, 404, 412, 500, 599, 999, -1][next(below: 11)]
    case 1, 2: response.headers = mutate(response.headers)
    case 3: response.isMissing = true
    case 4: response.excess = mutate(response.text)
    case 5: response.closes = next(below: 2) == 0
    default: response.text = mutate(response.text)
    }
  }

  /// - Returns: false if the event is not sent.
  mutating func mutate(_ event: inout ProxyRequest) -> Bool {
    guard next(below: interval) == 0 else { return true }
    let kind = extreme == nil ? next(below: 6) : 5
    if kind == 1 || kind == 2 { event.headers = mutate(event.headers) }
    if kind > 2 {
      event.body = mutate(event.body)
      event.set("Content-Length", "\(event.body.utf8.count)")
    }
    return kind > 0
  }

  /// Changes answers to searches.
  mutating func mutate(_ answers: [String]) -> [String] {
    guard extreme == nil else { return answers }
    return answers.compactMap { answer in
      guard next(below: interval) == 0 else { return answer }
      var lines = answer.components(separatedBy: "\r\n")
      switch next(below: 4) {
      case 0: return nil
      case 1: lines.remove(at: next(below: lines.count))
      default:
        let index = next(below: lines.count)
        lines[index] = mutate(value: lines[index])
      }
      return lines.joined(separator: "\r\n")
    }
  }

  private mutating func mutate(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
    guard !headers.isEmpty else { return headers }
    var headers = headers
    let index = next(below: headers.count)
    switch next(below: 4) {
    case 0: headers.remove(at: index)
    case 1: headers.append(headers[index])
    default: headers[index].value = mutate(value: headers[index].value)
    }
    return headers
  }

  /// Replaces the digits of a line, or parts of it.
  private mutating func mutate(value: String) -> String {
    switch next(below: 5) {
    case 0: return ""
    case 1: return String(value.prefix(next(below: value.count)))
    case 2: return value + String(repeating: "x", count: next(below: 2) * 70_000)
    default:
      let extreme = Self.extremes[next(below: Self.extremes.count)]
      return value.replacing(/[0-9]+/, with: extreme)
    }
  }

  // MARK: Texts

  mutating func mutate(_ text: String) -> String {
    if let extreme { return Self.replacingNumbers(in: text) { _ in extreme } }
    var characters = Array(text)
    switch next(below: 12) {
    case 0: return ""
    case 1: return String(characters.prefix(next(below: characters.count)))
    case 2: return String(repeating: text, count: [2, 50][next(below: 2)])
    case 4: return withoutElement(text)
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

  /// Removes, repeats or empties an element.
  private mutating func withoutElement(_ text: String) -> String {
    let elements = text.matches(of: /<([A-Za-z:]+)[^<>]*>[^<>]*<\/\1>/)
    guard !elements.isEmpty else { return text }
    let element = elements[next(below: elements.count)]
    let name = element.output.1
    let replacement = ["", "\(element.output.0)\(element.output.0)", "<\(name)></\(name)>"][next(below: 3)]
    return text.replacingCharacters(in: element.range, with: replacement)
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

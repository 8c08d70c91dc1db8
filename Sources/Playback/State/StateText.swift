/// What a small file of the state folder holds: keys with values, in lines, under a line that names the file and its
/// version.
///
///     swiftlet sound 1
///     volume 40
///     mute false
///
/// A key may come more than once. Values may hold anything, line ends too.
public struct StateText: Sendable, Equatable {
  private struct Line: Sendable, Equatable {
    var key: String
    var value: String
  }

  private var lines: [Line] = []

  public init() {}

  /// - Parameter key: a word without a space.
  public mutating func add(_ key: String, _ value: some LosslessStringConvertible) {
    lines.append(Line(key: key, value: value.description))
  }

  /// The value of the first line with the key; nil where there is none.
  public subscript(key: String) -> String? { lines.first { $0.key == key }?.value }

  /// The first value of the key, read as a number or a Bool; nil also where it is none.
  public func value<T: LosslessStringConvertible>(_ key: String, as type: T.Type = T.self) -> T? {
    self[key].flatMap(T.init)
  }

  /// The values of all lines with the key, in order.
  public func values(_ key: String) -> [String] { lines.filter { $0.key == key }.map(\.value) }
}

/// Why a text is not what it should be.
enum StateTextError: Error, Equatable {
  /// A program newer than this one wrote it.
  case laterVersion
  case damaged
}

extension StateText {
  private static let firstWord = "swiftlet"

  /// The text as it is written.
  func text(of name: String, version: Int) -> String {
    var text = "\(Self.firstWord) \(name) \(version)\n"
    for line in lines { text += "\(line.key) \(Self.escaped(line.value))\n" }
    return text
  }

  /// Reads what `text(of:version:)` has made.
  init(_ text: String, of name: String, version: Int) throws(StateTextError) {
    // Every line has an end: without the last one, the end of the file is missing.
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.popLast() == "", let first = lines.first else { throw .damaged }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == Self.firstWord, words[1] == name, let written = Int(words[2]) else {
      throw .damaged
    }
    guard written <= version else { throw .laterVersion }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let value = Self.unescaped(parts[1]) else { throw .damaged }
      self.lines.append(Line(key: String(parts[0]), value: value))
    }
  }

  private static func escaped(_ value: String) -> String {
    // By code points: a line feed after a carriage return is half of one Character.
    var result = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\\": result.append(contentsOf: "\\\\".unicodeScalars)
      case "\n": result.append(contentsOf: "\\n".unicodeScalars)
      case "\r": result.append(contentsOf: "\\r".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }

  private static func unescaped(_ value: Substring) -> String? {
    var result = String.UnicodeScalarView()
    var scalars = value.unicodeScalars.makeIterator()
    while let scalar = scalars.next() {
      guard scalar == "\\" else {
        result.append(scalar)
        continue
      }
      switch scalars.next() {
      case "\\": result.append("\\")
      case "n": result.append("\n")
      case "r": result.append("\r")
      default: return nil
      }
    }
    return String(result)
  }
}

/// XML or HTML. Text can only be inserted by interpolation, which escapes it.
struct Markup: Sendable, ExpressibleByStringInterpolation {
  var source: String

  init(stringLiteral source: String) { self.source = source }

  init(stringInterpolation: StringInterpolation) { source = stringInterpolation.source }

  struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var source = ""

    init(literalCapacity: Int, interpolationCount: Int) { source.reserveCapacity(literalCapacity) }

    mutating func appendLiteral(_ literal: String) { source += literal }

    mutating func appendInterpolation(_ text: String) { source += Markup.escaped(text) }
    mutating func appendInterpolation(_ number: Int) { source += "\(number)" }
    mutating func appendInterpolation(_ markup: Markup) { source += markup.source }
    mutating func appendInterpolation(_ list: [Markup]) { for markup in list { source += markup.source } }
  }

  /// The text, escaped for element content and quoted attributes.
  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in ReportText.visible(text, keepsLines: true).unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;".unicodeScalars
      case "<": escaped += "&lt;".unicodeScalars
      case ">": escaped += "&gt;".unicodeScalars
      case "\"": escaped += "&quot;".unicodeScalars
      case "'": escaped += "&#39;".unicodeScalars
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }
}

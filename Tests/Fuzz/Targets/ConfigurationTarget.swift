@testable import Playback
@testable import swiftlet

/// Lines that are an output or an identifier.
enum ConfigurationTarget {
  static func test(_ input: UnsafeRawBufferPointer) {
    var input = Input(input)
    while let line = input.line() {
      if let output = try? OutputDescription(parsing: line) {
        check((try? OutputDescription(parsing: output.description)) == output, "\(output) of \(line)")
      }
    }
  }
}

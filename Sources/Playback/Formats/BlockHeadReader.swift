/// Notices AU, Wave64 and CAF files without a known end. `BlockLayoutReader` parses them.
struct BlockHeadReader: HeadReading {
  private var reader = BlockLayoutReader()

  var firstSize: Int { reader.wanted.count }

  static func recognizes(_ head: [UInt8]) -> Bool {
    [".snd", "dns.", "caff", "riff"].contains { head.starts(with: $0.utf8) }
  }

  mutating func take(_ bytes: [UInt8], at offset: Int) -> HeadStep {
    bytes.withUnsafeBytes { reader.read($0, at: offset) }
    return reader.result == nil ? .read(reader.wanted.count, at: reader.wanted.lowerBound) : .done
  }

  var facts: HeadFacts {
    if case .layout(let layout) = reader.result, layout.length == nil { return HeadFacts(declaresNoEnd: true) }
    return HeadFacts()
  }
}

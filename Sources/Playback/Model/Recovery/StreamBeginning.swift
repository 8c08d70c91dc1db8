/// How a stream began: a file that a server makes as it goes begins in the same way each time, a live stream does not.
package struct StreamBeginning: Sendable, Equatable {
  /// More is not compared.
  private static let longest = 64 << 10
  /// Headers alone tell nothing.
  private static let shortest = 4 << 10
  /// Of bytes, among those that are compared: silence has fewer, and is the same everywhere.
  private static let fewestValues = 64

  private let bytes: [UInt8]

  /// - Parameter head: the first bytes that came.
  package init(_ head: [UInt8]) { bytes = Array(head.prefix(Self.longest)) }

  /// Whether the other is the same stream once more. They may have come in pieces of different sizes.
  package func isSame(as other: StreamBeginning) -> Bool {
    let common = bytes.prefix(other.bytes.count)
    return common.count >= Self.shortest && other.bytes.starts(with: common)
      && Set(common).count >= Self.fewestValues
  }

  /// What a stream is that began so when it was open before.
  /// - Parameter isContinuation: whether it must be the same for certain.
  package func comparison(with former: StreamBeginning, isContinuation: Bool) -> StreamNature.Reopening {
    if isSame(as: former) { return .same }
    let common = bytes.prefix(former.bytes.count)
    return isContinuation || !former.bytes.starts(with: common) ? .other : .undecided
  }
}

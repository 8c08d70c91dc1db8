/// The servers of the directory, and which to ask. Pure.
///
/// One server is chosen at random and kept while it works, so that all have the same load. After a failure, the next one is asked.
struct DirectoryServers {
  /// Maximum servers to ask for one answer.
  static let maximumAttempts = 3
  /// After that, the list is read again.
  static let lifetime = Duration.seconds(3600)

  typealias Time = ContinuousClock.Instant

  /// The bases of addresses, such as `https://de1.api.radio-browser.info`, in the order in which they are asked.
  private(set) var bases: [String] = []
  private var failed: Set<String> = []
  private var time: Time?

  /// Whether to look for servers: none is known or works, or the list is old.
  func isStale(at now: Time) -> Bool {
    guard let time, now - time < Self.lifetime else { return true }
    return bases.allSatisfy { failed.contains($0) }
  }

  /// Replaces the list.
  /// - Parameter found: servers of equal rank in one group, those of the best rank first. Empty to keep the old list.
  mutating func found(_ found: [[String]], at now: Time, using random: inout some RandomNumberGenerator) {
    guard !found.allSatisfy(\.isEmpty) else { return }
    let current = bases.first { !failed.contains($0) }
    let shuffled = found.flatMap { $0.shuffled(using: &random) }
    bases = shuffled.filter { $0 == current } + shuffled.filter { $0 != current }
    failed = []
    time = now
  }

  var candidates: ArraySlice<String> { bases.prefix(Self.maximumAttempts) }

  mutating func answered(_ base: String) { failed.remove(base) }

  /// The server did not answer, or not with what was asked. It becomes the last one.
  mutating func failed(_ base: String) {
    guard let index = bases.firstIndex(of: base) else { return }
    bases.append(bases.remove(at: index))
    failed.insert(base)
  }
}

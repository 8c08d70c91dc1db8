/// The play order of a shuffled list: every track plays once before any plays again.
///
/// A round holds the upcoming tracks in random order and the history for going back. Every track that becomes current
/// must be reported by `visit`, including tracks chosen by hand. Once no track is upcoming, the next new track starts
/// another round.
package struct ShuffleRound: Sendable {
  /// In reverse order: the next one is the last element.
  private var upcoming: [UInt32] = []
  /// The tracks that have been current, the latest last.
  private var history: [UInt32] = []
  /// The index of the current track in `history`. Going back keeps the tracks after it.
  private var place = 0
  /// The first track of the next round, chosen once no track is upcoming; 0 if the list is empty.
  private var opener: UInt32 = 0
  private var generator: Generator

  /// Minimum number of steps that one can go back.
  private static let memory = 1000

  /// Starts a round with the current track.
  /// - Parameter current: 0 if the list is empty.
  init(ids: [UInt32], current: UInt32, seed: UInt64) {
    generator = Generator(state: seed)
    if current > 0 { visit(current, in: ids) }
  }

  /// The current track.
  private var current: UInt32 { history.isEmpty ? 0 : history[place] }

  // MARK: Order

  /// The track after the current one; nil at the end of the round unless the list repeats.
  func successor(repeats: Bool) -> UInt32? {
    if place + 1 < history.count { return history[place + 1] }
    if let next = upcoming.last { return next }
    return repeats && opener > 0 ? opener : nil
  }

  /// The tracks after the current one, in order, up to the first track of the next round.
  func successors(_ limit: Int, repeats: Bool) -> [UInt32] {
    let known = history.dropFirst(place + 1).prefix(limit) + upcoming.suffix(limit).reversed()
    // The opener does not start the next round if it plays before then.
    let opens = repeats && upcoming.isEmpty && opener > 0 && !known.contains(opener)
    return Array((opens ? known + [opener] : known).prefix(limit))
  }

  /// The track before the current one. If the list repeats, the end of the round comes before its first track, as in a
  /// list that is not shuffled.
  func predecessor(repeats: Bool) -> UInt32? {
    if place > 0 { return history[place - 1] }
    return repeats ? upcoming.first : nil
  }

  /// Whether a list that grows by a track starts with that track. Chosen so that each track of a new list is equally likely to be
  /// the first.
  mutating func opensWithNewest(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }

  // MARK: Changes

  /// Called when a track has become current.
  /// - Parameter ids: the whole list.
  mutating func visit(_ id: UInt32, in ids: [UInt32]) {
    guard id != current else { return }
    let wasUpcoming = removeUpcoming(id)
    if place + 1 < history.count, history[place + 1] == id {
      place += 1
    } else {
      if !history.isEmpty { history.removeSubrange((place + 1)...) }
      history.append(id)
      if history.count > 2 * Self.memory { history.removeFirst(Self.memory) }
      place = history.count - 1
      if !wasUpcoming, upcoming.isEmpty { upcoming = ids.filter { $0 != id }.shuffled(using: &generator) }
    }
    chooseOpener(from: ids)
  }

  /// Goes back to the predecessor.
  mutating func goBack(in ids: [UInt32]) {
    if place > 0 {
      place -= 1
    } else if let last = upcoming.first {
      history.insert(last, at: 0)
    }
    removeUpcoming(current)
    chooseOpener(from: ids)
  }

  /// Called after the insertion of a track that is not current.
  mutating func insert(_ id: UInt32) {
    upcoming.insert(id, at: Int.random(in: 0...upcoming.count, using: &generator))
  }

  /// Makes tracks the next ones, in this order. None of them is current.
  mutating func bringForward(_ ids: [UInt32]) {
    let first = Set(ids)
    upcoming.removeAll { first.contains($0) }
    // After steps back, the later tracks of the history would play first.
    if !history.isEmpty { history.removeSubrange((place + 1)...) }
    upcoming += ids.reversed()
    if !upcoming.isEmpty { opener = 0 }
  }

  /// Called after the deletion of a track that is no longer current.
  /// - Parameter ids: the list without it.
  mutating func delete(_ id: UInt32, from ids: [UInt32]) {
    removeUpcoming(id)
    if history.contains(id) {
      var kept: [UInt32] = []
      var keptPlace = 0
      // If the tracks around the deleted one are the same track, keep one of them.
      for (index, other) in history.enumerated() {
        if other != id, other != kept.last { kept.append(other) }
        if index == place { keptPlace = max(0, kept.count - 1) }
      }
      history = kept
      place = keptPlace
    }
    if opener == id { opener = 0 }
    chooseOpener(from: ids)
  }

  @discardableResult
  private mutating func removeUpcoming(_ id: UInt32) -> Bool {
    // Fast path: usually it is the next one.
    guard let index = upcoming.lastIndex(of: id) else { return false }
    upcoming.remove(at: index)
    return true
  }

  /// Chooses the first track of the next round once no track is upcoming, so that it can join without a gap. Never the
  /// current track unless it is the only one.
  private mutating func chooseOpener(from ids: [UInt32]) {
    guard upcoming.isEmpty, opener == 0 || opener == current else {
      if !upcoming.isEmpty { opener = 0 }
      return
    }
    opener = ids.randomElement(using: &generator) ?? 0
    while opener == current, ids.count > 1 { opener = ids.randomElement(using: &generator) ?? 0 }
  }

  /// SplitMix64 (Steele, Lea and Flood 2014): its eight bytes of state fit into a value type.
  package struct Generator: RandomNumberGenerator, Sendable {
    var state: UInt64

    package init(state: UInt64) { self.state = state }

    package mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var value = state
      value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
      value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
      return value ^ (value >> 31)
    }
  }
}

/// The order in which a shuffled list is heard: every track once before any is heard again.
///
/// A round holds the tracks that are still to come, in the order in which they will, and what was heard, for going back.
/// It is told of every track that becomes the current one, also of those that somebody chose or that came in the order of
/// the list while shuffle was off: they have been heard, too. When nothing is to come any more, the next track that is not
/// a step within what was heard begins a new round.
package struct ShuffleRound: Sendable {
  /// The next one is the last.
  private var upcoming: [UInt32] = []
  /// What was the current track, the latest last.
  private var heard: [UInt32] = []
  /// Where in `heard` the current track is: going back does not forget what came after.
  private var place = 0
  /// The first track of the next round, chosen while nothing is to come in this one; 0 in an empty list.
  private var opener: UInt32 = 0
  private var generator: Generator

  /// So far back one can go, at least.
  private static let memory = 1000

  /// A round that begins with the current track.
  /// - Parameter current: 0 in an empty list.
  init(ids: [UInt32], current: UInt32, seed: UInt64) {
    generator = Generator(state: seed)
    if current > 0 { visit(current, in: ids) }
  }

  /// The current track.
  private var current: UInt32 { heard.isEmpty ? 0 : heard[place] }

  // MARK: What comes

  /// What follows the current track; nil at the end of the round, unless another one begins.
  func successor(repeats: Bool) -> UInt32? {
    if place + 1 < heard.count { return heard[place + 1] }
    if let next = upcoming.last { return next }
    return repeats && opener > 0 ? opener : nil
  }

  /// What follows the current track, in order, as far as this round and the opener of the next one tell.
  func successors(_ limit: Int, repeats: Bool) -> [UInt32] {
    let known = heard.dropFirst(place + 1).prefix(limit) + upcoming.suffix(limit).reversed()
    // One that is heard before its time gives way to another.
    let opens = repeats && upcoming.isEmpty && opener > 0 && !known.contains(opener)
    return Array((opens ? known + [opener] : known).prefix(limit))
  }

  /// What was heard before the current track. Before the first one comes the end of the round if the list repeats, as in
  /// a list that is not shuffled; nil otherwise.
  func predecessor(repeats: Bool) -> UInt32? {
    if place > 0 { return heard[place - 1] }
    return repeats ? upcoming.first : nil
  }

  // MARK: What happens

  /// A track has become the current one.
  /// - Parameter ids: the whole list.
  mutating func visit(_ id: UInt32, in ids: [UInt32]) {
    guard id != current else { return }
    let wasUpcoming = removeUpcoming(id)
    if place + 1 < heard.count, heard[place + 1] == id {
      place += 1
    } else {
      if !heard.isEmpty { heard.removeSubrange((place + 1)...) }
      heard.append(id)
      if heard.count > 2 * Self.memory { heard.removeFirst(Self.memory) }
      place = heard.count - 1
      if !wasUpcoming, upcoming.isEmpty { upcoming = ids.filter { $0 != id }.shuffled(using: &generator) }
    }
    chooseOpener(from: ids)
  }

  /// Goes back to the predecessor.
  mutating func goBack(in ids: [UInt32]) {
    if place > 0 {
      place -= 1
    } else if let last = upcoming.first {
      heard.insert(last, at: 0)
    }
    removeUpcoming(current)
    chooseOpener(from: ids)
  }

  /// A track has come into the list, and is not the current one.
  mutating func insert(_ id: UInt32) {
    upcoming.insert(id, at: Int.random(in: 0...upcoming.count, using: &generator))
  }

  /// A track has left the list, and is not the current one any more.
  /// - Parameter ids: the list without it.
  mutating func delete(_ id: UInt32, from ids: [UInt32]) {
    removeUpcoming(id)
    if heard.contains(id) {
      var kept: [UInt32] = []
      var keptPlace = 0
      // What the track stood between may be one and the same, which was not heard twice in a row.
      for (index, other) in heard.enumerated() {
        if other != id, other != kept.last { kept.append(other) }
        if index == place { keptPlace = max(0, kept.count - 1) }
      }
      heard = kept
      place = keptPlace
    }
    if opener == id { opener = 0 }
    chooseOpener(from: ids)
  }

  @discardableResult
  private mutating func removeUpcoming(_ id: UInt32) -> Bool {
    // What comes next is what is heard next, as a rule.
    guard let index = upcoming.lastIndex(of: id) else { return false }
    upcoming.remove(at: index)
    return true
  }

  /// Once all is heard the next round's first track must be known, to join it without a gap; not the one just heard, if
  /// there is another.
  private mutating func chooseOpener(from ids: [UInt32]) {
    guard upcoming.isEmpty, opener == 0 || opener == current else {
      if !upcoming.isEmpty { opener = 0 }
      return
    }
    opener = ids.randomElement(using: &generator) ?? 0
    while opener == current, ids.count > 1 { opener = ids.randomElement(using: &generator) ?? 0 }
  }

  /// Steele and others' SplitMix of 2014: eight bytes of state, which a value may carry.
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

import Testing

@testable import Page

@Suite struct LRUCacheTests {
  @Test func keepsWhatWasUsedLast() {
    var cache = LRUCache<String, Int>(limit: 80)
    func keys() -> String { "abcdefgh".map(String.init).filter { peek(cache, $0) }.joined() }
    for (index, key) in "abcdefgh".enumerated() { cache.insert(index, for: String(key), cost: 10) }
    #expect(keys() == "abcdefgh" && cache.cost == 80)
    // "a" is used again, so it is not the oldest any more.
    #expect(cache.value("a") == 0)
    cache.insert(8, for: "i", cost: 10)
    #expect(keys() == "adefgh" && cache.cost == 70 && cache.value("i") == 8)
  }

  @Test func refusesWhatIsLargerThanTheCache() {
    var cache = LRUCache<String, Int>(limit: 10)
    cache.insert(1, for: "a", cost: 5)
    cache.insert(2, for: "b", cost: 11)
    #expect(cache.value("a") == 1 && cache.value("b") == nil && cache.cost == 5)
  }

  @Test func keepsTheNewestEvenIfItFillsTheCache() {
    var cache = LRUCache<String, Int>(limit: 10)
    cache.insert(1, for: "a", cost: 5)
    cache.insert(2, for: "b", cost: 10)
    #expect(cache.value("a") == nil && cache.value("b") == 2 && cache.cost == 10)
  }

  @Test func countsAReplacedValueOnce() {
    var cache = LRUCache<String, Int>(limit: 10)
    cache.insert(1, for: "a", cost: 5)
    cache.insert(2, for: "a", cost: 6)
    #expect(cache.value("a") == 2 && cache.cost == 6 && cache.count == 1)
    cache.insert(3, for: "a", cost: 11)
    #expect(cache.value("a") == nil && cache.cost == 0)
  }

  /// Whether the cache has the key. Does not count as a use.
  private func peek(_ cache: LRUCache<String, Int>, _ key: String) -> Bool {
    var copy = cache
    return copy.value(key) != nil
  }
}

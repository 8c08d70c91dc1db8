import HeapModule
import NIOCore

/// A queue ordered by due time. Items with the same time keep their order of insertion.
struct Agenda<Item> {
  private struct Entry: Comparable {
    var time: NIODeadline
    var order: UInt64
    var item: Item

    static func < (a: Entry, b: Entry) -> Bool { (a.time, a.order) < (b.time, b.order) }
    static func == (a: Entry, b: Entry) -> Bool { a.order == b.order }
  }

  private var entries = Heap<Entry>()
  private var order: UInt64 = 0

  var isEmpty: Bool { entries.isEmpty }
  var count: Int { entries.count }
  /// Due time of the first item.
  var next: NIODeadline? { entries.min?.time }

  mutating func add(_ item: Item, at time: NIODeadline) {
    order += 1
    entries.insert(Entry(time: time, order: order, item: item))
  }

  /// Removes and returns the first item if it is due.
  mutating func popDue(_ now: NIODeadline) -> Item? {
    guard let time = next, time <= now else { return nil }
    return entries.popMin()?.item
  }

  mutating func removeAll(where condition: (Item) -> Bool) {
    entries = Heap(entries.unordered.filter { !condition($0.item) })
  }

  func contains(where condition: (Item) -> Bool) -> Bool {
    entries.unordered.contains { condition($0.item) }
  }
}

import HeapModule
import NIOCore

/// Things to do, by the time at which they are due; those of one time in the order in which they came.
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
  /// When the first thing is due.
  var next: NIODeadline? { entries.min?.time }

  mutating func add(_ item: Item, at time: NIODeadline) {
    order += 1
    entries.insert(Entry(time: time, order: order, item: item))
  }

  /// The first thing that is due by `now`, which is off the agenda then.
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

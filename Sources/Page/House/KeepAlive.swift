import NIOCore

/// Decides how long the control point runs: while pages show its devices, and for some time after a request. A pure state
/// machine: events and time in.
struct KeepAlive {
  /// Time to run after a request. A client without an event stream asks again soon.
  static let afterRequest = TimeAmount.seconds(30)
  /// Time to run after the last page has closed. A reloaded page comes back at once.
  static let afterPage = TimeAmount.seconds(5)

  /// Number of pages that show the devices.
  private(set) var pages = 0
  private var end = NIODeadline.uptimeNanoseconds(0)

  mutating func pageOpened() { pages += 1 }

  mutating func pageClosed(now: NIODeadline) {
    pages = max(0, pages - 1)
    end = max(end, now + Self.afterPage)
  }

  mutating func requested(now: NIODeadline) { end = max(end, now + Self.afterRequest) }

  func isNeeded(now: NIODeadline) -> Bool { pages > 0 || now < end }

  /// When to call `isNeeded` again; nil while a page is open, or when nothing is needed.
  func deadline(now: NIODeadline) -> NIODeadline? { pages == 0 && now < end ? end : nil }
}

import NIOCore

/// A list that clients of the event stream request by `?show=NAME`, such as the media servers. It is sent as an event
/// of its own: at once, and after each change.
///
/// Its owner updates it only while it is watched.
package final class ShownList {
  /// The name in `?show=`.
  package let name: String
  /// The type of its events.
  package let event: String
  /// The JSON text of the whole list; nil if it cannot be written. Clients then keep the list that they have.
  private let text: () -> [UInt8]?
  /// Called with true for the first client that watches it, and with false after the last one.
  package var onWatched: ((Bool) -> Void)?
  /// Set by the event stream.
  var onChange: (() -> Void)?
  private var watchers = 0

  /// - Parameters:
  ///   - name: the name in `?show=`.
  ///   - event: the type of its events.
  ///   - text: the JSON text of the whole list; nil if it cannot be written.
  package init(_ name: String, event: String, text: @escaping () -> [UInt8]?) {
    self.name = name
    self.event = event
    self.text = text
  }

  package var isWatched: Bool { watchers > 0 }

  /// The list has changed. Changes are coalesced like those of the state.
  package func changed() { if isWatched { onChange?() } }

  /// The event with the whole list.
  var message: ByteBuffer? { text().map { EventText.event(event, data: $0) } }

  func watch() {
    watchers += 1
    if watchers == 1 { onWatched?(true) }
  }

  func unwatch() {
    watchers -= 1
    if watchers == 0 { onWatched?(false) }
  }
}

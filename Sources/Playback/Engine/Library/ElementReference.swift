import CGStreamer

/// Owns one reference to an element.
final class ElementReference: @unchecked Sendable {
  // Safe to share: the pointer never changes, GObject counts references atomically, and every function that is called
  // with it from several threads (state, properties, queries, pull, push) takes the element's own locks.
  let pointer: UnsafeMutablePointer<GstElement>

  /// Takes ownership of a floating or a full reference.
  init(_ pointer: UnsafeMutablePointer<GstElement>) {
    gst_object_ref_sink(pointer)
    self.pointer = pointer
  }

  /// Creates an element from a factory; nil if it is not installed.
  convenience init?(factory: String, name: String? = nil) {
    guard let element = gst_element_factory_make(factory, name) else { return nil }
    self.init(element)
  }

  deinit { gst_object_unref(pointer) }

  /// Adds the element to the bin, which takes its own reference.
  func add(to bin: ElementReference) {
    gst_bin_add(swiftlet_bin(bin.pointer), pointer)
  }

  /// Calls the body with a static pad of the element; nil if it has no pad of that name.
  func withPad<T>(_ name: String, _ body: (UnsafeMutablePointer<GstPad>) -> T) -> T? {
    guard let pad = gst_element_get_static_pad(pointer, name) else { return nil }
    defer { gst_object_unref(pad) }
    return body(pad)
  }
}

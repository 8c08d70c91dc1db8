import CGStreamer

/// Owns one reference to an element.
final class ElementReference: @unchecked Sendable {
  // Safe to share: the pointer never changes, GObject counts references atomically, and every function that is called
  // with it from several threads (state, properties, queries, pull, push) takes the element's own locks.
  let pointer: UnsafeMutablePointer<GstElement>

  /// Takes over a floating or a full reference.
  init(_ pointer: UnsafeMutablePointer<GstElement>) {
    gst_object_ref_sink(pointer)
    self.pointer = pointer
  }

  /// Makes an element by the name of its factory; nil if it is not installed.
  convenience init?(factory: String, name: String? = nil) {
    guard let element = gst_element_factory_make(factory, name) else { return nil }
    self.init(element)
  }

  deinit { gst_object_unref(pointer) }

  /// Adds the element to the bin, which holds a reference of its own.
  func add(to bin: ElementReference) {
    gst_bin_add(swiftlet_bin(bin.pointer), pointer)
  }

  /// The pad of that name that the element has always.
  func withPad<T>(_ name: String, _ body: (UnsafeMutablePointer<GstPad>) -> T) -> T? {
    guard let pad = gst_element_get_static_pad(pointer, name) else { return nil }
    defer { gst_object_unref(pad) }
    return body(pad)
  }
}

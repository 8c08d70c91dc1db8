import CGStreamer
import Glibc
import MediaStream
import PlaybackModel

/// Registers the element `swiftlethttpsrc`, which reads `http` and `https` addresses with `StreamReader`. GStreamer
/// prefers it to all others, also for the playlists and segments of HLS.
enum HTTPSourceElement {
  static let typeName = "SwiftletHTTPSource"
  private static let name = "swiftlethttpsrc"

  /// Call once, after GStreamer has been initialized.
  static func register() {
    let rank = guint(GST_RANK_PRIMARY.rawValue + 1)
    swiftlet_register_source(typeName, name, rank, onClassInit, onInit, onHandlerInit)
  }

  /// The object that implements the element; nil for other elements.
  static func reader(_ element: gpointer?) -> HTTPSource? {
    guard let element, swiftlet_is_a(element, typeName) != 0 else { return nil }
    return element.assumingMemoryBound(to: SwiftletSource.self).pointee.behaviour
      .map { Unmanaged<HTTPSource>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func onClassInit(_ klass: gpointer?, _ data: gpointer?) {
  guard let klass else { return }
  let element = klass.assumingMemoryBound(to: GstElementClass.self)
  gst_element_class_set_metadata(element, "HTTP source", "Source/Network", "Reads streams over HTTP", "Swiftlet")
  if let caps = gst_caps_from_string("ANY") {
    gst_element_class_add_pad_template(
      element, gst_pad_template_new("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps))
    swiftlet_caps_unref(caps)
  }
  let source = klass.assumingMemoryBound(to: GstBaseSrcClass.self)
  source.pointee.stop = { HTTPSourceElement.reader($0)?.stop() ?? 1 }
  source.pointee.is_seekable = { HTTPSourceElement.reader($0)?.isSeekable == true ? 1 : 0 }
  source.pointee.get_size = { source, size in
    guard let known = HTTPSourceElement.reader(source)?.size else { return 0 }
    size?.pointee = guint64(known)
    return 1
  }
  source.pointee.do_seek = { source, segment in
    guard let segment, let reader = HTTPSourceElement.reader(source) else { return 0 }
    return reader.seek(segment.pointee) ? 1 : 0
  }
  source.pointee.unlock = { source in
    HTTPSourceElement.reader(source)?.interrupt()
    return 1
  }
  source.pointee.unlock_stop = { source in
    HTTPSourceElement.reader(source)?.endInterruption()
    return 1
  }
  source.pointee.query = { source, query in
    guard let source, let query else { return 0 }
    return HTTPSourceElement.reader(source)?.answer(query) ?? swiftlet_source_query(source, query)
  }
  klass.assumingMemoryBound(to: GstPushSrcClass.self).pointee.create = { source, buffer in
    guard let buffer, let reader = HTTPSourceElement.reader(source) else { return GST_FLOW_ERROR }
    return reader.create(&buffer.pointee)
  }
  swiftlet_element_class_set_finalize(klass, onFinalize)
}

private func onInit(_ instance: UnsafeMutablePointer<GTypeInstance>?, _ klass: gpointer?) {
  guard let instance else { return }
  let source = UnsafeMutableRawPointer(instance).assumingMemoryBound(to: SwiftletSource.self)
  source.pointee.behaviour = Unmanaged.passRetained(HTTPSource(element: instance)).toOpaque()
  // The server's size may be wrong: only the end of the body is the end.
  gst_base_src_set_automatic_eos(swiftlet_base_src(instance), 0)
}

private func onHandlerInit(_ interface: gpointer?, _ data: gpointer?) {
  guard let handler = interface?.assumingMemoryBound(to: GstURIHandlerInterface.self) else { return }
  handler.pointee.get_type = { _ in swiftlet_uri_source_type() }
  handler.pointee.get_protocols = { _ in swiftlet_http_schemes() }
  handler.pointee.get_uri = { handler in
    handler.flatMap { HTTPSourceElement.reader(UnsafeMutableRawPointer($0))?.uri }.flatMap { g_strdup($0) }
  }
  handler.pointee.set_uri = { handler, uri, error in
    guard let handler, let uri, HTTPSourceElement.reader(UnsafeMutableRawPointer(handler))?.set(uri) == true else {
      swiftlet_set_uri_error(error)
      return 0
    }
    return 1
  }
}

private func onFinalize(_ object: UnsafeMutablePointer<GObject>?) {
  guard let object else { return }
  let source = UnsafeMutableRawPointer(object).assumingMemoryBound(to: SwiftletSource.self)
  if let behaviour = source.pointee.behaviour { Unmanaged<HTTPSource>.fromOpaque(behaviour).release() }
  source.pointee.behaviour = nil
  swiftlet_source_finalize(object)
}

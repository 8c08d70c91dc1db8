import CGStreamer
import PlaybackModel

/// Creates the GStreamer element for an output description.
enum OutputDevice {
  static func make(_ description: OutputDescription) throws(OutputError) -> ElementReference {
    GStreamerLibrary.start()
    switch description {
    case .alsa(let device):
      let element = try element("alsasink", package: "gstreamer1.0-alsa")
      swiftlet_set_string(element.pointer, "device", device)
      return element
    case .pulse: return try element("pulsesink", package: "gstreamer1.0-pulseaudio")
    case .pipewire: return try element("pipewiresink", package: "gstreamer1.0-pipewire")
    case .null:
      let element = try element("fakesink", package: "libgstreamer1.0-0")
      swiftlet_set_bool(element.pointer, "sync", 1)
      return element
    case .bin(let text): return try bin(text)
    }
  }

  /// The sink element inside the device; the device itself if it is not a bin.
  static func sink(in device: ElementReference) -> ElementReference {
    guard swiftlet_is_a(device.pointer, "GstBin") != 0,
      let iterator = gst_bin_iterate_sinks(swiftlet_bin(device.pointer))
    else { return device }
    defer { gst_iterator_free(iterator) }
    var value = GValue()
    defer { g_value_unset(&value) }
    guard gst_iterator_next(iterator, &value) == GST_ITERATOR_OK, let object = g_value_get_object(&value) else {
      return device
    }
    let sink = ElementReference(object.assumingMemoryBound(to: GstElement.self))
    // autoaudiosink and similar sinks are bins inside the bin.
    return sink.pointer == device.pointer ? sink : Self.sink(in: sink)
  }

  private static func element(_ factory: String, package: String) throws(OutputError) -> ElementReference {
    guard let element = ElementReference(factory: factory) else {
      throw OutputError("GStreamer has no \(factory) here: install \(package).")
    }
    return element
  }

  private static func bin(_ text: String) throws(OutputError) -> ElementReference {
    var error: UnsafeMutablePointer<GError>?
    let element = gst_parse_bin_from_description(text, 1, &error)
    defer { g_clear_error(&error) }
    guard let element else {
      let reason = error?.pointee.message.map { String(cString: $0) } ?? "it is no bin"
      throw OutputError("The output “\(text)” is not understood: \(reason).")
    }
    let reference = ElementReference(element)
    // For an unknown element in the middle of a bin, GStreamer returns a bin and an error.
    if let message = error?.pointee.message {
      throw OutputError("The output “\(text)” is not understood: \(String(cString: message)).")
    }
    guard reference.withPad("sink", { _ in true }) == true else {
      throw OutputError("The output “\(text)” is not understood: it takes no input.")
    }
    // A filter without a sink would block forever, since nothing consumes its output.
    guard reference.withPad("src", { _ in true }) == nil else {
      throw OutputError("The output “\(text)” is not understood: it does not end in a sink.")
    }
    return reference
  }
}

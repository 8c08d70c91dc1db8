import CGStreamer
import PlaybackModel

/// The outputs of this machine.
public enum Outputs {
  /// All outputs found, each in the notation of `--output` and with a readable name. ALSA devices are opened to list
  /// their formats, rates and channels. The null output comes last.
  public static func list() -> [(description: String, name: String)] {
    names().map { ($0.description, $0.name + formats(of: $0.description)) }
  }

  /// The same outputs without their formats. Opens no device, so it does not disturb one that plays.
  public static func names() -> [(description: String, name: String)] {
    GStreamerLibrary.start()
    return devices() + [("null", "Discards the sound in real time")]
  }

  /// A search for an output that can be opened.
  /// - Parameter named: the only output to try; nil for the first audio device that can be opened.
  public static func search(
    for named: OutputDescription?
  ) -> @Sendable () throws(OutputError) -> OutputDescription {
    guard let named else { return { () throws(OutputError) in try preferred() } }
    return { () throws(OutputError) in
      try probe(named)
      return named
    }
  }

  /// The formats of an ALSA device as text; empty for other outputs.
  private static func formats(of description: String) -> String {
    guard case .alsa(let device)? = try? OutputDescription(parsing: description) else { return "" }
    return ": " + ALSADevice.summary(device)
  }

  /// Creates the output's element without opening the device.
  /// - Throws: a permanent failure: a plugin is missing, or the notation is invalid.
  public static func check(_ description: OutputDescription) throws(OutputError) {
    _ = try OutputDevice.make(description)
  }

  /// Opens the output and closes it again. A server is not contacted: playback waits for it.
  /// - Throws: why it cannot be opened.
  public static func probe(_ description: OutputDescription) throws(OutputError) {
    guard !description.isRemote else { return try check(description) }
    if case .alsa(let device) = description {
      do throws(ALSADevice.Failure) {
        _ = try ALSADevice.formats(device)
      } catch {
        let failure = PlaybackError(alsa: error)
        throw OutputError("The output “\(description)” cannot be opened: \(failure)", playbackError: failure)
      }
    }
    let device = try OutputDevice.make(description)
    let bus = gst_bus_new()
    defer { gst_object_unref(bus) }
    gst_element_set_bus(device.pointer, bus)
    let result = gst_element_set_state(device.pointer, GST_STATE_READY)
    gst_element_set_state(device.pointer, GST_STATE_NULL)
    defer { gst_element_set_bus(device.pointer, nil) }
    guard result == GST_STATE_CHANGE_FAILURE else { return }
    guard let message = gst_bus_pop_filtered(bus, GST_MESSAGE_ERROR) else {
      throw OutputError("The output “\(description)” cannot be opened: GStreamer reports no reason.")
    }
    defer { swiftlet_message_unref(message) }
    let failure = ElementFailure(message: message)
    var reason = failure.message
    if reason.hasSuffix(".") { reason.removeLast() }
    throw OutputError(
      "The output “\(description)” cannot be opened: \(reason).", playbackError: PlaybackError(device: failure))
  }

  /// The first real audio device that can be opened.
  /// - Throws: why the first device cannot be opened, or that there is no device.
  public static func preferred() throws(OutputError) -> OutputDescription {
    GStreamerLibrary.start()
    var failure: OutputError?
    for device in devices() {
      guard let description = try? OutputDescription(parsing: device.description) else { continue }
      do throws(OutputError) {
        try probe(description)
        return description
      } catch {
        failure = failure ?? error
      }
    }
    throw failure ?? OutputError("There is no audio device.", playbackError: .deviceMissing)
  }

  /// The devices that GStreamer's device providers find. Sound servers come first: they mix streams and keep the cards
  /// open themselves.
  private static func devices() -> [(description: String, name: String)] {
    guard let monitor = gst_device_monitor_new() else { return [] }
    defer { gst_object_unref(monitor) }
    gst_device_monitor_add_filter(monitor, "Audio/Sink", nil)
    guard gst_device_monitor_start(monitor) != 0 else { return [] }
    defer { gst_device_monitor_stop(monitor) }
    let list = gst_device_monitor_get_devices(monitor)
    defer { g_list_free(list) }
    var found: [(description: String, name: String)] = []
    var entry = list
    while let node = entry {
      entry = node.pointee.next
      guard let data = node.pointee.data else { continue }
      let device = data.assumingMemoryBound(to: GstDevice.self)
      defer { gst_object_unref(device) }
      guard let element = gst_device_create_element(device, nil) else { continue }
      let reference = ElementReference(element)
      let name = gst_device_get_display_name(device).map { name in
        defer { g_free(name) }
        return String(cString: name)
      }
      guard let description = notation(of: reference) else { continue }
      if !found.contains(where: { $0.description == description }) { found.append((description, name ?? description)) }
    }
    return found.sorted { rank($0.description) < rank($1.description) }
  }

  /// The notation of `--output` for an element that the device monitor created.
  private static func notation(of element: ElementReference) -> String? {
    if swiftlet_is_a(element.pointer, "GstAlsaSink") != 0 {
      guard let device = swiftlet_get_string(element.pointer, "device") else { return "alsa" }
      defer { g_free(device) }
      return "alsa:" + String(cString: device)
    }
    if swiftlet_is_a(element.pointer, "GstPulseSink") != 0 { return "pulse" }
    if swiftlet_is_a(element.pointer, "GstPipeWireSink") != 0 { return "pipewire" }
    return nil
  }

  private static func rank(_ description: String) -> Int {
    switch description {
    case "pipewire": 0
    case "pulse": 1
    default: 2
    }
  }
}

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
    case .snapcast:
      let element = try element("fdsink", package: "libgstreamer1.0-0")
      swiftlet_set_bool(element.pointer, "sync", 1)
      return element
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
      throw OutputError("GStreamer's element \(factory) is missing: install \(package).")
    }
    return element
  }

  private static func bin(_ text: String) throws(OutputError) -> ElementReference {
    var error: UnsafeMutablePointer<GError>?
    let element = gst_parse_bin_from_description(text, 1, &error)
    defer { g_clear_error(&error) }
    guard let element else {
      if let error { throw invalid(text, error.pointee) }
      throw OutputError("Invalid output “\(text)”: it is not a GStreamer bin.")
    }
    let reference = ElementReference(element)
    // For an unknown element in the middle of a bin, GStreamer returns a bin and an error.
    if let error { throw invalid(text, error.pointee) }
    guard reference.withPad("sink", { _ in true }) == true else {
      throw OutputError("Invalid output “\(text)”: it has no input.")
    }
    // A filter without a sink would block forever, since nothing consumes its output.
    guard reference.withPad("src", { _ in true }) == nil else {
      throw OutputError("Invalid output “\(text)”: it does not end in a sink.")
    }
    return reference
  }

  private static func invalid(_ text: String, _ error: GError) -> OutputError {
    let reason = error.message.map { String(cString: $0) } ?? "GStreamer reports no reason"
    return OutputError("Invalid output “\(text)”: \(reason).")
  }
}

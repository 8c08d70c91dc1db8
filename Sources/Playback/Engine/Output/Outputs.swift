import CGStreamer
import PlaybackModel

/// The outputs of this machine.
public enum Outputs {
  /// All outputs found: each in the notation of `--output`, and as a readable name. Names of ALSA devices include their
  /// formats, rates and channels; the devices are opened to find these. The null output comes last.
  public static func list() -> [(description: String, name: String)] {
    GStreamerLibrary.start()
    let found = devices().map { ($0.description, $0.name + forms(of: $0.description)) }
    return found + [("null", "Nowhere, at the pace of a clock")]
  }

  /// The formats of an ALSA device in words; empty for other outputs.
  private static func forms(of description: String) -> String {
    guard case .alsa(let device)? = try? OutputDescription(parsing: description) else { return "" }
    return ": " + ALSADevice.summary(device)
  }

  /// Creates the output's element without opening the device.
  /// - Throws: one sentence that explains a permanent failure: a plugin is missing, or the notation is invalid.
  public static func check(_ description: OutputDescription) throws(OutputError) {
    _ = try OutputDevice.make(description)
  }

  /// Opens the output and closes it again.
  /// - Throws: one sentence that explains why it cannot be opened.
  public static func probe(_ description: OutputDescription) throws(OutputError) {
    if case .alsa(let device) = description {
      do throws(ALSADevice.Failure) {
        _ = try ALSADevice.forms(device)
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
      throw OutputError("The output “\(description)” cannot be opened: it does not say why.")
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

import CGStreamer
import PlaybackEngine
import PlaybackTestKit

extension Sound {
  package func flac() throws -> [UInt8] { try encoded("flacenc") }

  /// Encodes the samples with GStreamer elements.
  package func encoded(_ elements: String) throws -> [UInt8] {
    GStreamerLibrary.start()
    let folder = try TemporaryFolder()
    try folder.write("in.wav", wav)
    let text =
      "filesrc location=\(folder.path)/in.wav ! wavparse ! audioconvert ! \(elements) ! filesink location=\(folder.path)/out"
    var error: UnsafeMutablePointer<GError>?
    guard let pipeline = gst_parse_launch(text, &error), error == nil, let bus = gst_element_get_bus(pipeline) else {
      throw SetupError("cannot encode by \(elements)")
    }
    defer {
      gst_element_set_state(pipeline, GST_STATE_NULL)
      gst_object_unref(bus)
      gst_object_unref(pipeline)
    }
    gst_element_set_state(pipeline, GST_STATE_PLAYING)
    let kinds = GstMessageType(rawValue: GST_MESSAGE_EOS.rawValue | GST_MESSAGE_ERROR.rawValue)
    guard let message = gst_bus_timed_pop_filtered(bus, 60_000_000_000, kinds) else {
      throw SetupError("encoder hangs")
    }
    defer { swiftlet_message_unref(message) }
    guard swiftlet_message_type(message) == GST_MESSAGE_EOS else {
      throw SetupError("cannot encode: \(ElementFailure(message: message))")
    }
    return try folder.read("out")
  }
}

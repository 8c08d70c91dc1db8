import CGStreamer

/// The contents of an ERROR message as plain values, so that it can cross threads.
package struct ElementFailure: Sendable, Equatable {
  enum Domain: Sendable { case resource, stream, core, other }

  var domain: Domain
  var code: Int
  /// In the user's language: for display, not for parsing.
  var message: String
  /// For developers; never translated.
  var debug: String
  /// The status of the HTTP response, if there was one.
  var httpStatus: Int?
  /// Type name of the element that failed, such as `GstAlsaSink`.
  var element: String?

  /// The server answered a range request with the whole file.
  var isRefusedRange: Bool { domain == .resource && code == Int(GST_RESOURCE_ERROR_SEEK.rawValue) }

  /// The connection to the server failed, not the processing of the data.
  var isOfReading: Bool { element == "GstSoupHTTPSrc" }

  init(
    domain: Domain, code: Int, message: String = "", debug: String = "", httpStatus: Int? = nil, element: String? = nil
  ) {
    self.domain = domain
    self.code = code
    self.message = message
    self.debug = debug
    self.httpStatus = httpStatus
    self.element = element
  }

  /// Reads an ERROR message.
  package init(message: UnsafeMutablePointer<GstMessage>) {
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<gchar>?
    gst_message_parse_error(message, &error, &debug)
    defer {
      g_clear_error(&error)
      g_free(debug)
    }
    if let source = swiftlet_message_source(message) { element = String(cString: swiftlet_type_name(source)) }
    domain = .other
    code = 0
    self.message = ""
    if let error {
      domain =
        swiftlet_is_resource_error(error) != 0
        ? .resource
        : swiftlet_is_stream_error(error) != 0 ? .stream : swiftlet_is_core_error(error) != 0 ? .core : .other
      code = Int(error.pointee.code)
      self.message = error.pointee.message.map { String(cString: $0) } ?? ""
    }
    self.debug = debug.map { String(cString: $0) } ?? ""
    var details: UnsafePointer<GstStructure>?
    gst_message_parse_error_details(message, &details)
    var status: guint = 0
    if let details, gst_structure_get_uint(details, "http-status-code", &status) != 0, status >= 100 {
      httpStatus = Int(status)
    }
  }
}

import CGStreamer
import MediaStream
import PlaybackModel

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
  /// Why the stream could not be read; nil for a failure of another element.
  var cause: StreamFailure?

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

  package init(message: UnsafeMutablePointer<GstMessage>) {
    var error: UnsafeMutablePointer<GError>?
    var debug: UnsafeMutablePointer<gchar>?
    gst_message_parse_error(message, &error, &debug)
    defer {
      g_clear_error(&error)
      g_free(debug)
    }
    if let source = swiftlet_message_source(message) {
      element = String(cString: swiftlet_type_name(source))
      cause = HTTPSourceElement.reader(source)?.failure
    }
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
    if case .status(let status) = cause { httpStatus = status }
  }
}

extension PlaybackError {
  /// Converts a source's failure. Nil if GStreamer does not report the cause.
  init?(source failure: ElementFailure) {
    if let status = failure.httpStatus, status >= 300 {
      self = .init(httpStatus: status)
      return
    }
    if let cause = failure.cause {
      self = .init(stream: cause)
      return
    }
    switch failure.domain {
    case .resource:
      switch failure.code {
      case Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue): self = .notFound
      case Int(GST_RESOURCE_ERROR_NOT_AUTHORIZED.rawValue): self = .notAuthorized
      case Int(GST_RESOURCE_ERROR_READ.rawValue), Int(GST_RESOURCE_ERROR_SEEK.rawValue): self = .truncated
      default: return nil
      }
    case .stream:
      switch failure.code {
      case Int(GST_STREAM_ERROR_TYPE_NOT_FOUND.rawValue), Int(GST_STREAM_ERROR_WRONG_TYPE.rawValue): self = .notAudio
      case Int(GST_STREAM_ERROR_CODEC_NOT_FOUND.rawValue): self = .missingDecoder(failure.debug)
      case Int(GST_STREAM_ERROR_DECODE.rawValue), Int(GST_STREAM_ERROR_DEMUX.rawValue): self = .damaged
      // “Internal data stream error”: an element refused data without reporting why.
      default: return nil
      }
    case .core:
      switch failure.code {
      case Int(GST_CORE_ERROR_MISSING_PLUGIN.rawValue): self = .missingDecoder(failure.debug)
      default: self = .failed(failure.message.withoutFullStop)
      }
    case .other: self = .failed(failure.message.withoutFullStop)
    }
  }

  init(stream failure: StreamFailure) {
    switch failure {
    case .badAddress: self = .badAddress
    case .unknownHost: self = .unknownHost
    case .refused: self = .refused
    case .unreachable: self = .unreachable
    case .timedOut: self = .timedOut
    case .certificate(let problem): self = .certificate(problem)
    case .insecure: self = .insecure
    case .tlsUnavailable: self = .failed("TLS needs the package glib-networking")
    case .status(let status): self = .init(httpStatus: status)
    case .encoded: self = .failed("the server compresses the stream, which nobody asked for")
    case .redirects, .otherHost: self = .tooManyRedirects
    case .nothingSent: self = .nothingSent
    case .malformed: self = .notHTTP
    case .endedEarly, .rangeIgnored: self = .truncated
    }
  }

  init(httpStatus: Int) {
    switch httpStatus {
    case 404, 410: self = .notFound
    case 401, 403, 407: self = .notAuthorized
    default: self = .serverError(httpStatus)
    }
  }

  init(device failure: ElementFailure) {
    switch (failure.domain, failure.code) {
    case (.resource, Int(GST_RESOURCE_ERROR_BUSY.rawValue)): self = .deviceBusy
    case (.resource, Int(GST_RESOURCE_ERROR_NOT_FOUND.rawValue)),
      (.resource, Int(GST_RESOURCE_ERROR_OPEN_WRITE.rawValue)),
      (.resource, Int(GST_RESOURCE_ERROR_OPEN_READ_WRITE.rawValue)):
      self = .deviceMissing
    // alsasink reports this error only when a card is unplugged during playback.
    case (.resource, Int(GST_RESOURCE_ERROR_WRITE.rawValue)) where failure.element == "GstAlsaSink":
      self = .deviceMissing
    default: self = .deviceFailed(failure.message.withoutFullStop)
    }
  }

  /// decodebin reports the missing decoder in the debug text, as `Missing decoder: NAME (CAPS)`.
  private static func missingDecoder(_ debug: String) -> PlaybackError {
    let marker = "Missing decoder: "
    for line in debug.split(separator: "\n") where line.hasPrefix(marker) {
      let format = line.dropFirst(marker.count)
      let mediaType = format.split(separator: "(").last?.split(whereSeparator: { ",)".contains($0) }).first ?? ""
      if !mediaType.hasPrefix("audio/") { return .notAudio }
      return .unsupportedFormat(format.split(separator: "(").first.map { String($0).trimmingSpaces() } ?? "this format")
    }
    return .notAudio
  }
}

extension String {
  /// For use inside a longer sentence.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

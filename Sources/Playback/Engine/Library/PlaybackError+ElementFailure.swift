import CGStreamer
import PlaybackModel

extension PlaybackError {
  /// Converts a source's failure. Nil if GStreamer does not report the cause, for example for an unreachable server:
  /// then `ConnectionDiagnosis` finds the cause.
  init?(source failure: ElementFailure) {
    if let status = failure.httpStatus, status >= 300 {
      self = .init(httpStatus: status)
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

  init(httpStatus: Int) {
    switch httpStatus {
    case 404, 410: self = .notFound
    case 401, 403, 407: self = .notAuthorized
    case 300..<400: self = .tooManyRedirects
    default: self = .serverError(httpStatus)
    }
  }

  /// Converts a failure of the audio device.
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
      return .unsupportedFormat(format.split(separator: "(").first.map { String($0).trimmingSpaces() } ?? "it")
    }
    return .notAudio
  }
}

extension String {
  /// The text for use inside a longer sentence.
  fileprivate var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}

import PlaybackModel

/// Reads parts of a track's file with separate requests, one at a time.
///
/// Used on the pipeline's thread.
final class PartReader {
  enum Purpose {
    /// A part that a `FLACSearch` needs.
    case search
    /// The tags of further parts of a concatenated MP3 file (`MP3Parts`).
    case mp3Parts
    /// The end of the file, where APE tags may be.
    case endTags
  }

  /// The request under way.
  private(set) var request: ByteSource?
  /// The purpose of the request.
  private(set) var purpose: Purpose?
  private let uri: String
  private let context: SourceContext

  init(uri: String, context: SourceContext) {
    self.uri = uri
    self.context = context
  }

  /// Starts a request. No other request may be under way.
  /// - Returns: false if the address cannot be read.
  func read(_ range: Range<Int>, for purpose: Purpose) -> Bool {
    request = ByteSource(uri: uri, range: range, settings: context.settings, mailbox: context.mailbox)
    self.purpose = request == nil ? nil : purpose
    return request != nil
  }

  /// Ends the request.
  /// - Returns: the bytes received and their purpose; nil if no request was under way.
  @discardableResult func end() -> (purpose: Purpose, bytes: [UInt8])? {
    guard let request, let purpose else { return nil }
    let bytes = request.bytes
    request.dispose()
    self.request = nil
    self.purpose = nil
    return (purpose, bytes)
  }
}

/// Whether the speaker has a page, and whether the page may change anything.
enum PageMode: String, CaseIterable, Sendable {
  case on
  /// Every command of the API is refused.
  case readOnly = "read-only"
  /// There is no page, no API and no presentationURL.
  case off
}

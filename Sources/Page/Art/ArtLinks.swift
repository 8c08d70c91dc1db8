/// Gives out addresses on this server for pictures elsewhere, so that browsers load nothing from other sites.
///
/// Used on the event loop.
package final class ArtLinks {
  package init() {}

  /// The path of a picture under `/api/art/`; nil for an address that is never fetched.
  package func path(for url: String?) -> String? { nil }
}

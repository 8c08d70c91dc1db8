/// The state of the music library, as `swiftlet status --json` and the page show it.
package struct LibraryReport: Codable, Sendable, Equatable {
  /// Of the configuration.
  package var folders: [String] = []
  /// Tracks that can be played now.
  package var tracks: Int = 0
  package var albums: Int = 0
  package var scanning: Bool = false
  /// Files looked at in the current scan.
  package var scanned: Int = 0
  /// The end of the last complete scan: local time, ISO 8601.
  package var lastScan: String?
  /// How long it took, in seconds.
  package var scanTime: Double?
  /// Files and folders that could not be read.
  package var problemCount: Int = 0
  /// The first of them.
  package var problems: [String] = []
  /// Whether the folders contain more than the library may.
  package var truncated: Bool = false
  /// Why the index cannot be written.
  package var error: String?

  package init() {}
}

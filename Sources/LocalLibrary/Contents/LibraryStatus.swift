/// The state of the index, for status and metrics.
package struct LibraryStatus: Sendable, Hashable {
  /// Tracks that can be played now.
  package var tracks = 0
  package var albums = 0
  package var isScanning = false
  /// Files looked at in the current scan.
  package var scanned = 0
  /// The end of the last complete scan: seconds since 1970.
  package var lastScan: Int?
  /// How long the last complete scan took, in seconds.
  package var scanTime: Double?
  /// Files and folders that could not be read in the last scan.
  package var problemCount = 0
  /// The first of them, as sentences.
  package var problems: [String] = []
  /// Whether the folders contain more than the index may.
  package var isTruncated = false
  /// Why the index cannot be written.
  package var error: String?

  package init() {}
}

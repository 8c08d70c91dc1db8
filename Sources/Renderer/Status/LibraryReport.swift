import Glibc
import LocalLibrary
import SpeakerCore

extension LibraryReport {
  init(_ status: LibraryStatus, folders: [String]) {
    self.init()
    self.folders = folders
    tracks = status.tracks
    albums = status.albums
    scanning = status.isScanning
    scanned = status.scanned
    lastScan = status.lastScan.map { LogLine.stamp(time_t($0)) }
    scanTime = status.scanTime
    problemCount = status.problemCount
    problems = status.problems
    truncated = status.isTruncated
    error = status.error
  }

  /// The library's lines of `swiftlet status`.
  var rows: [(String, String)] {
    var facts = [tracks == 1 ? "1 track" : "\(tracks) tracks", albums == 1 ? "1 album" : "\(albums) albums"]
    if scanning { facts.append("scanning, \(scanned) files so far") }
    if truncated { facts.append("not all of the folders") }
    var rows = [("Library", facts.joined(separator: ", "))]
    if let error { rows.append(("", "the index cannot be written: \(error)")) }
    rows += problems.map { ("", $0) }
    if problemCount > problems.count { rows.append(("", "and \(problemCount - problems.count) more problems")) }
    return rows
  }
}

extension MetricsText {
  mutating func add(_ report: LibraryReport) {
    add("swiftlet_library_tracks", "gauge", "Tracks in the music library.", Double(report.tracks))
    add("swiftlet_library_scanning", "gauge", "Whether the folders are being scanned.", report.scanning ? 1 : 0)
    add(
      "swiftlet_library_problems", "gauge", "Files and folders that could not be read in the last scan.",
      Double(report.problemCount))
    add(
      "swiftlet_library_truncated", "gauge", "Whether the folders contain more than the library may.",
      report.truncated ? 1 : 0)
    add("swiftlet_library_failed", "gauge", "Whether the index cannot be written.", report.error == nil ? 0 : 1)
    if let time = report.scanTime {
      add("swiftlet_library_scan_seconds", "gauge", "How long the last complete scan took. Absent before it.", time)
    }
  }
}
